"""LocalNLU: a simple reading that needs no model, no key and no network.

Trigger examples start flows, the answer to a question fills the asked slot, short answers are
read by an exact lexicon.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    Clarify,
    Command,
    CorrectSlot,
    DenyConfirmation,
    HumanHandoff,
    RepeatLast,
    ResumeFlow,
    SetSlot,
    SkipSlot,
    StartFlow,
)
from soni.commands.offers import commands_of
from soni.du.context import DialogueContext, FlowBrief, NLUOutput
from soni.du.lexicon import ORDINALS, means
from soni.du.questions import is_question, question_behind

# How much of an example's words a message must share to be read as it.
_ENOUGH = 0.6
# Words that any request has.
_FILLERS = frozenset(
    """
    a an the i i'd want would like to please can could you me my we need do for of is it
    un una el la quiero quisiera por favor mi de
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_CHANGES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:(?:no|yes),?\s+(?:but\s+)?)?(?:change|set|make|correct)\s+"
        r"(?:the\s+|my\s+)?(?P<slot>.+?)\s+to\s+(?P<value>.+)",
        r"(?:no,?\s+)?the\s+(?P<slot>.+?)\s+(?:is|should be)\s+(?P<value>.+)",
        r"(?:(?:no|s[íi]),?\s+(?:pero\s+)?)?cambia(?:r)?\s+"
        r"(?:el\s+|la\s+)?(?P<slot>.+?)\s+(?:a|por)\s+(?P<value>.+)",
    )
)
# "No, change the amount", or, asked what to change, "the amount".
_DENIED_CHANGE = re.compile(
    r"(?:no,?\s+)?(?:(?:change|correct|cambia|cambiar)\s+)?(?:(?:the|my|el|la|mi)\s+)?(.+?)[.!]*",
    re.IGNORECASE,
)


class LocalNLU:
    """Reads a message by rules over the dialogue context."""

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """The commands, if any rule applies."""
        message = user_message.strip()
        whole = _read(message, context)
        if isinstance(whole, SetSlot | Clarify | None):
            asked = _and_a_question(message, context)
            if asked:
                return NLUOutput(commands=asked, source="local")
        return NLUOutput(commands=(whole,) if whole else (), source="local")


def _and_a_question(message: str, context: DialogueContext) -> Sequence[Command]:
    """ "Yes, and what does it cost?": both."""
    if _asked_type(context) == "text":
        return ()
    for said, asked in question_behind(message, context.language):
        first = _read(said, context)
        if means(_normal(said), "greeting", context.language):
            return (Clarify(topic=asked),)
        if isinstance(first, AffirmConfirmation | DenyConfirmation | SetSlot | StartFlow):
            return first, Clarify(topic=asked)
    return ()


def _read(message: str, context: DialogueContext) -> Command | None:
    text = _normal(message)
    if not text:  # signs alone may still be an answer
        return _answered(message, context) if message else None
    idle = context.current_flow == "none" and context.asked is None
    return (
        _pressed(text, context)
        # With nothing open, "help" is what the author says it is.
        or (_started(text, context, exact=True) if idle else None)
        or _offered(text, context)
        or _short_answer(message, text, context)
        or _started(text, context, exact=True)
        or _changed(message, context)
        or _asked_back(message, text, context)
        or _answered(message, context)
        or _started(text, context, exact=False)
        or _talk(message, text, context)
    )


def _pressed(text: str, context: DialogueContext) -> Command | None:
    """An option that was shown as numbered text: its number, or the words on it."""
    # The items of a list keep their numbers from page to page, and are picked by them.
    listed = "options" in ((context.asked or {}).get("data") or {})
    for number, option in enumerate(context.offered, 1):
        if text == _normal(option["label"]) or (_number(text) == number and not listed):
            found = commands_of(option, context.waiting_for_slot)
            return found[0] if found else None
    return None


def _number(text: str) -> int | None:
    """The place in a list that the text names."""
    return int(text) if text.isdecimal() and len(text) < 6 else ORDINALS.get(text)


def _offered(text: str, context: DialogueContext) -> Command | None:
    """One of the flows that the user was just asked to choose from."""
    asked = context.asked or {}
    if asked.get("kind") != "disambiguate":
        return None
    names: list[str] = asked["data"]["flow_names"]
    number = ORDINALS.get(text)
    if number is not None and number <= len(names):
        return StartFlow(flow_name=names[number - 1])
    return next(
        (StartFlow(flow_name=name) for name in names if _normal(name.replace("_", " ")) in text),
        None,
    )


def _asked_type(context: DialogueContext) -> str:
    """The type of the slot that was asked."""
    asked = context.waiting_for_slot
    return next((slot.type for slot in context.expected_slots if slot.name == asked), "")


def _asked_back(message: str, text: str, context: DialogueContext) -> Command | None:
    """A question where an answer was due. A long text may hold questions of its own."""
    if context.waiting_for_slot is None or _asked_type(context) == "text":
        return None
    if not is_question(message, answering=True):
        return None
    return _started(text, context, exact=False) or Clarify(topic=message)


def _short_answer(message: str, text: str, context: DialogueContext) -> Command | None:
    language = context.language
    kind = (context.asked or {}).get("kind")
    yes_or_no = kind in ("confirm", "cancel", "limit", "disambiguate")
    if yes_or_no or _asked_type(context) == "boolean":
        if means(text, "affirm", language):
            return AffirmConfirmation()
        if means(text, "deny", language):
            return DenyConfirmation()
    for meaning, command in (
        ("cancel", CancelFlow()),
        ("human", HumanHandoff()),
        ("repeat", RepeatLast()),
        ("why", Clarify(topic=message)),
    ):
        if means(text, meaning, language):
            return command
    if kind == "collect" and means(text, "skip", language):
        return SkipSlot()
    if context.paused_flows and means(text, "resume", language):
        return ResumeFlow()
    return None


def _started(text: str, context: DialogueContext, *, exact: bool) -> Command | None:
    """The flow whose example the message repeats, or nearly does."""
    if exact:
        found = (f for f in context.available_flows if text in map(_normal, f.examples))
        return next((StartFlow(flow_name=flow.name) for flow in found), None)
    scored = [(_nearness(text, flow), flow.name) for flow in context.available_flows]
    score, name = max(scored, default=(0.0, ""))
    return StartFlow(flow_name=name) if score >= _ENOUGH else None


def _nearness(text: str, flow: FlowBrief) -> float:
    said = _content(text)
    phrases = [
        _content(_normal(example)) for example in (*flow.examples, flow.name.replace("_", " "))
    ]
    return max(
        (len(said & phrase) / len(said | phrase) for phrase in phrases if phrase), default=0.0
    )


def _changed(message: str, context: DialogueContext) -> Command | None:
    """ "Change the amount to 60", "the date should be Friday", "no, change the date"."""
    names = {_normal(slot.name.replace("_", " ")): slot.name for slot in context.expected_slots}
    message = " ".join(message.split())  # the patterns would try every run of spaces in every way
    for pattern in _CHANGES:
        match = pattern.fullmatch(message)
        if match and _normal(match["slot"]) in names:
            return CorrectSlot(
                slot_name=names[_normal(match["slot"])], new_value=match["value"].strip(" .!")
            )
    denied = _DENIED_CHANGE.fullmatch(message)
    confirming = (context.asked or {}).get("kind") == "confirm"
    if denied and confirming and _normal(denied[1]) in names:
        return DenyConfirmation(slot_to_change=names[_normal(denied[1])])
    return None


def _answered(message: str, context: DialogueContext) -> Command | None:
    if context.waiting_for_slot is None:
        return None
    return SetSlot(slot_name=context.waiting_for_slot, value=message)


def _talk(message: str, text: str, context: DialogueContext) -> Command | None:
    if means(text, "greeting", context.language):
        return ChitChat()
    return Clarify(topic=message) if is_question(message, answering=False) else None


def _normal(text: str) -> str:
    """The message without case, punctuation at its ends, or double spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    return " ".join(re.sub(r"[^\w\s']", " ", folded).split())


def _content(text: str) -> frozenset[str]:
    return frozenset(text.split()) - _FILLERS
