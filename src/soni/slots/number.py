"""A number with or without decimals."""

from typing import Any

from soni.core.formats import show_digits
from soni.slots.base import SlotEnv, SlotLike, SlotType, is_number, refuse
from soni.slots.reading.numbers import small, spelled, written
from soni.slots.reading.words import tidied


class NumberSlot(SlotType):
    """`3`, `2.5`, `"1,000.50"`, in Spanish `"1.000,50"`, `two`."""

    kind = "number"

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> int | float:
        """Take finite numbers, as numbers, as the language writes them or as spelled out."""
        if said := tidied(value):
            value = written(said, env.base_language)
            if value is None:
                value = spelled(said, env.base_language)
        found = small(value)
        if found is None:
            raise refuse(self.kind)
        return found

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """A finite number, never a boolean."""
        return is_number(stored) and small(stored) is not None

    def show(self, stored: Any, language: str) -> str:
        """Without a trailing `.0`, with the language's decimal sign."""
        return show_digits(stored, language)


SLOT = NumberSlot()
