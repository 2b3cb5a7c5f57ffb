"""A yes that does not count: "not yes", "sure, once I say so", "ok, cancel"."""

import re
from dataclasses import replace
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
from soni.commands.confirmed_question import parse_question
from soni.commands.consent_grammar import read_plainly
from soni.commands.consent_words import list_words, split_question
from soni.core.prompts import YES_NO_KINDS
from soni.du.local.parse import UNCLEAR, Parse
from soni.du.local.view import View
from soni.du.local.words.lexicon import Opening, means, strip_opening
from soni.du.local.words.words import normalise, speak_name
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
    asked, names = parse_question(view.prompt, None, view.lang), _collect_names(view)
    deeds = names - list_words("ambiguous_deed", view.lang)
    beside = names | list_words("indirect", view.lang)
    question = replace(asked, verbs=(*asked.verbs, *sorted(deeds)), names=beside)
    answer = read_plainly(message, view.lang, question)
    if answer is None:
        return None
    return AffirmConfirmation() if answer.says == "yes" else DenyConfirmation()


def _collect_names(view: View) -> frozenset[str]:
    """What the task is called, in its name and in what its author says of it."""
    flow = view.context.current_flow
    flows = [one for one in view.context.available_flows if one.name == flow]
    texts = [
        speak_name(flow),
        *(text for one in flows for text in (one.description, *one.examples)),
    ]
    words = (word for text in texts for word in split_question(text))
    return frozenset(words) - list_words("unsaid", view.lang)
