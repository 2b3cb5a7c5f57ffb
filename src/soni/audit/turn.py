"""RecordedTurn: typed access to a journal entry.

Entries of older versions lack fields, and a tampered entry may hold anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from soni.core.records import TurnFacts
from soni.core.storage import JournalEntry


@dataclass(frozen=True)
class RecordedTurn:
    """One journal entry. Missing or malformed fields read as empty."""

    entry: JournalEntry

    @property
    def ok(self) -> bool:
        """Whether the turn was stored."""
        return self.entry.status == "ok"

    @property
    def moment(self) -> datetime:
        """The conversation's time, in its own zone."""
        try:
            return datetime.fromisoformat(self._get_text("clock") or "")
        except ValueError:
            return to_datetime(self.entry.at)

    @property
    def user_id(self) -> str:
        """Who was talking; the conversation's id, if that is not known."""
        return self._get_text("user_id") or self.entry.conversation_id

    @property
    def message(self) -> str | None:
        """What the user said, masked."""
        return self._get_text("message")

    @property
    def language(self) -> str | None:
        """The language of the turn."""
        return self._get_text("language")

    @property
    def source(self) -> str:
        """Which provider understood the message, or why none did."""
        return self._get_text("source") or ""

    @property
    def confidence(self) -> float | None:
        """The provider's confidence from 0 to 1; None if no provider was asked."""
        found = self.entry.data.get("confidence")
        return float(found) if isinstance(found, int | float) and 0 <= found <= 1 else None

    @property
    def reasoning(self) -> str | None:
        """The provider's reasoning, masked."""
        return self._get_text("reasoning")

    @property
    def version(self) -> str | None:
        """The fingerprint of the assistant."""
        version = self._get_dict("versions").get("assistant")
        return version if isinstance(version, str) else None

    @property
    def facts(self) -> TurnFacts:
        """What an application's call says beside the message; `api` names the call."""
        return cast(TurnFacts, self._get_dict("facts"))

    @property
    def context(self) -> dict[str, Any]:
        """What the caller said of the user."""
        return self._get_dict("context")

    @property
    def commands(self) -> list[dict[str, Any]]:
        """The commands, each with its `args`, its decision, and what it was rewritten `to`."""
        return [
            {**made, "args": _as_mapping(made.get("args")), "to": _keep_dicts(made.get("to"))}
            for made in self._get_dicts("commands")
        ]

    @property
    def said(self) -> list[dict[str, Any]]:
        """The commands as they came in: without those that the settings added."""
        return [
            {**made["args"], "type": str(made.get("command"))}
            for made in self.commands
            if not made.get("added")
        ]

    @property
    def results(self) -> list[dict[str, Any]]:
        """The executed commands that did not simply succeed."""
        return self._get_dicts("results")

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The steps that ran."""
        return self._get_dicts("steps")

    @property
    def transitions(self) -> list[str]:
        """The states that the conversation went through; empty: it stayed, or nobody noted it."""
        states = self.entry.data.get("transitions")
        return [str(state) for state in states] if isinstance(states, list) else []

    @property
    def actions(self) -> list[dict[str, Any]]:
        """The action calls with their results."""
        return self._get_dicts("actions")

    @property
    def writes(self) -> list[dict[str, Any]]:
        """Refused values, and writes of sensitive slots."""
        return self._get_dicts("writes")

    @property
    def events(self) -> list[dict[str, Any]]:
        """What happened to flows and to the conversation."""
        return self._get_dicts("events")

    @property
    def ended(self) -> list[dict[str, Any]]:
        """Flows that ended: `flow_name` and `result`."""
        return self._get_dicts("ended")

    @property
    def replies(self) -> list[str]:
        """What the bot said."""
        replies = self.entry.data.get("replies")
        return [str(text) for text in replies] if isinstance(replies, list) else []

    @property
    def before(self) -> dict[str, Any]:
        """The position before the turn: `state`, `stack`, `step`, `waiting_for`."""
        return _as_mapping(self._get_dict("state").get("before"))

    @property
    def after(self) -> dict[str, Any]:
        """The position after the turn."""
        return _as_mapping(self._get_dict("state").get("after"))

    @property
    def stack(self) -> list[str]:
        """The ids of the open flows after the turn, the active one last."""
        stack = self.after.get("stack")
        return [str(flow_id) for flow_id in stack] if isinstance(stack, list) else []

    @property
    def slots(self) -> dict[str, dict[str, Any]]:
        """New values by flow instance."""
        return {flow_id: _as_mapping(new) for flow_id, new in self._get_dict("slots").items()}

    @property
    def shared(self) -> dict[str, Any]:
        """New values of the conversation's own slots."""
        return self._get_dict("conversation_slots")

    @property
    def timings(self) -> dict[str, float]:
        """Seconds."""
        found = self._get_dict("timings").items()
        return {name: float(spent) for name, spent in found if isinstance(spent, int | float)}

    @property
    def is_understood(self) -> bool:
        """Whether a command was executed, or the message needed no understanding."""
        if self.message is None or self.before.get("handoff") or self.source == "refused":
            return True
        return any(made.get("decision") == "accepted" or made.get("to") for made in self.commands)

    def _get_text(self, key: str) -> str | None:
        value = self.entry.data.get(key)
        return value if isinstance(value, str) else None

    def _get_dict(self, key: str) -> dict[str, Any]:
        return _as_mapping(self.entry.data.get(key))

    def _get_dicts(self, key: str) -> list[dict[str, Any]]:
        return _keep_dicts(self.entry.data.get(key))


def parse_flow_name(flow_id: str) -> str:
    """The flow of an instance: its id is the flow's name and a number."""
    return flow_id.rpartition("_")[0] or flow_id


def to_datetime(seconds: float) -> datetime:
    """Seconds since the epoch as a date and time; the epoch itself, if they are none."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


def _keep_dicts(values: Any) -> list[dict[str, Any]]:
    return (
        [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []
    )


def _as_mapping(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}
