"""Differences between a recorded turn and its replay."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from glob import escape
from typing import Any, Final

from soni.audit.turn import RecordedTurn, parse_flow_name
from soni.core.constants import MASK


@dataclass(frozen=True)
class Difference:
    """One difference: the recorded value and the new one."""

    what: str
    """`replies`, `state`, `stack`, `slots`, ..."""

    then: Any
    now: Any


def find_differences(
    then: RecordedTurn, now: RecordedTurn, unknown: Collection[str] = ()
) -> list[Difference]:
    """All differences, the most interesting first.

    What an entry of an older version does not hold is not compared, nor is what is `unknown`.
    """
    return [
        Difference(what, was, is_)
        for what, (key, read) in _COMPARED.items()
        if what not in unknown
        if key in then.entry.data and key in now.entry.data
        if not _is_same(was := read(then), is_ := read(now))
    ]


def _is_same(was: Any, is_: Any) -> bool:
    """Whether a replay gave what was recorded. What is masked in a text may be anything."""
    if isinstance(was, str) and isinstance(is_, str) and MASK in was:
        return fnmatchcase(is_, "*".join(map(escape, was.split(MASK))))
    if isinstance(was, list) and isinstance(is_, list):
        return len(was) == len(is_) and all(map(_is_same, was, is_))
    return bool(was == is_)


def name_instances(stack: Sequence[str]) -> dict[str, str]:
    """Names of instances that are stable in a replay: the flow's, numbered if it is twice."""
    seen: Counter[str] = Counter()
    names = {}
    for flow_id in stack:
        flow = parse_flow_name(flow_id)
        seen[flow] += 1
        names[flow_id] = flow if seen[flow] == 1 else f"{flow} ({seen[flow]})"
    return names


def _group_slots(turn: RecordedTurn) -> dict[str, dict[str, Any]]:
    names = name_instances(turn.stack)
    return {names.get(flow, parse_flow_name(flow)): new for flow, new in turn.slots.items()}


def _simplify_decision(made: Mapping[str, Any]) -> dict[str, Any]:
    shown = {key: made.get(key) for key in ("command", "decision", "reason", "args", "to")}
    # An unreadable command has no fields on record, so its reason cannot be compared.
    unreadable = made.get("decision") == "rejected" and not made.get("args")
    return {**shown, "reason": None} if unreadable else shown


def _list_ended(turn: RecordedTurn) -> list[str]:
    return [f"{flow.get('flow_name')}: {flow.get('result')}" for flow in turn.ended]


def _list_actions(turn: RecordedTurn) -> list[dict[str, Any]]:
    # Results are not compared: the replay takes them from the record.
    return [{str(call.get("action")): call.get("inputs")} for call in turn.actions]


_COMPARED: Final[Mapping[str, tuple[str, Callable[[RecordedTurn], Any]]]] = {
    "replies": ("replies", lambda turn: turn.replies),
    "state": ("state", lambda turn: turn.after.get("state")),
    "stack": ("state", lambda turn: list(name_instances(turn.stack).values())),
    "step": ("state", lambda turn: turn.after.get("step")),
    "waiting_for": ("state", lambda turn: turn.after.get("waiting_for")),
    "slots": ("slots", _group_slots),
    "conversation_slots": ("conversation_slots", lambda turn: turn.shared),
    "actions": ("actions", _list_actions),
    "decisions": ("commands", lambda turn: [*map(_simplify_decision, turn.commands)]),
    "results": ("results", lambda turn: turn.results),
    "ended": ("ended", _list_ended),
    "steps": ("steps", lambda turn: turn.steps),
}
