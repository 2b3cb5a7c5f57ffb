"""Yes or no."""

from typing import Any

from soni.core.formats import show_boolean
from soni.slots.base import SlotEnv, SlotLike, SlotType, refuse
from soni.slots.parsers.words import tidy_text


class BooleanSlot(SlotType):
    """`true`, `false`, and the words for yes and no."""

    kind = "boolean"
    json_type = "boolean"
    has_form = False
    is_polar = True

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> bool:
        """Take booleans and the language's words for them."""
        if isinstance(value, bool):
            return value
        word = tidy_text(value)
        if word in env.lang.words("boolean.yes"):
            return True
        if word in env.lang.words("boolean.no"):
            return False
        raise refuse(self.kind)

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """A boolean."""
        return isinstance(stored, bool)

    def show(self, stored: Any, language: str) -> str:
        """`yes` or `no`."""
        return show_boolean(stored, language)


SLOT = BooleanSlot()
