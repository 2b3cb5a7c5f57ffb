"""Course: what one turn went through, noted while it runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from soni.core.records import StepRecord

_MOST: Final = 1000
"""Beyond so many steps, a turn is a loop: what it already went through is not noted again."""


@dataclass
class TurnTrace:
    """The steps that ran and the responses that were used. One per turn."""

    steps: list[StepRecord] = field(default_factory=list)
    heard: str | None = None
    """What the user just said, as a model may be told: secrets masked, nothing from private."""

    transitions: list[str] = field(default_factory=list)
    """The conversation's states in their order, from the one in which the turn found it."""

    usage: list[dict[str, Any]] = field(default_factory=list)
    """What each text by a language model took, those that failed included."""

    _written: int = 0
    _responses: dict[str, None] = field(default_factory=dict)

    def ran(
        self, flow: str, step: str, to: str | None, *, edge: str = "", skipped: bool = False
    ) -> None:
        """A step ran, or was passed, and control went on."""
        entry: StepRecord = {"flow": flow, "step": step, "to": to}
        if edge:
            entry["edge"] = edge
        if skipped:
            entry["skipped"] = True
        if len(self.steps) < _MOST or entry not in self.steps:
            self.steps.append(entry)

    def note_move(self, source: str, target: str) -> None:
        """The conversation went from one state to another."""
        if len(self.transitions) < _MOST:
            self.transitions.extend([target] if self.transitions else [source, target])

    def note_response(self, response: str) -> None:
        """A named sentence was said, or shown."""
        self._responses[response] = None

    def note_usage(self, usage: dict[str, Any] | None) -> None:
        """A language model was asked to write something."""
        if usage:
            self.usage.append(usage)

    def make_text_key(self, what: str) -> str:
        """A key for a text that no step asks for; the same if the turn is held again."""
        self._written += 1
        return f"{what}/{self._written}"

    @property
    def responses(self) -> list[str]:
        """The names of the sentences, each once, in the order of their first use."""
        return list(self._responses)


_COUNTED: Final = ("calls", "prompt_tokens", "cached_tokens", "completion_tokens")


def sum_usage(*usages: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Calls, tokens and cost together; None: no model was asked."""
    asked = [usage for usage in usages if usage]
    if not asked:
        return None
    costs = [usage["cost"] for usage in asked if usage.get("cost") is not None]
    return {
        "model": asked[0].get("model", ""),
        **{name: sum(usage.get(name) or 0 for usage in asked) for name in _COUNTED},
        "cost": round(sum(costs), 9) if costs else None,
    }
