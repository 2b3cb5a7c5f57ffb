"""How tests write times, durations, commands and calls. Each reader raises `ValueError`."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_DURATION: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)\s*([smhd])")


def read_duration(text: str) -> timedelta:
    """`45s`, `31m`, `2h`, `1.5d`."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"'{text}' is not a duration")
    return timedelta(**{_UNITS[match[2]]: float(match[1])})


def read_moment(text: str) -> datetime:
    """An ISO date and time; without a zone it is UTC, so that a test means the same anywhere."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def read_named(entry: Any) -> tuple[str, dict[str, Any] | None]:
    """`Name`, or `{Name: {field: value}}`; None where no fields are written."""
    if isinstance(entry, str):
        return entry, None
    if not isinstance(entry, Mapping) or len(entry) != 1:
        raise ValueError("expected a name, or a name with its fields under it")
    name, fields = next(iter(entry.items()))
    if fields is None:
        return name, {}
    if not isinstance(fields, Mapping):
        raise ValueError(f"expected the fields of {name} as a mapping")
    return name, dict(fields)
