"""date: a day, however people say it. These tests run on Monday, 2 March 2026."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from soni.config.slot import SlotConfig
from soni.core.errors import Refusal
from soni.slots import SlotEnv, slot_types
from soni.slots.parsers.days import read_day

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
        ("Fri", "en", "2026-03-06"),
        ("on Friday", "en", "2026-03-06"),
        ("this friday", "en", "2026-03-06"),
        ("next friday", "en", "2026-03-13"),
        ("friday next week", "en", "2026-03-13"),
        ("next monday", "en", "2026-03-09"),
        ("last friday", "en", "2026-02-27"),
        ("last monday", "en", "2026-02-23"),
        ("el viernes", "es", "2026-03-06"),
        ("el próximo viernes", "es", "2026-03-06"),
        ("el viernes que viene", "es", "2026-03-06"),
        ("el viernes de la semana que viene", "es", "2026-03-13"),
        ("el viernes pasado", "es", "2026-02-27"),
        ("miercoles", "es", "2026-03-04"),
        ("the day after tomorrow", "en", "2026-03-04"),
        ("pasado mañana", "es", "2026-03-04"),
        ("anteayer", "es", "2026-02-28"),
        ("in 3 days", "en", "2026-03-05"),
        ("in two weeks", "en", "2026-03-16"),
        ("in a month", "en", "2026-04-02"),
        ("a week from today", "en", "2026-03-09"),
        ("3 days ago", "en", "2026-02-27"),
        ("dentro de dos semanas", "es", "2026-03-16"),
        ("hace 3 días", "es", "2026-02-27"),
        ("hace un año", "es", "2025-03-02"),
        ("tomorrow at 5 pm", "en", "2026-03-03"),
        ("mañana a las 17:30", "es", "2026-03-03"),
        ("5 March 2027", "en", "2027-03-05"),
        ("March 5th, 2027", "en", "2027-03-05"),
        ("5 march", "en", "2026-03-05"),
        ("5 de marzo de 2027", "es", "2027-03-05"),
        ("el 5 de marzo", "es", "2026-03-05"),
        ("uno de mayo", "es", "2026-05-01"),
        ("1º de mayo", "es", "2026-05-01"),
        ("the second of may", "en", "2026-05-02"),
        ("Sept. 3", "en", "2026-09-03"),
        ("5-mar-2026", "en", "2026-03-05"),
        ("5 mars", "fr", "2026-03-05"),
        ("5 March", "es", "2026-03-05"),
        # The next one to come, never one that has gone by.
        ("2 march", "en", "2026-03-02"),
        ("1 march", "en", "2027-03-01"),
        ("friday 6 march", "en", "2026-03-06"),
        ("5/3/2026", "es", "2026-03-05"),
        ("5/3", "es", "2026-03-05"),
        ("5/3/26", "es", "2026-03-05"),
        ("31/12/2026", "en", "2026-12-31"),
        ("12/31/2026", "en", "2026-12-31"),
        ("2026/3/5", "en", "2026-03-05"),
        ("5/5", "en", "2026-05-05"),
        (datetime(2026, 3, 5, tzinfo=UTC), "en", "2026-03-05"),
        ("2026-02-30", "en", REFUSED),
        ("30 february", "en", REFUSED),
        ("soon", "en", REFUSED),
        ("", "en", REFUSED),
        # Month first or day first: English does both.
        ("5/3/2026", "en", REFUSED),
        # Which century?
        ("5/3/85", "es", REFUSED),
        ("5 march 26", "en", REFUSED),
        # Not a Friday.
        ("friday 7 march", "en", REFUSED),
        # None within a year.
        ("29 february", "en", REFUSED),
        ("31/31/2026", "en", REFUSED),
        ("5th", "en", "2026-03-05"),
        ("the thirteenth", "en", "2026-03-13"),
        ("friday the sixth", "en", "2026-03-06"),
        ("march", "en", REFUSED),
        ("2030", "en", REFUSED),
        ("next week", "en", REFUSED),
        ("next month", "en", REFUSED),
        ("17:30", "en", REFUSED),
        ("in 9999 years", "en", REFUSED),
        ("5 mars", "xx", REFUSED),
        ("5/3/2026", "xx", REFUSED),
        ("march ²", "en", REFUSED),
        ("hello 5 march", "en", REFUSED),
        (20260305, "en", REFUSED),
        (True, "en", REFUSED),
    ],
)
def test_days_are_taken_as_people_say_them(coerce, said, language, stored):
    assert coerce("date", said, language) == stored


@pytest.mark.parametrize(
    ("today", "said", "language", "stored"),
    [
        ("2026-03-02", "the 12th", "en", "2026-03-12"),
        ("2026-03-12", "the 12th", "en", "2026-03-12"),
        ("2026-03-20", "on the 5th", "en", "2026-04-05"),
        ("2026-02-20", "the 31st", "en", "2026-03-31"),
        ("2026-12-30", "the 2nd", "en", "2027-01-02"),
        ("2026-03-02", "el 15", "es", "2026-03-15"),
        ("2026-03-20", "el día 5", "es", "2026-04-05"),
        ("2026-03-02", "in a fortnight", "en", "2026-03-16"),
        ("2026-03-02", "by the end of the month", "en", "2026-03-31"),
        ("2026-03-02", "end of february", "en", "2027-02-28"),
        ("2026-03-02", "the end of march", "en", "2026-03-31"),
        ("2026-03-02", "at the end of next month", "en", "2026-04-30"),
        ("2026-03-02", "the start of next month", "en", "2026-04-01"),
        ("2026-03-02", "a fin de mes", "es", "2026-03-31"),
        ("2026-03-02", "a finales de abril", "es", "2026-04-30"),
        ("2026-03-02", "this weekend", "en", "2026-03-07"),
        ("2026-03-08", "this weekend", "en", "2026-03-08"),
        ("2026-03-02", "next weekend", "en", "2026-03-14"),
        ("2026-03-02", "este fin de semana", "es", "2026-03-07"),
        # Sunday ends a week: what comes next is the day after.
        ("2026-03-08", "next monday", "en", "2026-03-09"),
        ("2026-03-07", "next friday", "en", "2026-03-13"),
        ("2026-03-06", "friday", "en", "2026-03-13"),
        ("2026-03-06", "last friday", "en", "2026-02-27"),
        ("2026-12-31", "tomorrow", "en", "2027-01-01"),
        ("2026-12-31", "1 january", "en", "2027-01-01"),
        ("2026-01-31", "in a month", "en", "2026-02-28"),
        ("2027-12-31", "29 february", "en", "2028-02-29"),
        ("9999-12-31", "tomorrow", "en", REFUSED),
    ],
)
def test_days_count_from_the_day_of_the_conversation(today, said, language, stored):
    env = SlotEnv(datetime.fromisoformat(today), language)
    try:
        found = slot_types()["date"].coerce(said, SlotConfig(type="date"), env)
    except Refusal as refused:
        found = refused.response
    assert found == stored


def test_a_moment_elsewhere_is_the_day_it_is_here():
    here = datetime(2026, 3, 2, 10, tzinfo=timezone(timedelta(hours=2)))
    late = datetime(2026, 3, 5, 23, tzinfo=UTC)
    env = SlotEnv(here, "en")
    assert slot_types()["date"].coerce(late, SlotConfig(type="date"), env) == "2026-03-06"


def test_actions_and_expressions_get_a_date():
    assert slot_types()["date"].revive("2026-03-05") == date(2026, 3, 5)


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", "5 March 2026"),
        ("es", "5 de marzo de 2026"),
        ("fr", "5 mars 2026"),
        ("xx", "5 March 2026"),
    ],
)
def test_it_is_shown_in_the_usual_form(language, shown):
    assert slot_types()["date"].show("2026-03-05", language) == shown


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("this morning", "en", "2026-03-02"),
        ("last night", "en", "2026-03-01"),
        ("tomorrow evening", "en", "2026-03-03"),
        ("friday morning", "en", "2026-03-06"),
        ("last weekend", "en", "2026-02-28"),
        ("esta mañana", "es", "2026-03-02"),
        ("anoche", "es", "2026-03-01"),
        ("mañana por la mañana", "es", "2026-03-03"),
        ("ayer por la tarde", "es", "2026-03-01"),
        ("el lunes por la noche", "es", "2026-03-09"),
    ],
)
def test_a_part_of_the_day_does_not_change_the_day(coerce, said, language, stored):
    assert coerce("date", said, language) == stored


@pytest.mark.parametrize(
    ("said", "language", "day"),
    [
        ("saturday", "en", date(2026, 2, 28)),
        ("monday", "en", date(2026, 2, 23)),
        ("the 25th", "en", date(2026, 2, 25)),
        ("the 2nd", "en", date(2026, 3, 2)),
        ("25 february", "en", date(2026, 2, 25)),
        ("el 5 de marzo", "es", date(2025, 3, 5)),
        ("this weekend", "en", date(2026, 2, 28)),
        ("next friday", "en", date(2026, 3, 13)),
        ("tomorrow", "en", date(2026, 3, 3)),
        ("25 february 2027", "en", date(2027, 2, 25)),
    ],
)
def test_seen_from_afterwards_a_day_is_the_last_of_its_name(said, language, day):
    assert read_day(said, date(2026, 3, 2), language, past=True) == day


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("friday the 6th", "en", "2026-03-06"),
        ("Friday 6th", "en", "2026-03-06"),
        ("el viernes 6", "es", "2026-03-06"),
        ("el martes día 10", "es", "2026-03-10"),
        ("march 6th", "en", "2026-03-06"),
        ("friday the 7th", "en", REFUSED),
    ],
)
def test_a_weekday_may_come_with_its_number(coerce, said, language, stored):
    assert coerce("date", said, language) == stored
