"""A yes that does not count: "not yes", "sure, once I say so", "ok, cancel"."""

import re
from typing import Final

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    Clarify,
    Command,
    CorrectSlot,
    DenyConfirmation,
    HumanHandoff,
    ResumeFlow,
    SetSlot,
    StartFlow,
)
from soni.core.prompts import YES_NO_KINDS
from soni.du.local.parse import UNCLEAR, Parse
from soni.du.local.view import View
from soni.du.local.words.lexicon import Opening, means, strip_opening
from soni.du.local.words.words import extract_words, normalise, speak_name, stem_plural
from soni.language import Language

# "Yes. When I get home, what do I do?" agrees, and then asks.
_QUESTION_END: Final = re.compile(r"\?\s*$")
_MAX_YES: Final = 3


def drop_reserved_yes(text: str, read: Parse, view: View) -> Parse:
    """Drop a yes that is taken back or put off: what it carries out cannot be undone."""
    if view.kind not in YES_NO_KINDS or not read.has(AffirmConfirmation):
        return read
    without = read.without(AffirmConfirmation) or UNCLEAR
    if is_reserved(text, view.lang):
        return without
    opening = _strip_yes(text, view.lang)
    if opening is None:
        return read
    if _cancels_task(opening.rest, view):
        return Parse((CancelFlow(),))
    changes = read.has(CorrectSlot, SetSlot)
    if opening.but and not changes:
        # "Yes, but what does it cost?" wants to know first.
        return without
    says_more = changes or read.has(Clarify, StartFlow, ResumeFlow, HumanHandoff)
    return read if says_more or not _is_put_off(opening.rest, view) else without


def is_reserved(text: str, lang: Language) -> bool:
    """Whether words that sound like a yes take it back, or make a condition."""
    if lang.pattern("reservation.not_yes").search(text):
        return True
    yes = lang.pattern("reservation.ambiguous_yes").match(text)
    said = text[yes.end() :] if yes else text
    provided = lang.pattern("reservation.provided").search(said)
    return provided is not None and not _QUESTION_END.search(text)


def _strip_yes(text: str, lang: Language) -> Opening | None:
    """What follows a yes, or several: "ok ok cancel"."""
    found, rest, but = None, text, False
    for _ in range(_MAX_YES):
        opening = strip_opening(rest, lang, asked=True)
        if opening is None or opening.meaning != "yes":
            break
        rest, but = opening.rest, but or opening.but
        found = Opening("yes", rest, but)
    return found


def _cancels_task(rest: str, view: View) -> bool:
    """Whether the task is given up, unless just that was asked: "shall I cancel it?"."""
    ends = view.lang.pattern("reservation.ends").search(view.prompt)
    return means(normalise(rest), "cancel", view.lang) and ends is None


def _is_put_off(rest: str, view: View) -> bool:
    """Whether it is put off, or not meant: "yes, let me check", "right now I can't"."""
    words = normalise(rest)
    if any(means(words, meaning, view.lang) for meaning in ("pause", "skip")):
        return True
    left = view.lang.pattern("reservation.harmless").sub(" ", rest)
    return view.lang.pattern("reservation.waits").search(left) is not None


def find_agreement(message: str, view: View) -> Command | None:
    """The answer to "shall I?" that only repeats what is to be done: "yes, send it"."""
    if view.kind != "confirm" or not view.has_models:
        return None
    match = view.lang.pattern("consent.deed_again").fullmatch(normalise(message))
    if match is None or not match["what"]:
        return None
    about = match["verb"] in view.lang.words("consent.about_it")
    if about and not (match["yes"] and match["verb"] in normalise(view.prompt).split()):
        return None
    words = _collect_question_words(view)
    noun = match["what"].split()[1:]
    said = {stem_plural(word, view.lang) for word in (match["verb"], *noun)}
    if not said <= words:
        return None
    return DenyConfirmation() if match["no"] else AffirmConfirmation()


def _collect_question_words(view: View) -> frozenset[str]:
    flow = view.context.current_flow
    flows = [one for one in view.context.available_flows if one.name == flow]
    texts = [normalise(view.prompt), speak_name(flow)]
    texts += [normalise(text) for one in flows for text in (one.description, *one.examples)]
    return frozenset().union(*(extract_words(text, view.lang) for text in texts))
