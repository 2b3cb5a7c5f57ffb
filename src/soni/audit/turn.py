"""RecordedTurn: typed access to a journal entry.

Entries of older versions lack fields, and a tampered entry may hold anything.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar, cast

from soni.core.records import TurnFacts
from soni.core.storage import JournalEntry

T = TypeVar("T")


def _as_text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _as_texts(values: Any) -> list[str]:
    return [str(value) for value in values] if isinstance(values, list) else []


def _as_mapping(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}


def _keep_dicts(values: Any) -> list[dict[str, Any]]:
    found = values if isinstance(values, list) else ()
    return [value for value in found if isinstance(value, dict)]


class _Field(Generic[T]):
    """The field of an entry that has the attribute's name, as `read` takes it."""

    def __init__(self, read: Callable[[Any], T]) -> None:
        self._read = read

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, turn: "RecordedTurn", owner: type) -> T:
        return self._read(turn.entry.data.get(self._name))


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

    message = _Field(_as_text)
    """What the user said, masked."""

    language = _Field(_as_text)
    """The language of the turn."""

    @property
    def source(self) -> str:
        """Which provider understood the message, or why none did."""
        return self._get_text("source") or ""

    @property
    def confidence(self) -> float | None:
        """The provider's confidence from 0 to 1; None if no provider was asked."""
        found = self.entry.data.get("confidence")
        return float(found) if isinstance(found, int | float) and 0 <= found <= 1 else None

    reasoning = _Field(_as_text)
    """The provider's reasoning, masked."""

    @property
    def version(self) -> str | None:
        """The fingerprint of the assistant."""
        return _as_text(self._get_dict("versions").get("assistant"))

    @property
    def facts(self) -> TurnFacts:
        """What an application's call says beside the message; `api` names the call."""
        return cast(TurnFacts, self._get_dict("facts"))

    @property
    def is_by_hand(self) -> bool:
        """Whether an author typed its commands."""
        return self.facts.get("by_hand") is True

    def is_of_fork(self, *, before: bool) -> bool:
        """Whether the turn belongs to a fork. Of one that failed, those `before` it tell."""
        return bool(self.entry.copied_users) if self.ok else before

    context = _Field(_as_mapping)
    """What the caller said of the user."""

    @property
    def commands(self) -> list[dict[str, Any]]:
        """The commands, each with its `args`, its decision, and what it was rewritten `to`."""
        return [
            {**made, "args": _as_mapping(made.get("args")), "to": _keep_dicts(made.get("to"))}
            for made in _keep_dicts(self.entry.data.get("commands"))
        ]

    @property
    def said(self) -> list[dict[str, Any]]:
        """The commands as they came in: without those that the settings added."""
        return [
            {**made["args"], "type": str(made.get("command"))}
            for made in self.commands
            if not made.get("added")
        ]

    results = _Field(_keep_dicts)
    """The executed commands that did not simply succeed."""

    steps = _Field(_keep_dicts)
    """The steps that ran."""

    transitions = _Field(_as_texts)
    """The states that the conversation went through; empty: it stayed, or nobody noted it."""

    actions = _Field(_keep_dicts)
    """The action calls with their results."""

    writes = _Field(_keep_dicts)
    """Refused values, and writes of sensitive slots."""

    events = _Field(_keep_dicts)
    """What happened to flows and to the conversation."""

    ended = _Field(_keep_dicts)
    """Flows that ended: `flow_name` and `result`."""

    replies = _Field(_as_texts)
    """What the bot said."""

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
        return _as_texts(self.after.get("stack"))

    @property
    def slots(self) -> dict[str, dict[str, Any]]:
        """New values by flow instance."""
        return {flow_id: _as_mapping(new) for flow_id, new in self._get_dict("slots").items()}

    @property
    def shared(self) -> dict[str, Any]:
        """New values of the conversation's own slots."""
        return self._get_dict("conversation_slots")

    @property
    def evidence(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Where new values come from, by flow instance and slot."""
        return {
            owner: {slot: _as_mapping(each) for slot, each in _as_mapping(slots).items()}
            for owner, slots in self._get_dict("evidence").items()
        }

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
        return _as_text(self.entry.data.get(key))

    def _get_dict(self, key: str) -> dict[str, Any]:
        return _as_mapping(self.entry.data.get(key))


def parse_flow_name(flow_id: str) -> str:
    """The flow of an instance: its id is the flow's name and a number."""
    return flow_id.rpartition("_")[0] or flow_id


def to_datetime(seconds: float) -> datetime:
    """Seconds since the epoch as a date and time; the epoch itself, if they are none."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)
