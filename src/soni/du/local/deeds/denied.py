"""Which slot is not right, without a new value for it: "the date is wrong", "no, the recipient"."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from soni.commands import Command, DenyConfirmation
from soni.du.context import SlotBrief
from soni.du.local.view import View
from soni.du.local.words.mentions import find_named_slot
from soni.du.local.words.words import normal

# A slot is called by a word or two; what is longer says something else.
_NAME_WORDS: Final = 3


def is_wrong(message: str, view: View) -> Command | None:
    """The slot that a message says is not right."""
    return _match_denial(message, view.lang.patterns("fault.wrong"), view)


def find_denied_slot(message: str, view: View) -> Command | None:
    """The same, or the slot that it only names where something must be wrong."""
    patterns = (*view.lang.patterns("fault.wrong"), view.lang.pattern("fault.named"))
    return _match_denial(message, patterns, view)


def _match_denial(message: str, patterns: Iterable[re.Pattern[str]], view: View) -> Command | None:
    for pattern in patterns:
        match = pattern.fullmatch(" ".join(message.split()))
        said = normal(match["slot"]) if match else ""
        few = len(said.split()) <= _NAME_WORDS and said not in view.lang.words("fault.anything")
        slot = find_slot_by_name(match["slot"], view.filled, view) if match and few else None
        if slot is not None and slot.flow == view.context.current_flow:
            return DenyConfirmation(slot_to_change=slot.name)
    return None


def find_slot_by_name(text: str, slots: Sequence[SlotBrief], view: View) -> SlotBrief | None:
    """The slot by its name, or by one in another language."""
    slot = find_named_slot(text, slots, view.lang)
    if slot is None and not view.has_models:
        return find_named_slot(text, slots, view.lang)
    return slot
