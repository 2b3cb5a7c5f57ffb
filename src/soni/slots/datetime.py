"""A day and a time, stored as ISO text, given to actions and expressions as a `datetime`."""

import re
from datetime import datetime
from typing import Any

from soni.core.formats import show_datetime
from soni.slots.base import SlotEnv, SlotLike, SlotType
from soni.slots.parsers.days import convert_to_clock_zone, read_moment
from soni.slots.parsers.words import tidy_text

_ISO = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[+-][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?"
)


class DatetimeSlot(SlotType):
    """`2026-03-02T17:30`, `tomorrow at 5 pm`, `in 2 hours`; in the zone of the clock."""

    kind = "datetime"
    json_type = "string"
    dimension = "moment"
    form_rank = 3

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> str:
        """Take moments, ISO text and how people say them; a day without a time is refused."""
        if isinstance(value, datetime):
            found: datetime | None = convert_to_clock_zone(value, env.now)
        else:
            said = tidy_text(value)
            found = read_moment(said, env.now, env.base_language) if said else None
        return self.require(found).replace(microsecond=0).isoformat()

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """ISO text of a moment."""
        if not isinstance(stored, str) or not _ISO.fullmatch(stored):
            return False
        try:
            datetime.fromisoformat(stored)
        except ValueError:
            return False
        return True

    def revive(self, stored: Any) -> datetime:
        """The `datetime` itself."""
        return datetime.fromisoformat(stored)

    def show(self, stored: Any, language: str) -> str:
        """`2 March 2026, 5:30 pm`, `2 de marzo de 2026, 17:30`."""
        return show_datetime(datetime.fromisoformat(stored), language)


SLOT = DatetimeSlot()
