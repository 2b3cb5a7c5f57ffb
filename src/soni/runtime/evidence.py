"""The evidence of slot values: who wrote them, and from which words of the message.

Management finds it, so that it is there whoever understood the message.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from soni.core.constants import MASK
from soni.core.records import SlotWriteNote
from soni.core.types import DialogueState, RuntimeContext
from soni.runtime.turn import Message

CONVERSATION: Final = "conversation"
"""Stands for the conversation's own slots where instances are keys: their ids end in a number."""


def describe_evidence(
    sent: Message, before: DialogueState, after: DialogueState, context: RuntimeContext
) -> dict[str, Any]:
    """Where each new value comes from, by instance and slot. No value is in it."""
    finder = _EvidenceFinder(sent, before, after, context)
    kept = {**after["flow_slots"], CONVERSATION: after["conversation_slots"]}
    known = {**before["flow_slots"], CONVERSATION: before["conversation_slots"]}
    found = {
        where: {
            name: finder.find(where, name)
            for name, value in slots.items()
            if name not in known.get(where, {}) or known[where][name] != value
        }
        for where, slots in kept.items()
    }
    changed = {where: slots for where, slots in found.items() if slots}
    return {"evidence": changed} if changed else {}


class _EvidenceFinder:
    def __init__(
        self, sent: Message, before: DialogueState, after: DialogueState, context: RuntimeContext
    ) -> None:
        self._sent = sent
        self._asked = before["waiting_for_slot"]
        self._facts = after["turn"]
        self._context = context

    def find(self, where: str, name: str) -> dict[str, Any]:
        notes = self._context.turn_trace.writes
        note = _find_note(notes, where, name)
        if note is None:
            # A called flow brought it back, or a new instance began with it.
            note = {"flow_id": where, "slot": name, "by": "flow"}
        if note["by"] != "flow":
            return self._describe_note(note)
        # Another flow has it from somebody: in this turn, or the entry of an earlier one says so.
        others = [each for each in notes if each["slot"] == name and each["by"] != "flow"]
        step = {"step": note["step"]} if "step" in note else {}
        first = self._describe_note(others[-1]) | {"through": "flow"} if others else {"by": "flow"}
        return step | first

    def _describe_note(self, note: SlotWriteNote) -> dict[str, Any]:
        if note["by"] != "user":
            kept = ("by", "step", "action")
            return {key: value for key, value in note.items() if key in kept}
        return {
            **self._describe_speaker(note["slot"], note.get("said")),
            **({"correction": True} if note.get("correction") else {}),
        }

    def _describe_speaker(self, name: str, said: Any) -> dict[str, Any]:
        if self._sent.facts.get("by_hand"):
            return {"by": "author"}
        if self._sent.text is None:
            return {"by": "application"}
        if self._facts["source"] == "given":
            return {"by": "user", "how": "button"}
        words: dict[str, Any] = {"by": "user", "how": "words"}
        span = self._find_span(name, said)
        return words if span is None else {**words, "span": list(span)}

    def _find_span(self, name: str, said: Any) -> tuple[int, int] | None:
        """The words of the message as it is recorded; the whole of it, if it is the answer."""
        message = self._facts["message"]
        if not message or (MASK in message and self._context.assistant.is_sensitive(name)):
            return None
        found = None if isinstance(said, bool) else _find_words(str(said), message)
        if found is None and name == self._asked:
            return 0, len(message)
        return found


def _find_note(notes: Sequence[SlotWriteNote], where: str, name: str) -> SlotWriteNote | None:
    there = (each for each in reversed(notes) if each["slot"] == name)
    return next((each for each in there if where in (each["flow_id"], CONVERSATION)), None)


def _find_words(said: str, message: str) -> tuple[int, int] | None:
    if not said.strip():
        return None
    pattern = rf"(?<!\w){re.escape(said.strip())}(?!\w)"
    # Of several the last: who corrects a value says the new one after the old one.
    matches = list(re.finditer(pattern, message, re.IGNORECASE))
    return matches[-1].span() if matches else None


def describe_span(evidence: Mapping[str, Any], message: str | None) -> str | None:
    """The words that a piece of evidence points at, if the message holds them."""
    span = evidence.get("span")
    if not message or not isinstance(span, list) or len(span) != 2:
        return None
    start, end = span
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(message)):
        return None
    return message[start:end]
