"""What the agency can do. Its partners are made up and live in memory: the same question gets the
same answer, and every start begins with the same two bookings for everybody."""

import re
from datetime import date, time, timedelta
from typing import Any

from soni import ActionContext, ActionError, action, normalizer

# Minutes in the air and the lowest fare in euros; nobody flies between other cities.
ROUTES = {
    ("Madrid", "Barcelona"): (75, 60),
    ("Madrid", "Palma"): (85, 70),
    ("Madrid", "Oslo"): (230, 140),
    ("Madrid", "Lima"): (720, 520),
    ("Madrid", "Boston"): (480, 390),
    ("Barcelona", "Palma"): (50, 45),
    ("Barcelona", "Oslo"): (205, 130),
    ("Barcelona", "Boston"): (500, 410),
}
# Airline, flight number, departure, share of the lowest fare, minutes of stops.
DEPARTURES = [
    ("Sol Air", "SA12", time(7, 10), 1.2, 0),
    ("Nordavia", "ND48", time(9, 45), 1.0, 55),
    ("Levante", "LV30", time(12, 20), 1.4, 0),
    ("Mistral", "MI75", time(16, 5), 1.1, 40),
    ("Sol Air", "SA18", time(20, 30), 1.3, 0),
]
HOTELS = [("Hotel Central", 3, 80), ("Casa Azul", 4, 110), ("Gran Palacio", 5, 240)]
BAG = 25
WEATHER = {"Oslo": ("grey", 4), "Lima": ("hazy", 19), "Boston": ("clear", 9)}


def euros(amount: float) -> dict[str, Any]:
    return {"amount": round(amount, 2), "currency": "EUR"}


def fare(origin: str, destination: str, day: date) -> float:
    """The lowest fare of a day: from Friday to Sunday everybody wants to fly."""
    _, base = ROUTES.get((origin, destination)) or ROUTES[destination, origin]
    return base * (1.5 if day.weekday() >= 4 else 1)


class Agency:
    """Everybody's bookings, and a number for each thing that was sold."""

    def __init__(self) -> None:
        self._bookings: dict[str, list[dict[str, Any]]] = {}
        self._sold = 0

    def bookings(self, customer: str, today: date) -> list[dict[str, Any]]:
        if customer not in self._bookings:
            soon, later = (today + timedelta(days=days) for days in (3, 30))
            self._bookings[customer] = []
            self.book(customer, "Madrid", "Oslo", soon, ["Kim Roe"])
            self.book(customer, "Barcelona", "Palma", later, ["Kim Roe", "Sam Roe"])
        return sorted(self._bookings[customer], key=lambda booking: str(booking["date"]))

    def book(
        self, customer: str, origin: str, destination: str, day: date, names: list[str]
    ) -> dict[str, Any]:
        booking = {
            "reference": self.reference("TR"),
            "origin": origin,
            "destination": destination,
            "date": day.isoformat(),
            "names": names,
            "price": euros(fare(origin, destination, day) * len(names)),
        }
        self._bookings.setdefault(customer, []).append(booking)
        return booking

    def find(self, customer: str, reference: str) -> dict[str, Any]:
        for booking in self._bookings.get(customer, []):
            if booking["reference"] == reference:
                return booking
        raise ActionError("gone", f"there is no booking {reference}")

    def drop(self, customer: str, reference: str) -> None:
        self._bookings[customer].remove(self.find(customer, reference))

    def reference(self, kind: str) -> str:
        self._sold += 1
        return f"{kind}{self._sold:04d}"


AGENCY = Agency()


@action
def search_flights(
    origin: str, destination: str, departure_date: date, return_date: date | None = None
) -> dict[str, Any]:
    if (origin, destination) not in ROUTES and (destination, origin) not in ROUTES:
        raise ActionError("no_flights", f"no flights from {origin} to {destination}")
    minutes, _ = ROUTES.get((origin, destination)) or ROUTES[destination, origin]
    ways = [day for day in (departure_date, return_date) if day is not None]
    lowest = sum(fare(origin, destination, day) for day in ways)
    flights = [
        {
            "airline": airline,
            "number": number,
            "destination": destination,
            "date": departure_date.isoformat(),
            "departs": departs.isoformat(),
            "minutes": minutes + stops,
            "duration": f"PT{minutes + stops}M",
            "price": euros(lowest * share),
        }
        for airline, number, departs, share, stops in DEPARTURES
    ]
    return {"flights": flights}


@action
def quote_trip(
    flight: dict[str, Any], passengers: int, bags: int, ctx: ActionContext
) -> dict[str, Any]:
    luggage = 0 if ctx.session.get("level") == "gold" else bags * BAG
    return {"price": euros(flight["price"]["amount"] * passengers + luggage)}


@action
def book_trip(
    origin: str,
    flight: dict[str, Any],
    names: list[str],
    price: dict[str, Any],
    contact: str,
    today: date,
    ctx: ActionContext,
    return_date: date | None = None,
) -> dict[str, Any]:
    AGENCY.bookings(ctx.user_id, today)
    day = date.fromisoformat(flight["date"])
    booking = AGENCY.book(ctx.user_id, origin, flight["destination"], day, names)
    booking["price"] = price
    return {"reference": booking["reference"]}


@action
def list_bookings(today: date, ctx: ActionContext, reference: str | None = None) -> dict[str, Any]:
    bookings = AGENCY.bookings(ctx.user_id, today)
    return {"bookings": [b for b in bookings if b["reference"] == reference] or bookings}


@action
def quote_change(booking: dict[str, Any], new_date: date) -> dict[str, Any]:
    """The new fare less the old one; a cheaper day is not paid back."""
    route, people = (booking["origin"], booking["destination"]), len(booking["names"])
    old = fare(*route, date.fromisoformat(booking["date"])) * people
    return {"difference": euros(max(0, fare(*route, new_date) * people - old))}


@action
def change_date(
    booking: dict[str, Any], new_date: date, difference: dict[str, Any], ctx: ActionContext
) -> None:
    kept = AGENCY.find(ctx.user_id, booking["reference"])
    kept["date"] = new_date.isoformat()
    kept["price"] = euros(kept["price"]["amount"] + difference["amount"])


@action
def quote_refund(booking: dict[str, Any], today: date) -> dict[str, Any]:
    """All of it a week ahead, later half of it."""
    ahead = date.fromisoformat(booking["date"]) - today
    share = 1 if ahead >= timedelta(days=7) else 0.5
    return {"refund": euros(booking["price"]["amount"] * share)}


@action
def cancel_trip(booking: dict[str, Any], ctx: ActionContext) -> None:
    AGENCY.drop(ctx.user_id, booking["reference"])


@action
def search_hotels(city: str, nights: int, rooms: list[str]) -> dict[str, Any]:
    beds = sum(2 if room == "double" else 1.2 for room in rooms)
    return {
        "hotels": [
            {"name": name, "stars": stars, "price": euros(round(rate * beds * nights / 2))}
            for name, stars, rate in HOTELS
        ]
    }


@action
def book_hotel(
    hotel: dict[str, Any], check_in: date, nights: int, rooms: list[str], contact: str
) -> dict[str, Any]:
    return {"reference": AGENCY.reference("HT")}


@action
async def get_weather(city: str) -> dict[str, Any]:
    sky, degrees = WEATHER.get(city, ("sunny", 24))
    return {"sky": sky, "degrees": degrees}


@action
async def get_entry_rules(city: str) -> dict[str, Any]:
    return {"permit": "online" if city == "Boston" else "none"}


@normalizer
def tidy_name(name: str) -> str:
    """Without what people say before their name, and with capitals."""
    bare = re.sub(r"^(my name is|i am|i'm|me llamo|soy)\s+", "", name.strip(), flags=re.IGNORECASE)
    return " ".join(bare.split()).title()
