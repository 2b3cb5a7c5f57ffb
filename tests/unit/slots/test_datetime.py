"""datetime: a day and a time. These tests run on Monday, 2 March 2026, at 10:00."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from soni.config.slot import SlotConfig
from soni.core.errors import Refusal
from soni.slots import SlotEnv, slot_types

REFUSED = "invalid_datetime"


@pytest.mark.parametrize(
    ("said", "language", "stored"),
    [
        ("2026-03-05T10:00", "en", "2026-03-05T10:00:00"),
        ("2026-03-05 10:00:15", "en", "2026-03-05T10:00:15"),
        ("tomorrow at 5pm", "en", "2026-03-03T17:00:00"),
        ("5pm tomorrow", "en", "2026-03-03T17:00:00"),
        ("friday 17:30", "en", "2026-03-06T17:30:00"),
        ("next tuesday at 3:30 pm", "en", "2026-03-10T15:30:00"),
        ("march 5 10:30", "en", "2026-03-05T10:30:00"),
        ("tomorrow morning at 10", "en", "2026-03-03T10:00:00"),
        ("friday night at 9", "en", "2026-03-06T21:00:00"),
        ("tonight at 8", "en", "2026-03-02T20:00:00"),
        ("this afternoon at 4", "en", "2026-03-02T16:00:00"),
        ("tomorrow at noon", "en", "2026-03-03T12:00:00"),
        ("12/31/2026 5pm", "en", "2026-12-31T17:00:00"),
        # A time alone is the next one to come.
        ("at 17:30", "en", "2026-03-02T17:30:00"),
        ("at 9:00", "en", "2026-03-03T09:00:00"),
        ("in 2 hours", "en", "2026-03-02T12:00:00"),
        ("2 hours ago", "en", "2026-03-02T08:00:00"),
        ("now", "en", "2026-03-02T10:00:00"),
        ("mañana a las 5 de la tarde", "es", "2026-03-03T17:00:00"),
        ("mañana por la mañana a las 10", "es", "2026-03-03T10:00:00"),
        ("pasado mañana a las ocho de la noche", "es", "2026-03-04T20:00:00"),
        ("el 5 de marzo a las 17:30", "es", "2026-03-05T17:30:00"),
        ("esta noche a las 9", "es", "2026-03-02T21:00:00"),
        ("mañana al mediodía", "es", "2026-03-03T12:00:00"),
        ("dentro de dos horas", "es", "2026-03-02T12:00:00"),
        ("hace 10 minutos", "es", "2026-03-02T09:50:00"),
        (datetime(2026, 3, 5, 10, 0, 0, 5), "en", "2026-03-05T10:00:00"),
        # A day without a time, an hour that may be two, a time without sense.
        ("tomorrow", "en", REFUSED),
        ("friday at 5", "en", REFUSED),
        ("tomorrow at 25:00", "en", REFUSED),
        ("someday at 17:30", "en", REFUSED),
        ("2026-02-30T10:00", "en", REFUSED),
        ("", "en", REFUSED),
        (5, "en", REFUSED),
    ],
)
def test_moments_are_taken_as_people_say_them(coerce, said, language, stored):
    assert coerce("datetime", said, language) == stored


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("tomorrow at 17:30", "2026-03-03T17:30:00+02:00"),
        ("2026-03-05T10:00", "2026-03-05T10:00:00+02:00"),
        ("2026-03-05T10:00Z", "2026-03-05T12:00:00+02:00"),
        (datetime(2026, 3, 5, 10, tzinfo=UTC), "2026-03-05T12:00:00+02:00"),
        (datetime(2026, 3, 5, 10), "2026-03-05T10:00:00+02:00"),
    ],
)
def test_a_moment_is_stored_in_the_zone_of_the_clock(said, stored):
    here = datetime(2026, 3, 2, 10, tzinfo=timezone(timedelta(hours=2)))
    kind, slot = slot_types()["datetime"], SlotConfig(type="datetime")
    assert kind.coerce(said, slot, SlotEnv(here, "en")) == stored


@pytest.mark.parametrize("edge", [datetime.min, datetime.max])
def test_a_moment_at_the_end_of_time_stays_where_it_is(edge):
    here = datetime(2026, 3, 2, tzinfo=timezone(timedelta(hours=2 if edge.year > 1 else -2)))
    kind, slot = slot_types()["datetime"], SlotConfig(type="datetime")
    moment = edge.replace(tzinfo=UTC, microsecond=0)
    assert kind.coerce(moment, slot, SlotEnv(here, "en")) == moment.isoformat()


def test_a_moment_after_the_end_of_time_is_refused():
    kind, slot = slot_types()["datetime"], SlotConfig(type="datetime")
    with pytest.raises(Refusal):
        kind.coerce("in 2 days", slot, SlotEnv(datetime.max, "en"))


def test_actions_and_expressions_get_a_datetime():
    moment = datetime(2026, 3, 5, 17, 30, tzinfo=UTC)
    assert slot_types()["datetime"].revive("2026-03-05T17:30:00+00:00") == moment


@pytest.mark.parametrize(
    ("language", "shown"), [("en", "5 March 2026, 5:30 pm"), ("es", "5 de marzo de 2026, 17:30")]
)
def test_it_is_shown_in_the_usual_form(language, shown):
    assert slot_types()["datetime"].show("2026-03-05T17:30:00+00:00", language) == shown
