"""Inspection: a recorded conversation as the inspector shows it, with its state after each turn.

The journal says what a turn changed; what holds after it is added up here. Entries of older
versions say less, and then less is shown.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from soni.audit.turn import RecordedTurn, parse_flow_name
from soni.runtime.evidence import CONVERSATION, describe_span
from soni.runtime.turn import read_replies

_SHOWN: Final = (
    "user_id",
    "language",
    "reasoning",
    "usage",
    "results",
    "writes",
    "transitions",
    "ended",
    "events",
    "timings",
    "versions",
    "error",
)
"""Fields of an entry that are shown as they are."""


@dataclass
class _Instance:
    """A flow instance, or the conversation itself, and the slots that it holds."""

    id: str
    called_by: str | None = None
    step: str | None = None
    slots: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def flow(self) -> str | None:
        return None if self.id == CONVERSATION else parse_flow_name(self.id)

    def list_slots(self, *, is_open: bool = True) -> list[dict[str, Any]]:
        about = {"flow_id": self.id, "flow": self.flow, "open": is_open}
        return [{**about, "name": name, **slot} for name, slot in self.slots.items()]


def inspect_turns(turns: Iterable[RecordedTurn]) -> Iterator[dict[str, Any]]:
    """Each turn with the stack and the slots after it, as plain data; sensitive values masked."""
    journey = _Journey()
    for turn in turns:
        yield journey.follow(turn)


class _Journey:
    """The state of a conversation, added up turn by turn."""

    def __init__(self) -> None:
        self._instances: dict[str, _Instance] = {CONVERSATION: _Instance(CONVERSATION)}

    def follow(self, turn: RecordedTurn) -> dict[str, Any]:
        """The view of a turn."""
        if turn.entry.status == "reset":
            self._instances = {CONVERSATION: _Instance(CONVERSATION)}
        ended = self._apply(turn) if turn.ok else []
        data = turn.entry.data
        return {
            "seq": turn.entry.seq,
            "turn": turn.entry.turn,
            "at": turn.entry.at,
            "status": turn.entry.status,
            "message_id": turn.entry.message_id,
            "message": turn.message,
            "by": _name_speaker(turn),
            "source": turn.source,
            "confidence": turn.confidence,
            "commands": turn.commands,
            "actions": turn.actions,
            "steps": turn.steps,
            "replies": read_replies(data),
            "before": turn.before,
            "after": turn.after,
            "stack": self._list_stack(turn),
            "slots": [
                slot
                for instance in self._instances.values()
                for slot in instance.list_slots()
            ]
            + [slot for instance in ended for slot in instance.list_slots(is_open=False)],
            **{name: data[name] for name in _SHOWN if name in data},
        }  # fmt: skip

    def _apply(self, turn: RecordedTurn) -> list[_Instance]:
        """Take over what the turn changed; the instances that it ended."""
        for event in turn.events:
            if event.get("event") == "flow_started":
                flow_id, caller = str(event.get("flow_id")), event.get("called_by")
                self._instances[flow_id] = _Instance(flow_id, str(caller) if caller else None)
        for flow_id in turn.stack:
            self._instances.setdefault(flow_id, _Instance(flow_id))
        self._move_steps(turn)
        self._change_slots(turn)
        still = {CONVERSATION, *turn.stack}
        over = [flow_id for flow_id in self._instances if flow_id not in still]
        return [self._instances.pop(flow_id) for flow_id in over]

    def _move_steps(self, turn: RecordedTurn) -> None:
        steps = turn.after.get("steps")
        known = steps if isinstance(steps, list) and len(steps) == len(turn.stack) else None
        for place, flow_id in enumerate(turn.stack):
            instance = self._instances[flow_id]
            if known is not None:
                instance.step = known[place]
            elif flow_id == turn.stack[-1]:
                # Entries of older versions have the step of the active flow alone.
                instance.step = turn.after.get("step")

    def _change_slots(self, turn: RecordedTurn) -> None:
        evidence = turn.entry.data.get("evidence")
        told: Mapping[str, Any] = evidence if isinstance(evidence, dict) else {}
        unset = turn.entry.data.get("unset")
        for where, names in unset.items() if isinstance(unset, dict) else ():
            for name in names if isinstance(names, list) else ():
                self._find_instance(where).slots.pop(name, None)
        for where, new in ({CONVERSATION: turn.shared} | turn.slots).items():
            known = told.get(where)
            instance = self._find_instance(where)
            for name, value in new.items():
                if name.startswith("_"):
                    continue  # Soni's own, such as the error of an action, which the events tell
                source = known.get(name) if isinstance(known, dict) else None
                before = instance.slots.pop(name, None)
                slot = _describe_slot(turn, value, source, before)
                instance.slots[name] = slot | self._find_origin(where, name, slot)

    def _find_origin(self, where: str, name: str, slot: Mapping[str, Any]) -> dict[str, Any]:
        """Where another flow had a value from that it passed on, if an earlier turn says it."""
        evidence = slot["evidence"]
        if evidence is None or evidence.get("by") != "flow":
            return {}
        for flow_id, other in reversed(self._instances.items()):
            known = other.slots.get(name)
            if flow_id != where and known is not None and known["value"] == slot["value"]:
                origin = {**(known["evidence"] or {}), "through": "flow"}
                return {key: known[key] for key in ("seq", "turn", "at")} | {"evidence": origin}
        return {}

    def _find_instance(self, flow_id: str) -> _Instance:
        return self._instances.setdefault(flow_id, _Instance(flow_id))

    def _list_stack(self, turn: RecordedTurn) -> list[dict[str, Any]]:
        """The open flows, the active one last. A task is a flow with those that it called."""
        open_flows = [self._instances[each] for each in turn.stack if each in self._instances]
        roots = [index for index, flow in enumerate(open_flows) if flow.called_by is None]
        active_from = roots[-1] if roots else 0
        return [
            {
                "flow_id": flow.id,
                "flow": flow.flow,
                "step": flow.step,
                "called_by": flow.called_by,
                "paused": index < active_from,
                "active": index == len(open_flows) - 1,
            }
            for index, flow in enumerate(open_flows)
        ]


def _describe_slot(
    turn: RecordedTurn, value: Any, source: Any, before: Mapping[str, Any] | None
) -> dict[str, Any]:
    evidence = source if isinstance(source, dict) else {}
    words = describe_span(evidence, turn.message)
    return {
        "value": value,
        "seq": turn.entry.seq,
        "turn": turn.entry.turn,
        "at": turn.entry.at,
        "evidence": {**evidence, **({"words": words} if words is not None else {})} or None,
        **({"was": before["value"]} if before is not None else {}),
    }


def _name_speaker(turn: RecordedTurn) -> str:
    """Who caused the turn."""
    if turn.is_by_hand:
        return "author"
    if turn.message is None:
        return str(turn.facts.get("api") or "application")
    return "button" if turn.source == "given" else "user"
