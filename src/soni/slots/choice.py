"""One of a list of values, each with its synonyms."""

from typing import Any

from soni.slots.base import SlotEnv, SlotLike, SlotType, is_number, refuse


class ChoiceSlot(SlotType):
    """Stored as the value the author wrote, however the user spelled it."""

    kind = "choice"

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> str:
        """Take a value or one of its synonyms, in any case."""
        said = str(value).strip().casefold() if isinstance(value, str) or is_number(value) else ""
        for name, synonyms in slot.values.items():
            if said in (name.casefold(), *(synonym.casefold() for synonym in synonyms)):
                return name
        raise refuse(self.kind, values=", ".join(slot.values))

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """One of the values."""
        return stored in slot.values


SLOT = ChoiceSlot()
