"""A whole number."""

import re
from typing import Any

from soni.slots.base import SlotEnv, SlotLike, SlotType, is_number, refuse

_WRITTEN = re.compile(r"[+-]?\d{1,3}(?:[,. ]\d{3})+|[+-]?\d{1,18}")

# Beyond this, neither JSON clients nor databases keep a number exactly.
LARGEST = 10**18


class IntegerSlot(SlotType):
    """`3`, `"3"`, `3.0`, `"1,000"`; never `3.5`."""

    kind = "integer"

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> int:
        """Take whole numbers, as numbers or as written."""
        if isinstance(value, str) and _WRITTEN.fullmatch(value.strip()):
            value = int(re.sub(r"[,. ]", "", value.strip()))
        if is_number(value) and abs(value) <= LARGEST and value == int(value):
            return int(value)
        raise refuse(self.kind)

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """A whole number, never a boolean."""
        return is_number(stored) and isinstance(stored, int)


SLOT = IntegerSlot()
