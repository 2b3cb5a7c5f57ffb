"""A short text, kept exactly as it was said."""

from typing import Any, ClassVar

from soni.core.errors import Refusal
from soni.slots.base import SlotEnv, SlotLike, SlotType, text_of


class StringSlot(SlotType):
    """A name, a code, a few words; surrounding space is not part of it."""

    kind = "string"
    json_type = "string"
    has_form = False
    is_free_text = True
    longest: ClassVar[int] = 1_000

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> str:
        """Take text, and numbers as the text they were written as."""
        text = self.require(text_of(value))
        if len(text) > self.longest:
            raise Refusal("value_too_long", values={"limit": str(self.longest)})
        return text

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """A text that is not too long."""
        return isinstance(stored, str) and len(stored) <= self.longest


SLOT = StringSlot()
