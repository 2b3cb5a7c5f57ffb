"""Plain data of a bounded size: what a list or an object may hold."""

import math
from collections.abc import Mapping
from datetime import date, time
from enum import Enum
from typing import Any

MAX_ITEMS = 100
MAX_DEPTH = 8
MAX_NODES = 1_000
MAX_TEXT = 10_000
_LARGEST = 10**18


class TooMuch(ValueError):  # noqa: N818 - says what it found
    """Data that is too large, too deep or not plain."""


def plain_copy(value: Any) -> Any:
    """A copy as plain data, or TooMuch."""
    return _copy_value(value, MAX_DEPTH, [MAX_NODES])


def _copy_value(value: Any, depth: int, left: list[int]) -> Any:
    left[0] -= 1
    if depth < 0 or left[0] < 0:
        raise TooMuch
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, list | tuple):
        if len(value) > MAX_ITEMS:
            raise TooMuch
        return [_copy_value(item, depth - 1, left) for item in value]
    if isinstance(value, Mapping):
        if len(value) > MAX_ITEMS or not all(isinstance(key, str | int) for key in value):
            raise TooMuch
        return {_copy_key(key): _copy_value(item, depth - 1, left) for key, item in value.items()}
    return _scalar(value)


def _copy_key(key: str | int) -> str:
    return str(_scalar(key))


def _scalar(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str) and len(value) <= MAX_TEXT:
        return str(value)
    if isinstance(value, int) and abs(value) <= _LARGEST:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    raise TooMuch
