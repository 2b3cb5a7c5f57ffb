"""What something is to be called: "please call it Kitchen", "name him Rex"."""

from collections.abc import Sequence
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import normalise, speak_name
from soni.language import Language

# What is longer tells a story.
_MAX_CALLED_WORDS: Final = 5


def find_called_names(message: str, slots: Sequence[SlotBrief], lang: Language) -> dict[str, str]:
    """The name in a message, where one slot is for the name of something."""
    names = [slot for slot in slots if slot.kind.is_short_text and _holds_called_name(slot, lang)]
    found = lang.pattern("naming.called").search(message)
    if found is None or len(names) != 1 or len(found["name"].split()) > _MAX_CALLED_WORDS:
        return {}
    return {names[0].name: found["name"]}


def _holds_called_name(slot: SlotBrief, lang: Language) -> bool:
    told = f"{speak_name(slot.name)} {normalise(slot.description)}"
    return lang.pattern("naming.slot", cased=True).search(told) is not None
