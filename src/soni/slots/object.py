"""Named values, stored as an object of plain data."""

from collections.abc import Mapping
from typing import Any

from soni.core.formats import show_plain
from soni.slots.base import OversizedData, SlotEnv, SlotLike, SlotType, copy_plain, is_plain, refuse


class ObjectSlot(SlotType):
    """What an action or an API hands over; nobody says an object."""

    kind = "object"
    json_type = "object"
    has_form = False
    is_structured = True

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> dict[str, Any]:
        """Take mappings of plain data, bounded in size and depth."""
        if not isinstance(value, Mapping):
            raise refuse(self.kind)
        try:
            return dict(copy_plain(value))
        except OversizedData:
            raise refuse(self.kind) from None

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """An object of plain data."""
        return isinstance(stored, dict) and is_plain(stored)

    def revive(self, stored: Any) -> dict[str, Any]:
        """An object of its own, so that an action cannot change what is stored."""
        return dict(copy_plain(stored))

    def show(self, stored: Any, language: str) -> str:
        """`city: Madrid, nights: 3`."""
        return show_plain(stored, language)


SLOT = ObjectSlot()
