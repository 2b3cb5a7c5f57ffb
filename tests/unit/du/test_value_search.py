"""Values in the middle of a sentence. These tests run on Monday, 2 March 2026, at 10:00."""

from datetime import UTC, datetime
from typing import Any

import pytest

from soni.du import DialogueContext, SlotBrief
from soni.du.local.values.value_search import find_values
from soni.du.local.view import View
from soni.slots import SlotEnv

MONDAY = datetime(2026, 3, 2, 10, tzinfo=UTC)


def values(
    message: str, kind: str, language: str = "en", *, name: str = "it", about: str = ""
) -> list[tuple[str, Any]]:
    """The words of each value, and the value."""
    slot = SlotBrief(name=name, flow="flow", type=kind, description=about)
    env = SlotEnv(now=MONDAY, language=language)
    return [(message[one.start : one.end], one.value) for one in find_values(message, slot, env)]


def only(
    message: str, kind: str, language: str = "en", *, name: str = "it", about: str = ""
) -> Any:
    """The one value of a message."""
    said = values(message, kind, language, name=name, about=about)
    assert len(said) == 1, said
    return said[0][1]


@pytest.mark.parametrize(
    ("message", "language", "words", "day"),
    [
        ("friday, at 6 am", "en", "friday", "2026-03-06"),
        ("Day after tomorrow, 7:45 pm", "en", "Day after tomorrow", "2026-03-04"),
        ("at 5 pm on thursday", "en", "on thursday", "2026-03-05"),
        ("el jueves a las 16:30", "es", "el jueves", "2026-03-05"),
        ("mañana a las 10 de la mañana", "es", "mañana", "2026-03-03"),
    ],
)
def test_a_day_leaves_the_clock_beside_it_alone(message, language, words, day):
    assert values(message, "date", language) == [(words, day)]


@pytest.mark.parametrize(
    ("message", "language", "day"),
    [
        ("since saturday", "en", "2026-02-28"),
        ("it was thursday", "en", "2026-02-26"),
        ("it was thrusday", "en", "2026-02-26"),
        ("my bag got stolen on the 25th of february", "en", "2026-02-25"),
        ("on friday it broke down", "en", "2026-02-27"),
        ("fue el jueves", "es", "2026-02-26"),
        ("se rompió el sábado", "es", "2026-02-28"),
        ("estoy enfermo desde el sábado", "es", "2026-02-28"),
    ],
)
def test_what_has_happened_was_on_the_last_day_of_that_name(message, language, day):
    assert only(message, "date", language) == day


@pytest.mark.parametrize(
    "message",
    [
        "I was hoping for friday",
        "my phone was stolen and I need one by friday",
        "it broke, can you come on friday?",
        "the one that was booked for friday",
    ],
)
def test_what_is_still_to_come_is_not_put_into_the_past(message):
    assert only(message, "date") == "2026-03-06"


@pytest.mark.parametrize(
    ("message", "language", "name", "about", "day"),
    [
        ("saturday", "en", "happened", "", "2026-02-28"),
        ("saturday", "en", "starts", "First day of being ill", "2026-02-28"),
        ("desde el sábado", "es", "inicio", "Desde cuándo no funciona", "2026-02-28"),
        ("saturday", "en", "old_day", "Day of the visit that was booked before", "2026-03-07"),
        ("next friday", "en", "happened", "", "2026-03-13"),
    ],
)
def test_a_slot_may_be_about_a_day_that_was(message, language, name, about, day):
    assert only(message, "date", language, name=name, about=about) == day


@pytest.mark.parametrize(
    ("message", "language", "time"),
    [
        ("ten to seven", "en", "18:50:00"),
        ("twenty past eight, please", "en", "20:20:00"),
        ("around half eleven", "en", "11:30:00"),
        ("at 8 tomorrow", "en", "20:00:00"),
        ("tomorrow morning at 8", "en", "08:00:00"),
        ("las siete menos diez", "es", "18:50:00"),
        ("a las ocho y veinte", "es", "20:20:00"),
    ],
)
def test_a_clock_that_may_be_two_times_is_the_next_one(message, language, time):
    assert only(message, "time", language) == time


@pytest.mark.parametrize(
    ("about", "time"),
    [
        ("Time of the wake-up call", "06:50:00"),
        ("When breakfast is brought", "06:50:00"),
        ("Hora de la cena", "18:50:00"),
    ],
)
def test_what_a_time_is_for_tells_the_half_of_the_day(about, time):
    assert only("ten to seven", "time", about=about) == time


@pytest.mark.parametrize("message", ["at 5 Main Street", "put it on the 13", "from 2 to 4"])
def test_a_number_without_a_clock_is_no_time(message):
    assert values(message, "time") == []


@pytest.mark.parametrize("kind", ["money", "integer", "number"])
@pytest.mark.parametrize("message", ["wrong number, it is 202 555 0132", "on 2026-03-10"])
def test_a_part_of_a_long_number_is_no_amount(message, kind):
    assert values(message, kind) == []


@pytest.mark.parametrize("kind", ["money", "integer", "number"])
@pytest.mark.parametrize(
    "message",
    [
        "make the delivery 11:30",
        "better at half past two",
        "eight sharp",
        "come at 3 in the afternoon",
        "I am at 9 Elm Road",
        "it is 12 mill lane",
    ],
)
def test_a_part_of_a_time_or_of_an_address_is_no_number(message, kind):
    assert values(message, kind) == []


@pytest.mark.parametrize(
    ("message", "number"),
    [("a table for 4 tonight", 4), ("5 rooms close to the street", 5), ("about 3 hrs", 3)],
)
def test_a_number_beside_words_of_time_and_place_is_one(message, number):
    assert only(message, "integer") == number


def test_a_house_is_no_hour():
    assert values("I need a plumber at 18 Station Road", "time") == []


@pytest.mark.parametrize("message", ["17 per person", "80 a night at most", "60 an hour"])
def test_so_much_for_each_is_an_amount_and_counts_nothing(message):
    assert len(values(message, "money")) == 1
    assert values(message, "integer", about="How many people come") == []


def test_so_many_a_day_are_counted_where_that_is_asked():
    assert only("2 a day", "integer", about="How many tablets a day") == 2


@pytest.mark.parametrize(
    ("message", "spans"),
    [
        ("50 a day", []),
        ("30 euros a day for a week", ["P7D"]),
        ("three tablets a day", []),
        ("a day", ["P1D"]),
    ],
)
def test_so_much_a_day_is_not_how_long(message, spans):
    assert [span for _, span in values(message, "duration")] == spans


@pytest.mark.parametrize(
    ("message", "kind", "value"),
    [
        ("quater past one in the afternoon", "time", "13:15:00"),
        ("hlaf past two", "time", "14:30:00"),
        ("3 in the aftrnoon", "time", "15:00:00"),
        ("by teh end of the month", "date", "2026-03-31"),
        ("nxet friday", "date", "2026-03-13"),
        ("the day afer tomorrow", "date", "2026-03-04"),
    ],
)
def test_words_of_a_time_or_a_day_may_be_misspelt(message, kind, value):
    assert only(message, kind) == value


@pytest.mark.parametrize("kind", ["date", "time"])
@pytest.mark.parametrize("message", ["after all", "the thing is new", "none of them", "half of it"])
def test_words_that_are_only_like_those_of_a_day_are_none(message, kind):
    assert values(message, kind) == []


@pytest.mark.parametrize(("message", "time"), [("11 sharp", "11:00:00"), ("11ish", "11:00:00")])
def test_an_hour_is_known_by_how_exact_it_is(message, time):
    assert only(message, "time") == time


@pytest.mark.parametrize(
    ("message", "language", "amount"),
    [
        ("it was 86 euros 40", "en", 86.4),
        ("put 25 pounds on 2025550145", "en", 25),
        ("unos 85.000", "es", 85_000),
        ("a tenner is fine", "en", 10),
        ("12 and a half euros", "en", 12.5),
    ],
)
def test_an_amount_is_found_among_other_words(message, language, amount):
    assert only(message, "money", language)["amount"] == amount


@pytest.mark.parametrize("message", ["tiene 95.000 km", "pesa 12 kilos", "para 3 noches"])
def test_a_measure_of_something_else_is_no_money(message):
    assert values(message, "money", "es") == []


@pytest.mark.parametrize(
    ("message", "language", "number"),
    [
        ("just one", "en", 1),
        ("only one, thanks", "en", 1),
        ("one is enough", "en", 1),
        ("con una me vale", "es", 1),
        ("one's enough", "en", 1),
        ("one'll do for now", "en", 1),
        ("three's fine", "en", 3),
        ("half a dozen", "en", 6),
        ("a couple of them", "en", 2),
        ("tiene 60 mil", "es", 60_000),
        ("unos 85.000", "es", 85_000),
    ],
)
def test_a_number_is_found_as_people_say_it(message, language, number):
    assert only(message, "integer", language) == number


def test_a_span_that_is_counted_says_more_than_a_weekend():
    assert only("just a long weekend, so 3 days", "duration") == "P3D"


@pytest.mark.parametrize(
    ("message", "language", "number"),
    [
        ("my wife, the two kids and me", "en", 4),
        ("me, my husband and 2 friends", "en", 4),
        ("mi mujer, los dos niños y yo", "es", 4),
    ],
)
def test_people_may_be_listed_instead_of_counted(message, language, number):
    assert only(message, "integer", language, about="How many people") == number


def test_who_does_not_say_how_many_is_not_counted():
    assert values("my kids and me", "integer", about="How many people") == []


def test_how_long_is_no_day():
    assert values("we would have it for two weeks", "date") == []
    assert only("for two weeks from friday", "date") == "2026-03-06"


def test_the_day_that_is_named_counts_where_a_distance_is_said_too():
    assert only("rather a day later, on the 10th", "date") == "2026-03-10"


@pytest.mark.parametrize(
    ("message", "spans"),
    [
        ("somebody in every week to clean", []),
        ("once every other week is fine", []),
        ("take it every 8 hours", []),
        ("I don't know the day yet", []),
        ("any day works", []),
        ("the day after tomorrow", []),
        ("an hour's drive from here", []),
        ("cada semana", []),
        ("one hour a day at most", ["PT1H"]),
        ("30 minutes every night", ["PT30M"]),
        ("just the day", ["P1D"]),
        ("the whole week please", ["P7D"]),
        ("an hour's plenty", ["PT1H"]),
        ("two hours'll do", ["PT2H"]),
        ("couple of hours", ["PT2H"]),
    ],
)
def test_how_often_or_which_day_is_not_how_long(message, spans):
    language = "es" if message.startswith("cada") else "en"
    assert [span for _, span in values(message, "duration", language)] == spans


def test_how_often_is_a_length_where_that_is_what_the_slot_holds():
    assert only("every 8 hours", "duration", about="How often a dose is taken") == "PT8H"


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("wensday's good", "2026-03-04"),
        ("friday's fine by me", "2026-03-06"),
        ("thursday'll do", "2026-03-05"),
        ("cancel tomorrow's visit", "2026-03-03"),
        ("today's best", "2026-03-02"),
    ],
)
def test_a_day_may_be_written_together_with_its_verb(message, day):
    assert only(message, "date") == day


def test_what_belongs_to_today_is_no_day():
    assert values("what is today's rate", "date") == []


@pytest.mark.parametrize(
    "message", ["it's 60 square metres", "about 80 sq m", "3 acres", "120 square feet"]
)
def test_an_area_is_no_money(message):
    assert values(message, "money") == []


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("spent_on", "Day on which the money was spent"),
        ("day", "Day the prescription was filled"),
        ("moved_in", "Day you moved in"),
        ("last_seen", ""),
        ("joined_on", ""),
    ],
)
def test_a_slot_may_say_that_its_day_has_been(name, about):
    assert only("on the 25th of february", "date", name=name, about=about) == "2026-02-25"


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("pickup", "Day the car is picked up"),
        ("due", "Day by which the bill should be paid"),
        ("visit", "Day the visit was booked for"),
        ("start", "Day you need the room"),
        ("pay_day", "Day you want to be paid"),
    ],
)
def test_a_day_to_come_is_the_next_one(name, about):
    assert only("on the 25th of february", "date", name=name, about=about) == "2027-02-25"


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("it was 40 and I paid on the 25th of february", "2026-02-25"),
        ("we lost it on friday", "2026-02-27"),
        ("I'd like it paid on friday", "2026-03-06"),
    ],
)
def test_what_somebody_did_was_on_the_last_day_of_that_name(message, day):
    assert only(message, "date") == day


def test_what_was_found_in_a_message_is_not_looked_for_again() -> None:
    view = View(DialogueContext(now=MONDAY))
    slot = SlotBrief(name="day", flow="trip", type="date")
    (once,) = find_values("leave on friday", slot, view.env)
    (again,) = find_values("leave on friday", slot, view.env)
    assert again is once
    assert find_values("leave on monday", slot, view.env)[0].value != once.value


@pytest.mark.parametrize(
    ("message", "amount"),
    [
        ("sell all 40 of them", {"amount": 40, "currency": "USD"}),
        ("SELL ALL 40 OF THEM", {"amount": 40, "currency": "USD"}),
        ("sell them for 40 TRY", {"amount": 40, "currency": "TRY"}),
        ("sell them for 40 sek", {"amount": 40, "currency": "SEK"}),
    ],
)
def test_a_word_that_is_a_currency_too_is_one_in_capitals_only(message, amount):
    assert only(message, "money") == amount


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ("best on 07700 900144", "07700 900144"),
        ("07700 900512, ask for Ann", "07700 900512"),
        ("my cell is +44 7700 900 611", "+44 7700 900 611"),
        ("you can call me on 555-0132", "555-0132"),
        ("ring 555 0132 after six", "555 0132"),
    ],
)
def test_a_phone_number_that_does_not_exist_is_one_for_its_type_to_refuse(message, number):
    assert values(message, "phone") == [(number, number)]


@pytest.mark.parametrize(
    "message",
    [
        "my order is 4471 220 981",
        "from 2026-03-12 on",
        "call me on 12.03.2026",
        "the card 4929 1234 5678 9012",
        "call about 0929 1234 5678 9012",
        "it is AB-0770 0900144",
        "we spent 1.250.000",
    ],
)
def test_other_digits_are_no_phone_number(message):
    assert values(message, "phone") == []


def test_a_number_that_exists_is_taken_before_one_that_does_not():
    message = "not 07700 900144 but +44 20 7946 0018"
    assert [said for said, _ in values(message, "phone")] == ["+44 20 7946 0018"]


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("can the 22nd be moved", "2026-03-22"),
        ("the third would suit us", "2026-03-03"),
        ("on the 22nd my son is ill", "2026-03-22"),
        ("the fifth at noon", "2026-03-05"),
    ],
)
def test_an_ordinal_that_counts_nothing_is_a_day(message, day):
    assert only(message, "date") == day


def test_a_second_one_is_no_time_at_all():
    assert values("we got a second van", "duration") == []
    assert only("just a second", "duration") == "PT1S"


def test_a_day_of_the_month_may_be_an_ordinal():
    about = "Day of the month on which the rent is due"
    assert only("we get paid on the 28th", "integer", name="due", about=about) == 28
    assert only("the first, please", "integer", name="due", about=about) == 1
    assert values("we live on the 28th floor", "integer", about="How many of us") == []


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("hire_day", "Day on which the boat is hired"),
        ("day", "Day on which the cake is ordered"),
        ("day", "Day on which you are charged"),
    ],
)
def test_what_is_done_on_a_day_is_still_to_come(name, about):
    assert only("on the 25th of february", "date", name=name, about=about) == "2027-02-25"


@pytest.mark.parametrize(
    ("name", "about"),
    [
        ("missed_day", ""),
        ("day", "Day on which the milk was not delivered"),
        ("day", "Day of the transfer in question"),
        ("day", "Date of loss"),
        ("hired_on", ""),
    ],
)
def test_what_was_not_done_on_a_day_has_been_too(name, about):
    assert only("it's about friday", "date", name=name, about=about) == "2026-02-27"


@pytest.mark.parametrize(
    ("message", "day"),
    [
        ("on friday a shop took 30 from me", "2026-02-27"),
        ("the papers should have come on friday", "2026-02-27"),
        ("nobody cleaned the stairs on friday", "2026-02-27"),
        ("they should come on friday", "2026-03-06"),
        ("I would have preferred friday", "2026-03-06"),
        ("we could have friday", "2026-03-06"),
    ],
)
def test_the_tense_around_a_day_tells_whether_it_has_been(message, day):
    assert only(message, "date") == day


@pytest.mark.parametrize(
    "message",
    [
        "we have a second dog",
        "it is my first time here",
        "they are on the 4th floor",
        "the pasta was cold",
        "the mayor called",
        "my schedule is tight",
    ],
)
def test_what_is_only_like_a_day_is_none(message):
    assert values(message, "date") == []
