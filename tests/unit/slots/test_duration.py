"""duration: a span of time, to the second."""

from datetime import timedelta

import pytest

from soni.slots import slot_types

REFUSED = "invalid_duration"


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("2 hours", "en", "PT2H"),
        ("1h 30m", "en", "PT1H30M"),
        ("1h30", "en", "PT1H30M"),
        ("90 minutes", "en", "PT1H30M"),
        ("1 hour, 30 minutes", "en", "PT1H30M"),
        ("An hour and a half", "en", "PT1H30M"),
        ("2 and a half hours", "en", "PT2H30M"),
        ("half an hour", "en", "PT30M"),
        ("half an hours", "en", "PT30M"),
        ("half hour", "en", "PT30M"),
        ("hours", "en", REFUSED),
        ("a quarter of an hour", "en", "PT15M"),
        ("two days and 3 hours", "en", "P2DT3H"),
        ("2.5 hours", "en", "PT2H30M"),
        ("2 weeks", "en", "P14D"),
        ("three nights", "en", "P3D"),
        ("the whole weekend", "en", "P2D"),
        ("todo el fin de semana", "es", REFUSED),
        ("el fin de semana", "es", "P2D"),
        ("one second", "en", "PT1S"),
        ("0 minutes", "en", "PT0S"),
        ("PT1H30M", "en", "PT1H30M"),
        ("P1W", "en", "P7D"),
        ("hora y media", "es", "PT1H30M"),
        ("media hora", "es", "PT30M"),
        ("un cuarto de hora", "es", "PT15M"),
        ("tres cuartos de hora", "es", "PT45M"),
        ("dos horas y cuarto", "es", "PT2H15M"),
        ("dos días y tres horas", "es", "P2DT3H"),
        ("1,5 horas", "es", "PT1H30M"),
        (timedelta(hours=26), "en", "P1DT2H"),
        (timedelta(seconds=-1), "en", REFUSED),
        (timedelta.max, "en", REFUSED),
        ("999999999 weeks", "en", REFUSED),
        # No unit, or none of a fixed length.
        ("5", "en", REFUSED),
        (90, "en", REFUSED),
        ("1:30", "en", REFUSED),
        ("1 month", "en", REFUSED),
        ("2 hours or so", "en", REFUSED),
        ("am", "en", REFUSED),
        ("h", "en", REFUSED),
        ("hours", "en", REFUSED),
        ("P", "en", REFUSED),
        ("PT", "en", REFUSED),
        ("", "en", REFUSED),
    ],
)
def test_spans_are_taken_as_people_say_them(coerce, said, language, stored):
    assert coerce("duration", said, language) == stored


def test_actions_and_expressions_get_a_timedelta():
    assert slot_types()["duration"].revive("P1DT2H") == timedelta(hours=26)
    assert slot_types()["duration"].revive("PT0S") == timedelta()


@pytest.mark.parametrize(
    ("stored", "language", "shown"),
    [
        ("PT1H30M", "en", "1 hour and 30 minutes"),
        ("PT1H30M", "es", "1 hora y 30 minutos"),
        ("P2DT3H4M5S", "en", "2 days, 3 hours, 4 minutes and 5 seconds"),
        ("PT0S", "en", "0 seconds"),
    ],
)
def test_it_is_shown_in_the_usual_form(stored, language, shown):
    assert slot_types()["duration"].show(stored, language) == shown


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("a fortnight", "en", "P14D"),
        ("two fortnights", "en", "P28D"),
        ("a couple of weeks", "en", "P14D"),
        ("two more weeks", "en", "P14D"),
        ("three full days", "en", "P3D"),
        ("quince días", "es", "P15D"),
        ("una quincena", "es", "P15D"),
        ("un par de horas", "es", "PT2H"),
        ("a long weekend", "en", REFUSED),
    ],
)
def test_spans_have_names_of_their_own(coerce, said, language, stored):
    assert coerce("duration", said, language) == stored
