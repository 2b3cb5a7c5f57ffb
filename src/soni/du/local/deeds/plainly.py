"""What a whole message says without sentence models, where its words leave no doubt."""

from soni.commands import AffirmConfirmation, Command, DenyConfirmation, SetSlot
from soni.du.local.deeds.changes import changes
from soni.du.local.lexical.acts import act, asks_why
from soni.du.local.lexical.answers import find_plain_answer
from soni.du.local.lexical.assent import agrees
from soni.du.local.view import View
from soni.du.local.words.questions import is_question


def plainly(message: str, view: View) -> Command | None:
    """The one command of a message; None if a model reads it, or it is not as plain as that."""
    if view.lang.has_models:
        return None
    # What is asked as free text may have any words.
    if view.asked is not None and view.asked.kind.takes_message:
        return act(message, view)
    new = changes(message, view)
    if len(new) == 1:
        return new[0]
    return (
        _answer_yes_or_no(message, view)
        or act(message, view)
        or asks_why(message, view.lang)
        or find_plain_answer(message, view)
    )


def _answer_yes_or_no(message: str, view: View) -> Command | None:
    """A yes or no to what was asked."""
    is_flag = view.asked is not None and view.asked.kind.is_polar
    yes = agrees(message, view.lang) if is_flag or view.kind == "confirm" else None
    if yes is None or is_question(message, view.lang, answering=True):
        return None
    if view.asked is not None:
        return SetSlot(slot_name=view.asked.name, value=yes) if is_flag else None
    return AffirmConfirmation() if yes else DenyConfirmation()
