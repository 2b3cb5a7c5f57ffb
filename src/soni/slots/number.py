"""A number with or without decimals."""

from typing import Any

from soni.core.formats import show_digits
from soni.slots.base import SlotEnv, SlotLike, SlotType, is_plain_number
from soni.slots.parsers.numbers import (
    normalise_number,
    parse_digits,
    parse_scaled,
    parse_share,
    parse_words,
)
from soni.slots.parsers.words import tidy_text


class NumberSlot(SlotType):
    """`3`, `2.5`, `"1,000.50"`, in Spanish `"1.000,50"`, `two`, `two and a half`."""

    kind = "number"
    json_type = "number"
    dimension = "number"
    form_rank = 9

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> int | float:
        """Take finite numbers, as numbers, as the language writes them or as spelled out."""
        if said := tidy_text(value):
            readers = (parse_digits, parse_scaled, parse_words, parse_share)
            read = (reader(said, env.base_language) for reader in readers)
            value = next((one for one in read if one is not None), None)
        return self.require(normalise_number(value))

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """A finite number, never a boolean."""
        return is_plain_number(stored) and normalise_number(stored) is not None

    def show(self, stored: Any, language: str) -> str:
        """Without a trailing `.0`, with the language's decimal sign."""
        return show_digits(stored, language)


SLOT = NumberSlot()
