"""What people say for a slot of each type: values it takes, values it refuses, and secrets."""

from __future__ import annotations

from datetime import date
from typing import Any

from soni.config.models import SlotConfig

CHOICES = {"small": ("little", "S"), "large": ("big",)}

# 0, "" and false are values; names in braces must never be read as templates.
_TAKEN: dict[str, tuple[Any, ...]] = {
    "string": ("Ann", "", "0", "Zoë {pin}", "small", 12, "yes"),
    "integer": (1, 0, 60, "7", -3, "1,000"),
    "number": (2.5, 0, "3.5", 99, -1),
    "boolean": (True, False, "yes", "no"),
    "choice": ("small", "large", "BIG", "little"),
    "date": ("2026-03-02", "2026-04-01", "tomorrow", date(2025, 12, 31), "friday"),
}
_REFUSED: dict[str, tuple[Any, ...]] = {
    "string": (None, True, ["x"], {"type": "SetSlot"}),
    "integer": ("many", 2.5, None, True, 10**30, float("inf"), float("nan"), "9" * 300),
    "number": ("a lot", float("nan"), None, False, [1], "1e999"),
    "boolean": ("maybe", 1, None, ""),
    "choice": ("huge", None, 3, ["small"], "small\x00"),
    "date": ("2026-13-45", 5, None, "soon", "0000-00-00", "\ud800"),
}

# Told only to sensitive slots, and like nothing else that is ever said.
_SECRETS: dict[str, tuple[Any, ...]] = {
    "string": ("hush-kestrel", "hush-lynx"),
    "integer": (73119001, "73119002"),
    "number": (7311.9003, "7311.9004"),
    "date": ("1987-06-05", "1986-07-04"),
}
_REFUSED_SECRETS: tuple[Any, ...] = ("hush-otter", {"deep": ["hush-wren"]}, None)

TRACES_OF_SECRETS = (
    "hush-", "73119001", "73119002", "73,119", "7311.9", "7311,9",
    "1987-06-05", "5 June 1987", "5 de junio", "1986-07-04", "4 July 1986", "4 de julio",
)  # fmt: skip


def taken(slot: SlotConfig, pick: int) -> Any:
    """A value that the slot's type takes; a constraint may still refuse it."""
    pool = _SECRETS.get(slot.type, _TAKEN[slot.type]) if slot.sensitive else _TAKEN[slot.type]
    return pool[pick % len(pool)]


def refused(slot: SlotConfig, pick: int) -> Any:
    """A value that the slot's type refuses."""
    hidden = slot.sensitive and slot.type in _SECRETS
    pool = _REFUSED_SECRETS if hidden and slot.type != "string" else _REFUSED[slot.type]
    return pool[pick % len(pool)]
