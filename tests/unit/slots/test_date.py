"""date: a day, however people say it. These tests run on Monday, 2 March 2026."""

from datetime import date, datetime

import pytest

from soni.slots import slot_types

REFUSED = "invalid_date"


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("2026-03-05", "en", "2026-03-05"),
        (date(2026, 3, 5), "en", "2026-03-05"),
        (datetime(2026, 3, 5, 23, 59), "en", "2026-03-05"),
        ("today", "en", "2026-03-02"),
        (" Tomorrow ", "en", "2026-03-03"),
        ("yesterday", "en", "2026-03-01"),
        ("mañana", "es", "2026-03-03"),
        ("friday", "en", "2026-03-06"),
        ("monday", "en", "2026-03-09"),
        ("viernes", "es", "2026-03-06"),
        ("friday", "es", "2026-03-06"),
        ("5 March 2027", "en", "2027-03-05"),
        ("March 5th, 2027", "en", "2027-03-05"),
        ("5 march", "en", "2026-03-05"),
        ("5 de marzo de 2027", "es", "2027-03-05"),
        ("2026-02-30", "en", REFUSED),
        ("30 february", "en", REFUSED),
        ("soon", "en", REFUSED),
        ("", "en", REFUSED),
        ("5/3/2026", "en", REFUSED),
        (20260305, "en", REFUSED),
        (True, "en", REFUSED),
    ],
)
def test_days_are_taken_as_people_say_them(coerce, said, language, stored):
    assert coerce("date", said, language) == stored


def test_actions_and_expressions_get_a_date():
    assert slot_types()["date"].revive("2026-03-05") == date(2026, 3, 5)


@pytest.mark.parametrize(
    ("language", "shown"),
    [("en", "5 March 2026"), ("es", "5 de marzo de 2026"), ("fr", "5 March 2026")],
)
def test_it_is_shown_in_the_usual_form(language, shown):
    assert slot_types()["date"].show("2026-03-05", language) == shown
