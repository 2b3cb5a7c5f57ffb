"""A value in the form of a question: "is Thursday possible?" where a day was asked for."""

from soni.commands import Command, SetSlot
from soni.du.local.answers.answers import find_answer
from soni.du.local.view import View
from soni.du.local.words.questions import proposes


def find_proposed_value(message: str, view: View) -> Command | None:
    """The value; whether it is possible, the assistant says when it checks it."""
    slot = view.asked
    if slot is None or not slot.kind.has_form or not proposes(message, view.lang):
        return None
    value = find_answer(message, slot, view)
    return None if value is None else SetSlot(slot_name=slot.name, value=value)
