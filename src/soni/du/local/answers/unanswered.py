"""Words that answer nothing yet: "ok" to "who is it for?", "let me think"."""

from soni.du.local.answers.answers import strip_reassurance
from soni.du.local.values.codes import holds_code
from soni.du.local.view import View
from soni.du.local.words.lexicon import means
from soni.du.local.words.questions import asks_openly


def wants_words(text: str, view: View) -> bool:
    """Whether a yes or no is no answer to what was asked.

    "Great" is one to "how was it?", and none to "who is it for?". To "which size?" neither is, and
    the type of the slot will say so.
    """
    slot = view.asked
    if slot is None or not slot.kind.is_short_text:
        return False
    asked = str((view.context.asked or {}).get("prompt", ""))
    if view.lang.pattern("answer.asks_who").search(asked):
        return True
    openly = asks_openly(asked, view.lang) and not view.lang.pattern("answer.asks_how").match(asked)
    return (openly or holds_code(slot, view.lang)) and text.split()[0] in view.lang.words(
        "answer.no_code"
    )


def is_unsettled(text: str, view: View) -> bool:
    """ "Hm", "let me think": nothing yet. "Maybe", "no problem": neither yes nor no."""
    asked = view.asked
    if view.asks_yes_or_no and strip_reassurance(text, view) == "":
        return True
    if means(text, "pause", view.lang):
        return asked is None or not asked.kind.is_polar
    return asked is None and view.asks_yes_or_no and means(text, "skip", view.lang)
