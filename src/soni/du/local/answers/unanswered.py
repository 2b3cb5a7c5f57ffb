"""Words that answer nothing yet: "ok" to "who is it for?", "let me think"."""

from typing import Final

from soni.du.local.answers.answers import reassured
from soni.du.local.values.codes import holds_code
from soni.du.local.view import View
from soni.du.local.words.lexicon import means
from soni.du.local.words.questions import asks_openly

# These words are no code; "good" may be one.
_PLAIN: Final = frozenset({"yes", "yeah", "yep", "yup", "sure", "no", "nope", "nah", "sí", "si"})


def wants_words(text: str, view: View) -> bool:
    """Whether a yes or no is no answer to what was asked.

    To "which size?" it is none either, and the type of the slot will say so.
    """
    slot = view.asked
    if slot is None or slot.type != "string":
        return False
    asked = str((view.context.asked or {}).get("prompt", ""))
    return asks_openly(asked) or (holds_code(slot) and text.split()[0] in _PLAIN)


def is_unsettled(text: str, view: View) -> bool:
    """ "Hm", "let me think": nothing yet. "Maybe", "no problem": neither yes nor no."""
    language, asked = view.language, view.asked
    if view.asks_yes_or_no and reassured(text, view) == "":
        return True
    if means(text, "pause", language):
        return asked is None or asked.type != "boolean"
    return asked is None and view.asks_yes_or_no and means(text, "skip", language)
