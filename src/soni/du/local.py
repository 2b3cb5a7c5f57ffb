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
        r"(?:change|set|make|correct)\s+(?:the\s+|my\s+)?(?P<slot>.+?)\s+to\s+(?P<value>.+)",
        r"(?:no,?\s+)?the\s+(?P<slot>.+?)\s+(?:is|should be)\s+(?P<value>.+)",
        r"cambia(?:r)?\s+(?:el\s+|la\s+)?(?P<slot>.+?)\s+(?:a|por)\s+(?P<value>.+)",
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
        command = _read(user_message.strip(), context)
        return NLUOutput(commands=(command,) if command else (), source="local")


def _read(message: str, context: DialogueContext) -> Command | None:
    text = _normal(message)
    if not text:  # signs alone may still be an answer
        return _answered(message, context) if message else None
    return (
        _pressed(text, context)
        or _offered(text, context)
        or _short_answer(text, context)
        or _started(text, context, exact=True)
        or _changed(message, context)
        or _answered(message, context)
        or _started(text, context, exact=False)
        or _talk(message, text, context)
    )


def _pressed(text: str, context: DialogueContext) -> Command | None:
    """An option that was shown as numbered text: its number, or the words on it."""
    for number, option in enumerate(context.offered, 1):
        if text in (str(number), _normal(option["label"])):
            found = commands_of(option, context.waiting_for_slot)
            return found[0] if found else None
    return None


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


def _short_answer(text: str, context: DialogueContext) -> Command | None:
    language = context.language
    kind = (context.asked or {}).get("kind")
    asked_type = next(
        (slot.type for slot in context.expected_slots if slot.name == context.waiting_for_slot), ""
    )
    if kind in ("confirm", "cancel", "limit", "disambiguate") or asked_type == "boolean":
        if means(text, "affirm", language):
            return AffirmConfirmation()
        if means(text, "deny", language):
            return DenyConfirmation()
    for meaning, command in (
        ("cancel", CancelFlow()),
        ("human", HumanHandoff()),
        ("repeat", RepeatLast()),
        ("why", Clarify()),
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
    return Clarify(topic=message) if message.endswith("?") else None


def _normal(text: str) -> str:
    """The message without case, punctuation at its ends, or double spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    return " ".join(re.sub(r"[^\w\s']", " ", folded).split())


def _content(text: str) -> frozenset[str]:
    return frozenset(text.split()) - _FILLERS
