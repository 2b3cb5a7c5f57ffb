"""TurnTrace: the steps, responses and model usage of one turn, noted while it runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from soni.core.records import SlotWriteNote, StepRecord

_MAX_STEPS: Final = 1000
"""Beyond this many steps, steps that are already noted are not noted again."""


@dataclass
class TurnTrace:
    """The steps that ran and the responses that were used. One per turn."""

    steps: list[StepRecord] = field(default_factory=list)
    heard: str | None = None
    """The user's message as a model may see it: secrets masked; None if it is private."""

    transitions: list[str] = field(default_factory=list)
    """The conversation's states in their order, from the one in which the turn found it."""

    usage: list[dict[str, Any]] = field(default_factory=list)
    """The usage of each text by a language model, failed ones included."""

    secrets: list[Any] = field(default_factory=list)
    """Values that must not be recorded: those held before the turn, and those written in it."""

    _writes: dict[tuple[str | None, str, bool], SlotWriteNote] = field(default_factory=dict)
    _written: int = 0
    _responses: dict[str, None] = field(default_factory=dict)

    def note_step(
        self, flow: str, step: str, to: str | None, *, edge: str = "", skipped: bool = False
    ) -> None:
        """Note a step that ran or was skipped, and where control went."""
        entry: StepRecord = {"flow": flow, "step": step, "to": to}
        if edge:
            entry["edge"] = edge
        if skipped:
            entry["skipped"] = True
        if len(self.steps) < _MAX_STEPS or entry not in self.steps:
            self.steps.append(entry)

    def note_move(self, source: str, target: str) -> None:
        """Note a move from one conversation state to another."""
        if len(self.transitions) < _MAX_STEPS:
            self.transitions.extend([target] if self.transitions else [source, target])

    def note_write(self, note: SlotWriteNote) -> None:
        """Note who wrote a slot: the last one to do so counts.

        What one flow hands to another is noted beside who had said it.
        """
        place = note["flow_id"], note["slot"], note["by"] == "flow"
        self._writes.pop(place, None)
        self._writes[place] = note
        if len(self._writes) > _MAX_STEPS:
            del self._writes[next(iter(self._writes))]

    @property
    def writes(self) -> list[SlotWriteNote]:
        """Who wrote which slot last, the newest at the end."""
        return list(self._writes.values())

    def note_response(self, response: str) -> None:
        """Note that a named response was used."""
        self._responses[response] = None

    def note_usage(self, usage: dict[str, Any] | None) -> None:
        """Note the usage of a language model."""
        if usage:
            self.usage.append(usage)

    def make_text_key(self, what: str) -> str:
        """A key for a text that no step requests; it is the same when the turn is replayed."""
        self._written += 1
        return f"{what}/{self._written}"

    @property
    def responses(self) -> list[str]:
        """The names of the sentences, each once, in the order of their first use."""
        return list(self._responses)


_USAGE_COUNTS: Final = ("calls", "prompt_tokens", "cached_tokens", "completion_tokens")


def sum_usage(*usages: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Calls, tokens and cost together; None: no model was asked."""
    asked = [usage for usage in usages if usage]
    if not asked:
        return None
    costs = [usage["cost"] for usage in asked if usage.get("cost") is not None]
    return {
        "model": asked[0].get("model", ""),
        **{name: sum(usage.get(name) or 0 for usage in asked) for name in _USAGE_COUNTS},
        "cost": round(sum(costs), 9) if costs else None,
    }
