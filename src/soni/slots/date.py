"""A day, stored as ISO text, given to actions and expressions as a `date`."""

import re
from datetime import date, datetime
from typing import Any

from soni.core.formats import show_date
from soni.slots.base import SlotEnv, SlotLike, SlotType
from soni.slots.parsers.clock import split_clock
from soni.slots.parsers.days import convert_to_clock_zone, read_day
from soni.slots.parsers.words import tidy_text


class DateSlot(SlotType):
    """`2026-03-02`, `2 March`, `tomorrow`, `next friday`, by the conversation's clock."""

    kind = "date"
    json_type = "string"
    dimension = "day"
    form_rank = 4

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> str:
        """Take dates, ISO text and how people say days."""
        if isinstance(value, datetime):
            return convert_to_clock_zone(value, env.now).date().isoformat()
        if isinstance(value, date):
            return value.isoformat()
        said = tidy_text(value)
        found = _parse_date(said, env) if said else None
        return self.require(found).isoformat()

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """ISO text of a day."""
        if not isinstance(stored, str) or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", stored):
            return False
        try:
            date.fromisoformat(stored)
        except ValueError:
            return False
        return True

    def revive(self, stored: Any) -> date:
        """The `date` itself."""
        return date.fromisoformat(stored)

    def show(self, stored: Any, language: str) -> str:
        """`2 March 2026`, `2 de marzo de 2026`."""
        return show_date(date.fromisoformat(stored), language)


def _parse_date(text: str, env: SlotEnv) -> date | None:
    found = read_day(text, env.now.date(), env.base_language)
    if found is None:
        # "tomorrow at 5 pm" says a day, and more than was asked.
        rest, clock = split_clock(text, env.base_language)
        found = read_day(rest, env.now.date(), env.base_language) if clock else None
    return found


SLOT = DateSlot()
