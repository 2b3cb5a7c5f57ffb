"""A phone number, stored as E.164: `+34600123456`."""

import re
from typing import Any

from soni.core.formats import find_home_region
from soni.slots.base import SlotEnv, SlotLike, SlotType, refuse, text_of

_WRITTEN = re.compile(r"\+?[\d\s().\-/]{3,40}")
_E164 = re.compile(r"\+[1-9][0-9]{2,14}")


class PhoneSlot(SlotType):
    """With a country code, or as written in the language's own country."""

    kind = "phone"
    json_type = "string"
    dimension = "phone"
    form_rank = 2

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> str:
        """Take numbers that may exist by their country's rules."""
        from phonenumbers import (
            NumberParseException,
            PhoneNumberFormat,
            format_number,
            is_valid_number,
            parse,
        )

        text = text_of(value)
        if text is None or not _WRITTEN.fullmatch(text):
            raise refuse(self.kind)
        try:
            number = parse(text, find_home_region(env.language))
        except NumberParseException:
            raise refuse(self.kind) from None
        if not is_valid_number(number):
            raise refuse(self.kind)
        return format_number(number, PhoneNumberFormat.E164)

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """A number as E.164 writes it."""
        return isinstance(stored, str) and _E164.fullmatch(stored) is not None

    def show(self, stored: Any, language: str) -> str:
        """`+34 600 12 34 56`."""
        from phonenumbers import NumberParseException, PhoneNumberFormat, format_number, parse

        try:
            return format_number(parse(stored), PhoneNumberFormat.INTERNATIONAL)
        except NumberParseException:
            # A normalizer's own number, of a country that does not exist.
            return str(stored)


SLOT = PhoneSlot()
