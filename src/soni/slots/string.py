"""A short text, kept exactly as it was said."""

from typing import Any

from soni.slots.base import SlotEnv, SlotLike, SlotType, is_number, refuse


class StringSlot(SlotType):
    """Text on one line; surrounding space is not part of it."""

    kind = "string"

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> str:
        """Take text, and numbers as the text they were written as."""
        if is_number(value):
            return str(value)
        if not isinstance(value, str):
            raise refuse(self.kind)
        return value.strip()


SLOT = StringSlot()
