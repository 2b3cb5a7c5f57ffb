"""What stands apart from a value that takes another's place: "Thursday, not Friday, and 5 pm"."""

import re
from collections.abc import Sequence
from typing import Final

from soni.commands import Command, SetSlot
from soni.du.local.answers.answers import answered
from soni.du.local.deeds.changes import by_kind
from soni.du.local.view import View
from soni.du.local.words.words import normal

_CLAUSES: Final = re.compile(r"[,;.!]\s+|\b(?:and|but|oh)\b", re.IGNORECASE)
_INSTEAD: Final = re.compile(r"\b(?:not|no|instead|rather than|never)\b", re.IGNORECASE)


def said_apart(text: str, new: Sequence[Command], view: View) -> tuple[Command, ...]:
    """The answer to what was asked, or another change."""
    said = {w for one in new for w in normal(str(getattr(one, "new_value", ""))).split()}
    parts = (part.strip() for part in _CLAUSES.split(text) if not _INSTEAD.search(part))
    rest = [part for part in parts if not said & set(normal(part).split())]
    slot = view.asked
    if slot is None:
        return tuple(one for part in rest for one in by_kind(part, view))
    values = (answered(part, slot, view) for part in rest if not slot.kind.is_short_text)
    value = next((one for one in values if one is not None), None)
    return (SetSlot(slot_name=slot.name, value=value),) if value is not None else ()
