"""Slot types, one file each. The file's name is the type's name."""

from collections.abc import Mapping
from functools import lru_cache

from soni.core.discovery import find_offers
from soni.core.texts import Text, built_in_responses
from soni.slots.base import Dimension, SlotEnv, SlotLike, SlotType

__all__ = ["Dimension", "SlotEnv", "SlotLike", "SlotType", "collect_responses", "slot_types"]


@lru_cache(maxsize=1)
def slot_types() -> dict[str, SlotType]:
    """All slot types by name: those of this folder and those of plugins (`soni.slots`)."""
    what = "an instance of a SlotType that has a `kind`"
    offers = find_offers(__name__, "SLOT", "soni.slots", _is_slot_type, what)
    return {kind.kind: kind for _, kind in offers}


def _is_slot_type(offer: object) -> bool:
    return isinstance(offer, SlotType) and isinstance(getattr(offer, "kind", None), str)


@lru_cache(maxsize=1)
def collect_responses() -> Mapping[str, Text]:
    """All built-in responses: Soni's own, and those of slot types."""
    own = dict(built_in_responses())
    for kind in slot_types().values():
        own.update(kind.responses)
    return own
