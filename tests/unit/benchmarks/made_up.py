"""A service and dialogues that nobody has ever recorded, in the shape of the data."""

from __future__ import annotations

from typing import Any

from benchmarks.understanding.sgd.dialogues import Dialogue, Turn


def _slot(name: str, description: str, *values: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": description,
        "is_categorical": bool(values),
        "possible_values": list(values),
    }


BOATS: dict[str, Any] = {
    "service_name": "Boats_1",
    "description": "Hire a boat",
    "slots": [
        _slot("harbour", "Town where the boat lies"),
        _slot("day", "Day of the trip"),
        _slot("crew", "How many people come along", "1", "2", "3"),
        _slot("skipper", "Whether somebody steers the boat", "True", "False"),
        _slot("boat", "Name of the boat"),
        _slot("price", "What it costs"),
    ],
    "intents": [
        {
            "name": "FindBoat",
            "description": "Look for a boat",
            "is_transactional": False,
            "required_slots": ["harbour"],
            "optional_slots": {"skipper": "dontcare"},
            "result_slots": ["harbour", "boat", "price", "skipper"],
        },
        {
            "name": "HireBoat",
            "description": "Hire a boat for a day",
            "is_transactional": True,
            "required_slots": ["boat", "harbour", "day"],
            "optional_slots": {"crew": "2"},
            "result_slots": ["boat", "harbour", "day", "crew", "price"],
        },
    ],
}

HUTS: dict[str, Any] = {
    "service_name": "Huts_1",
    "description": "Sleep in a hut",
    "slots": [_slot("harbour", "Town near the hut"), _slot("night", "Night of the stay")],
    "intents": [
        {
            "name": "FindHut",
            "description": "Look for a hut",
            "is_transactional": False,
            "required_slots": ["harbour"],
            "optional_slots": {"night": "dontcare"},
            "result_slots": ["harbour", "night"],
        }
    ],
}


def act(kind: str, slot: str = "", *values: str, service: str = "Boats_1") -> dict[str, Any]:
    """One thing that the system does."""
    return {"service": service, "act": kind, "slot": slot, "values": list(values)}


def start(flow: str, via: str = "inform") -> dict[str, Any]:
    """The user wants to do something."""
    return {"cmd": "StartFlow", "flow": flow, "via": via}


def put(slot: str, *values: str, service: str = "Boats_1", cmd: str = "SetSlot") -> dict[str, Any]:
    """The user gives a value."""
    return {"cmd": cmd, "service": service, "slot": slot, "values": list(values), "via": "inform"}


def turn(
    system: str,
    acts: list[dict[str, Any]],
    user: str,
    commands: list[dict[str, Any]],
    **state: tuple[str, dict[str, list[str]], list[str]],
) -> Turn:
    """One exchange; the state is an intent, values and what was asked, by service."""
    frames = {
        service: {"active_intent": intent, "slot_values": values, "requested_slots": asked}
        for service, (intent, values, asked) in state.items()
    }
    return Turn(system, tuple(acts), user, tuple(commands), (), frames)


_FOUND = {"harbour": ["Porto"], "skipper": ["dontcare"], "boat": ["Gull"]}
_HIRED = {**_FOUND, "day": ["on Sunday", "Sunday"], "crew": ["2"]}

TRIP = Dialogue(
    "trip",
    ("Boats_1",),
    (
        turn(
            "",
            [],
            "Find me a boat, with or without a skipper",
            [start("Boats_1.FindBoat"), put("skipper", "dontcare")],
            Boats_1=("FindBoat", {"skipper": ["dontcare"]}, []),
        ),
        turn(
            "Where?",
            [act("REQUEST", "harbour")],
            "In Faro, no, in Porto",
            [put("harbour", "Porto")],
            Boats_1=("FindBoat", {"harbour": ["Porto"], "skipper": ["dontcare"]}, []),
        ),
        turn(
            "There is the Gull.",
            [act("OFFER", "boat", "Gull")],
            "What does it cost?",
            [{"cmd": "RequestInfo", "service": "Boats_1", "slot": "price", "values": []}],
            Boats_1=("FindBoat", {"harbour": ["Porto"], "skipper": ["dontcare"]}, ["price"]),
        ),
        turn(
            "It costs 90 euros.",
            [act("INFORM", "price", "90 euros")],
            "Good, that one",
            [{"cmd": "Select"}],
            Boats_1=("FindBoat", _FOUND, []),
        ),
        turn(
            "Shall I hire it?",
            [act("OFFER_INTENT", "intent", "HireBoat")],
            "Yes, on Sunday",
            [start("Boats_1.HireBoat", "offer"), put("day", "on Sunday", "Sunday")],
            Boats_1=("HireBoat", {**_FOUND, "day": ["on Sunday", "Sunday"]}, []),
        ),
        turn(
            "The Gull on Sunday for 2, with somebody to steer?",
            [
                act("CONFIRM", "boat", "Gull"),
                act("CONFIRM", "day", "Sunday"),
                act("CONFIRM", "crew", "2"),
                act("CONFIRM", "skipper", "True"),
            ],
            "Yes",
            [{"cmd": "Affirm"}],
            Boats_1=("HireBoat", _HIRED, []),
        ),
        turn(
            "Done. Anything else?",
            [act("NOTIFY_SUCCESS"), act("REQ_MORE")],
            "No, thanks",
            [{"cmd": "Deny", "of": "req_more"}, {"cmd": "Thank"}],
            Boats_1=("NONE", _HIRED, []),
        ),
    ),
)

TWO_SERVICES = Dialogue(
    "two",
    ("Boats_1", "Huts_1"),
    (
        turn(
            "",
            [],
            "A boat in Porto",
            [start("Boats_1.FindBoat"), put("harbour", "Porto")],
            Boats_1=("FindBoat", {"harbour": ["Porto"]}, []),
        ),
        turn(
            "There is the Gull.",
            [act("OFFER", "boat", "Gull")],
            "I take it. And a hut there.",
            [start("Huts_1.FindHut"), put("harbour", "Porto", service="Huts_1"), {"cmd": "Select"}],
            Boats_1=("FindBoat", {"harbour": ["Porto"], "boat": ["Gull"]}, []),
            Huts_1=("FindHut", {"harbour": ["Porto"]}, []),
        ),
        turn(
            "For Friday night in Porto?",
            [
                act("CONFIRM", "harbour", "Porto", service="Huts_1"),
                act("CONFIRM", "night", "Friday", service="Huts_1"),
            ],
            "No, for Saturday, near Faro",
            [
                {"cmd": "Deny", "of": "confirm"},
                put("night", "Saturday", service="Huts_1"),
                put("harbour", "Faro", service="Huts_1", cmd="CorrectSlot"),
            ],
            Huts_1=("FindHut", {"harbour": ["Faro"], "night": ["Saturday"]}, []),
        ),
    ),
)
