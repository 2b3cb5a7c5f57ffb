"""One of a list of values, each with its synonyms."""

from typing import Any

from soni.slots.base import SlotEnv, SlotLike, SlotType, refuse, text_of

# Longer texts are never a value, so they are not compared.
_MAX_LENGTH = 1_000


class ChoiceSlot(SlotType):
    """Stored as the value the author wrote, however the user spelled it."""

    kind = "choice"
    json_type = "string"
    has_values = True

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> str:
        """Take a value or one of its synonyms, in any case."""
        text = text_of(value) or ""
        said = text.casefold() if len(text) <= _MAX_LENGTH else ""
        for name, synonyms in slot.values.items():
            if said in (name.casefold(), *(synonym.casefold() for synonym in synonyms)):
                return name
        raise refuse(self.kind, values=", ".join(slot.values))

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """One of the values."""
        return isinstance(stored, str) and stored in slot.values


SLOT = ChoiceSlot()
