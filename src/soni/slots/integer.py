"""A whole number."""

import re
from typing import Any

from soni.slots.base import SlotEnv, SlotLike, SlotType, refuse
from soni.slots.parsers.numbers import normalise_number, parse_scaled, parse_words
from soni.slots.parsers.words import tidy_text

_WRITTEN = re.compile(r"[+-]?\d{1,3}(?:[,. ]\d{3})+|[+-]?\d{1,18}")


class IntegerSlot(SlotType):
    """`3`, `"3"`, `3.0`, `"1,000"`, `15k`, `three`; never `3.5`."""

    kind = "integer"
    json_type = "integer"
    dimension = "count"
    form_rank = 8

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> int:
        """Take whole numbers, as numbers, as written or as spelled out."""
        said = tidy_text(value)
        if said and _WRITTEN.fullmatch(said):
            value = int(re.sub(r"[,. ]", "", said))
        elif said:
            value = parse_scaled(said, env.base_language)
            if value is None:
                value = parse_words(said, env.base_language)
        found = normalise_number(value)
        if isinstance(found, int):
            return found
        raise refuse(self.kind)

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """A whole number, never a boolean."""
        return isinstance(stored, int) and normalise_number(stored) is not None


SLOT = IntegerSlot()
