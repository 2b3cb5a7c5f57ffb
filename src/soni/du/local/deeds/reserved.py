"""A yes that is none: "not yes", "sure, once I say so", "ok, cancel", "yes, let me check"."""

import re
from typing import Final

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    Clarify,
    CorrectSlot,
    HumanHandoff,
    ResumeFlow,
    SetSlot,
    StartFlow,
)
from soni.core.prompts import YES_NO_KINDS
from soni.du.local.read import UNCLEAR, Read
from soni.du.local.view import View
from soni.du.local.words.lexicon import means
from soni.du.local.words.openers import Opening, strip_opening
from soni.du.local.words.words import normal
from soni.language import Language

# "Yes. When I get home, what do I do?" agrees, and then asks.
_ASKS: Final = re.compile(r"\?\s*$")
_DEPTH: Final = 3


def still_agreed(text: str, read: Read, view: View) -> Read:
    """What it says, without a yes that is none yet: what it would do cannot be undone."""
    if view.kind not in YES_NO_KINDS or not read.has(AffirmConfirmation):
        return read
    without = read.without(AffirmConfirmation) or UNCLEAR
    if is_reserved(text, view.lang):
        return without
    opening = _behind_yes(text, view.lang)
    if opening is None:
        return read
    if _gives_up(opening.rest, view):
        return Read((CancelFlow(),))
    changes = read.has(CorrectSlot, SetSlot)
    if opening.but and not changes:
        # "Yes, but what does it cost?" wants to know first.
        return without
    says_more = changes or read.has(Clarify, StartFlow, ResumeFlow, HumanHandoff)
    return read if says_more or not _is_put_off(opening.rest, view) else without


def is_reserved(text: str, lang: Language) -> bool:
    """Whether words that sound like a yes take it back, or wait for something."""
    if lang.pattern("reservation.not_yes").search(text):
        return True
    yes = lang.pattern("reservation.ambiguous_yes").match(text)
    said = text[yes.end() :] if yes else text
    return lang.pattern("reservation.provided").search(said) is not None and not _ASKS.search(text)


def _behind_yes(text: str, lang: Language) -> Opening | None:
    """What follows a yes, or several: "ok ok cancel"."""
    found, rest, but = None, text, False
    for _ in range(_DEPTH):
        opening = strip_opening(rest, lang, asked=True)
        if opening is None or opening.meaning != "yes":
            break
        rest, but = opening.rest, but or opening.but
        found = Opening("yes", rest, but)
    return found


def _gives_up(rest: str, view: View) -> bool:
    """Whether the task is given up, unless just that was asked: "shall I cancel it?"."""
    asked = str((view.context.asked or {}).get("prompt", ""))
    ends = view.lang.pattern("reservation.ends").search(asked)
    return means(normal(rest), "cancel", view.lang) and ends is None


def _is_put_off(rest: str, view: View) -> bool:
    """Whether it is put off, or not meant: "yes, let me check", "right now I can't"."""
    words = normal(rest)
    if any(means(words, meaning, view.lang) for meaning in ("pause", "skip")):
        return True
    left = view.lang.pattern("reservation.harmless").sub(" ", rest)
    return view.lang.pattern("reservation.waits").search(left) is not None
