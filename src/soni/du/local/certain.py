"""What no model need be asked about: buttons, and words that mean the same to any assistant."""

from typing import Final

from soni.commands import Command
from soni.du.local.answers.answers import plainly_answered
from soni.du.local.answers.picks import pick_listed_item
from soni.du.local.deeds.denied import find_denied_slot, is_wrong
from soni.du.local.exact import offered, pressed, short_answer
from soni.du.local.limits import STORY
from soni.du.local.view import View
from soni.du.local.words.words import normal
from soni.language import has_language

_FEW: Final = 4
"""Words of who picks an item: "the cheapest one that leaves after ten" says more."""


def certainly(message: str, view: View) -> Command | None:
    """The command of a message that there is no doubt about.

    In a language whose words are not known, only an option that was shown.
    """
    text = normal(message)
    shown = pressed(text, view)
    if shown is not None or not has_language(view.language) or len(message) > STORY:
        return shown
    if plainly_answered(message, view) is not None:
        # What may be the answer to the question, "pass" for a name, is not as plain as that.
        return None
    return (
        (find_denied_slot(message, view) if view.asks_what_to_change else None)
        or offered(text, view)
        or short_answer(message, text, view)
        or (is_wrong(message, view) if view.kind == "confirm" else None)
        or (pick_listed_item(message, view) if len(text.split()) <= _FEW else None)
    )
