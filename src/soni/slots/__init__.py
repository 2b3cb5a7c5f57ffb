"""Slot types, one file each. The file's name is the type's name."""

from functools import lru_cache

from soni.core.discovery import offers_of
from soni.slots.base import SlotEnv, SlotLike, SlotType

__all__ = ["SlotEnv", "SlotLike", "SlotType", "slot_types"]


@lru_cache(maxsize=1)
def slot_types() -> dict[str, SlotType]:
    """All slot types by name: those of this folder and those of plugins (`soni.slots`)."""
    return {kind.kind: kind for kind in offers_of(__name__, "SLOT", "soni.slots")}
