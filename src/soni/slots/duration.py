"""A span of time, stored as ISO text, given to actions and expressions as a `timedelta`."""

from datetime import timedelta
from typing import Any

from soni.core.formats import show_duration
from soni.slots.base import SlotEnv, SlotLike, SlotType
from soni.slots.parsers.spans import format_iso_span, make_span, read_iso_span, read_span
from soni.slots.parsers.words import tidy_text


class DurationSlot(SlotType):
    """`2 hours`, `1h 30m`, `hora y media`, `PT1H30M`; to the second, at most a century."""

    kind = "duration"
    json_type = "string"
    dimension = "duration"
    form_rank = 6

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> str:
        """Take spans, ISO text and how people say them; a bare number has no unit."""
        if isinstance(value, timedelta):
            found = make_span(value.total_seconds())
        else:
            said = tidy_text(value)
            found = read_span(said, env.base_language) if said else None
        return format_iso_span(self.require(found))

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """ISO text of a span, as it is stored."""
        span = read_iso_span(stored.lower()) if isinstance(stored, str) else None
        return span is not None and format_iso_span(span) == stored

    def revive(self, stored: Any) -> timedelta:
        """The `timedelta` itself."""
        return read_iso_span(stored.lower()) or timedelta()

    def show(self, stored: Any, language: str) -> str:
        """`1 hour and 30 minutes`, `1 hora y 30 minutos`."""
        return show_duration(self.revive(stored), language)


SLOT = DurationSlot()
