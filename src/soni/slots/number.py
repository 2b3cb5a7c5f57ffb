"""A number with or without decimals."""

import math
import re
from typing import Any

from soni.slots.base import SlotEnv, SlotLike, SlotType, is_number, refuse
from soni.slots.integer import LARGEST

# Where the comma is the decimal sign, the point groups thousands.
_DECIMAL_COMMA = frozenset({"es", "de", "fr", "it", "pt", "nl"})


class NumberSlot(SlotType):
    """`3`, `2.5`, `"1,000.50"`, in Spanish `"1.000,50"`."""

    kind = "number"

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> int | float:
        """Take finite numbers, as numbers or as the language writes them."""
        if isinstance(value, str):
            value = _written(value.strip(), env.language)
        if not is_number(value) or not math.isfinite(value) or abs(value) > LARGEST:
            raise refuse(self.kind)
        whole: int | float = int(value) if value == int(value) else float(value)
        return whole

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """A finite number, never a boolean."""
        return is_number(stored) and math.isfinite(stored)

    def show(self, stored: Any, language: str) -> str:
        """Without a trailing `.0`, with the language's decimal sign."""
        text = (
            f"{stored:.10f}".rstrip("0").rstrip(".") if isinstance(stored, float) else str(stored)
        )
        return text.replace(".", ",") if language in _DECIMAL_COMMA else text


def _written(text: str, language: str) -> float | None:
    point, group = (",", ".") if language in _DECIMAL_COMMA else (".", ",")
    digits = rf"(?:\d{{1,3}}(?:{re.escape(group)}\d{{3}})+|\d{{1,18}})"
    if re.fullmatch(rf"[+-]?(?:{digits}(?:{re.escape(point)}\d{{1,10}})?)", text):
        return float(text.replace(group, "").replace(point, "."))
    # Most people type the point whatever their language.
    return float(text) if re.fullmatch(r"[+-]?\d{1,18}\.\d{1,10}", text) else None


SLOT = NumberSlot()
