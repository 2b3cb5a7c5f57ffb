"""Plain data: texts, numbers, true and false, null, lists and mappings, of a bounded size."""

import math
from collections.abc import Callable, Mapping
from datetime import date, time, timedelta
from enum import Enum
from typing import Any, Final

from soni.core.errors import Refusal
from soni.slots.parsers.spans import format_iso_span

MAX_DEPTH: Final = 50
"""How deep lists and mappings may be nested."""

MAX_DIGITS: Final = 1000
"""How long an integer may be."""

MAX_CHARS: Final = 1_000_000
"""How much a value may hold where no setting says less."""

_SCALARS: Final = (bool, int, float, str)
_MAX_BITS: Final = int(MAX_DIGITS * math.log2(10))


def make_plain(value: Any, max_chars: int = MAX_CHARS) -> Any:
    """A value as plain data, or `Refusal`: what an expression or an action gave may be richer."""
    return _Copy(max_chars).convert(value, 0)


def find_excess(value: Any) -> str | None:
    """Why a value is too deep or too large; None if it is neither, whatever else it holds."""
    try:
        _Copy(MAX_CHARS, _pass_scalar).convert(value, 0)
    except Refusal as refused:
        return str(refused)
    return None


class _Copy:
    """Counts what was copied: a value that holds itself, or one part many times, has no end."""

    def __init__(self, max_chars: int, convert_scalar: Callable[[Any], Any] | None = None) -> None:
        self._max_chars = max_chars
        self._convert_scalar = convert_scalar or _convert_scalar
        self._chars = 0

    def convert(self, value: Any, depth: int) -> Any:
        if isinstance(value, Enum):
            return self.convert(value.value, depth)
        if isinstance(value, list | tuple | Mapping):
            return self._convert_items(value, depth + 1)
        scalar = self._convert_scalar(value)
        self._count(len(scalar) if isinstance(scalar, str) else 1)
        return scalar

    def _convert_items(self, value: Any, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise Refusal(text=f"lists and mappings are nested more than {MAX_DEPTH} deep")
        self._count(1)
        if not isinstance(value, Mapping):
            return [self.convert(item, depth) for item in value]
        plain = {}
        for key, item in value.items():
            name = make_encodable(str(key))
            self._count(len(name))
            plain[name] = self.convert(item, depth)
        return plain

    def _count(self, chars: int) -> None:
        self._chars += chars
        if self._chars > self._max_chars:
            raise Refusal(text=f"it is larger than {self._max_chars:,} characters")


def make_encodable(text: str) -> str:
    """The text with `?` for lone surrogates, which no encoding has."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def _convert_scalar(value: Any) -> Any:
    if isinstance(value, str) and not isinstance(value, Enum):
        return make_encodable(str(value))
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return format_iso_span(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise Refusal(text=f"{value} cannot be stored in a slot")
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        raise Refusal(text=f"an integer of more than {MAX_DIGITS} digits cannot be stored")
    for kind in _SCALARS:
        if isinstance(value, kind):
            # A library's own kind of number or text could not be stored.
            return kind(value)
    if value is None:
        return value
    raise Refusal(text=f"a {type(value).__name__} cannot be stored in a slot")


def _pass_scalar(value: Any) -> Any:
    return _convert_scalar(value) if isinstance(value, int) else value


def make_recordable(value: Any) -> Any:
    """Plain data for a record; other objects, which an action may still get, become text."""
    if isinstance(value, Mapping):
        return {str(key): make_recordable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [make_recordable(item) for item in value]
    if isinstance(value, Enum):
        return make_recordable(value.value)
    try:
        return _convert_scalar(value)
    except Refusal as refused:
        return str(refused) if isinstance(value, int) else str(value)
