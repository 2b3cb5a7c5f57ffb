"""time: a time of day that leaves no doubt. These tests run at 10:00."""

from datetime import UTC, datetime, time

import pytest

from soni.slots import slot_types

REFUSED = "invalid_time"


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("17:30", "en", "17:30:00"),
        ("17:30:15", "en", "17:30:15"),
        ("5:30", "en", "05:30:00"),
        ("5pm", "en", "17:00:00"),
        ("5:30 P.M.", "en", "17:30:00"),
        ("5.30 pm", "en", "17:30:00"),
        ("12 am", "en", "00:00:00"),
        ("12pm", "en", "12:00:00"),
        ("noon", "en", "12:00:00"),
        ("at midnight", "en", "00:00:00"),
        ("half past five in the afternoon", "en", "17:30:00"),
        ("a quarter to six pm", "en", "17:45:00"),
        ("ten past eight at night", "en", "20:10:00"),
        ("five thirty pm", "en", "17:30:00"),
        ("9 in the morning", "en", "09:00:00"),
        ("5 o'clock in the afternoon", "en", "17:00:00"),
        ("at 17", "en", "17:00:00"),
        ("13 pm", "en", "13:00:00"),
        ("in 2 hours", "en", "12:00:00"),
        ("half an hour from now", "en", "10:30:00"),
        ("a las 5 de la tarde", "es", "17:00:00"),
        ("las cinco y media de la tarde", "es", "17:30:00"),
        ("seis menos cuarto de la tarde", "es", "17:45:00"),
        ("diez y diez de la noche", "es", "22:10:00"),
        ("12 de la noche", "es", "00:00:00"),
        ("2 de la noche", "es", "02:00:00"),
        ("12 de la mañana", "es", "12:00:00"),
        ("3 de la madrugada", "es", "03:00:00"),
        ("mediodía", "es", "12:00:00"),
        ("17h", "es", "17:00:00"),
        ("17.30 h", "es", "17:30:00"),
        ("dentro de una hora", "es", "11:00:00"),
        ("8 pm", "es", "20:00:00"),
        (time(17, 30, 15, 999), "en", "17:30:15"),
        (datetime(2026, 3, 2, 17, 30, tzinfo=UTC), "en", "17:30:00"),
        # In the morning or in the evening?
        ("5", "en", REFUSED),
        ("at 5", "en", REFUSED),
        ("half past five", "en", REFUSED),
        ("a las 5", "es", REFUSED),
        ("5.30", "en", REFUSED),
        ("25:00", "en", REFUSED),
        ("17:60", "en", REFUSED),
        ("13 am", "en", REFUSED),
        ("0 pm", "en", REFUSED),
        ("2 29", "en", REFUSED),
        ("5:30 y media", "es", REFUSED),
        ("70 past 5 pm", "en", REFUSED),
        ("soon", "en", REFUSED),
        ("", "en", REFUSED),
        (17, "en", REFUSED),
    ],
)
def test_times_are_taken_as_people_say_them(coerce, said, language, stored):
    assert coerce("time", said, language) == stored


def test_actions_and_expressions_get_a_time():
    assert slot_types()["time"].revive("17:30:00") == time(17, 30)


@pytest.mark.parametrize(
    ("stored", "language", "shown"),
    [
        ("17:30:00", "en", "5:30 pm"),
        ("17:30:00", "es", "17:30"),
        ("05:30:15", "en", "5:30:15 am"),
        ("05:30:15", "es", "5:30:15"),
    ],
)
def test_it_is_shown_in_the_usual_form(stored, language, shown):
    assert slot_types()["time"].show(stored, language) == shown


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("half nine pm", "en", "21:30:00"),
        ("around half nine in the evening", "en", "21:30:00"),
        ("at about 5 pm", "en", "17:00:00"),
        ("tipo 11:15", "es", "11:15:00"),
        ("a eso de las 8 de la tarde", "es", "20:00:00"),
        ("las siete menos diez de la tarde", "es", "18:50:00"),
        ("las ocho y veinte de la mañana", "es", "08:20:00"),
        ("half nine", "en", REFUSED),
    ],
)
def test_a_time_may_be_said_roughly_or_in_short(coerce, said, language, stored):
    assert coerce("time", said, language) == stored
