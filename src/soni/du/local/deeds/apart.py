"""What stands apart from a value that takes another's place: "Thursday, not Friday, and 5 pm"."""

from collections.abc import Sequence

from soni.commands import Command, SetSlot
from soni.du.local.answers.answers import find_answer
from soni.du.local.deeds.changes import by_kind
from soni.du.local.view import View
from soni.du.local.words.words import normal


def find_separate_answer(text: str, new: Sequence[Command], view: View) -> tuple[Command, ...]:
    """The answer to what was asked, or another change."""
    said = {w for one in new for w in normal(str(getattr(one, "new_value", ""))).split()}
    clauses = view.lang.pattern("correction.clause").split(text)
    replacing = view.lang.pattern("correction.replacing")
    parts = (part.strip() for part in clauses if not replacing.search(part))
    rest = [part for part in parts if not said & set(normal(part).split())]
    slot = view.asked
    if slot is None:
        return tuple(one for part in rest for one in by_kind(part, view))
    values = (find_answer(part, slot, view) for part in rest if not slot.kind.is_short_text)
    value = next((one for one in values if one is not None), None)
    return (SetSlot(slot_name=slot.name, value=value),) if value is not None else ()
