"""Times and spans of time in the middle of a sentence. It is Monday, 2 March 2026, 10:00."""

import pytest

from tests.unit.du.message_values import only, values


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


def test_a_house_is_no_hour():
    assert values("I need a plumber at 18 Station Road", "time") == []


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


def test_a_span_that_is_counted_says_more_than_a_weekend():
    assert only("just a long weekend, so 3 days", "duration") == "P3D"


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


def test_a_second_one_is_no_time_at_all():
    assert values("we got a second van", "duration") == []
    assert only("just a second", "duration") == "PT1S"
