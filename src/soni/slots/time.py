"""A time of day, stored as ISO text, given to actions and expressions as a `time`."""

import re
from datetime import datetime, time
from typing import Any

from soni.core.formats import show_time
from soni.slots.base import SlotEnv, SlotLike, SlotType
from soni.slots.parsers.clock import read_clock
from soni.slots.parsers.days import convert_to_clock_zone, read_time_offset
from soni.slots.parsers.words import tidy_text

_ISO = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]")


class TimeSlot(SlotType):
    """`17:30`, `5 pm`, `half past five in the afternoon`, `a las 5 de la tarde`."""

    kind = "time"
    json_type = "string"
    dimension = "time"
    form_rank = 5

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> str:
        """Take times, ISO text and how people say them; an hour that may be two is refused."""
        if isinstance(value, datetime):
            value = convert_to_clock_zone(value, env.now).time()
        found = self.require(value if isinstance(value, time) else _parse_time(value, env))
        return found.replace(microsecond=0, tzinfo=None).isoformat()

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """ISO text of a time."""
        return isinstance(stored, str) and _ISO.fullmatch(stored) is not None

    def revive(self, stored: Any) -> time:
        """The `time` itself."""
        return time.fromisoformat(stored)

    def show(self, stored: Any, language: str) -> str:
        """`5:30 pm`, `17:30`."""
        return show_time(time.fromisoformat(stored), language)


def _parse_time(value: Any, env: SlotEnv) -> time | None:
    said = tidy_text(value)
    if not said:
        return None
    away = read_time_offset(said, env.base_language)
    if away is not None:
        # Only the time of day is wanted, so the day may be any that has one after it.
        return (datetime.combine(datetime(2000, 1, 1), env.now.time()) + away).time()
    return read_clock(said, env.base_language)


SLOT = TimeSlot()
