"""Compares the expectations of a test with what a turn did."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from soni.commands import CommandHandlerRegistry
from soni.config.assistant import Assistant
from soni.core.errors import Refusal
from soni.flow.plain import make_plain
from soni.flow.voice import Voice
from soni.flow.write import SlotWriter
from soni.runtime.turn import Turn
from soni.slots import SlotEnv
from soni.testing.case import Expect
from soni.testing.fields import read_entry
from soni.testing.pattern import is_found
from soni.testing.result import Mismatch
from soni.testing.ui import complete_expectation, find_shown_ui, reduce_to_expected


@dataclass(frozen=True)
class Comparison:
    """Compares turns of one test."""

    assistant: Assistant
    env: SlotEnv

    async def find_mismatches(self, expect: Expect, turn: Turn) -> list[Mismatch]:
        """Every expectation that did not hold, in the order of their keys."""
        found: list[Mismatch] = []
        for key in Expect.model_fields:
            if key not in expect.model_fields_set:
                continue
            if key == "slots":
                found.extend(await self._compare_slots(expect.slots, turn))
            elif key in _TEXT_FAULTS:
                texts, is_fault = getattr(expect, key), _TEXT_FAULTS[key]
                wrong = [text for text in texts if is_fault(text, turn.text)]
                found.extend([Mismatch(key, wrong, turn.messages)] if wrong else [])
            elif key in _COMPARERS:
                found.extend(_COMPARERS[key](getattr(expect, key), turn, self))
            else:
                found.extend(_compare_values(key, getattr(expect, key), _GETTERS[key](turn)))
        return found

    async def _compare_slots(self, expected: Mapping[str, Any], turn: Turn) -> list[Mismatch]:
        got = _collect_slots(turn)
        wanted = {name: await self._coerce_value(name, value) for name, value in expected.items()}
        # An expected null means that the slot is unset.
        return _compare_values("slots", wanted, {name: got.get(name) for name in wanted})

    async def _coerce_value(self, name: str, value: Any) -> Any:
        """The value as a write would store it, or unchanged if the slot refuses it."""
        voice = Voice(self.assistant, self.env.language, "", {})
        try:
            written = await SlotWriter(self.assistant).write(name, value, {}, self.env, voice)
        except Refusal:
            return make_plain(value)
        return written.value

    def mask_fields(self, name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """All fields of a command, defaults included, masked as a turn shows them."""
        command = CommandHandlerRegistry.discover().parse({"type": name, **fields})
        shown = command.mask_args(self.assistant.is_sensitive)
        return {key: make_plain(value) for key, value in shown.items()}


def _collect_slots(turn: Turn) -> dict[str, Any]:
    stack = turn.state["flow_stack"]
    own = turn.state["flow_slots"].get(stack[-1]["flow_id"], {}) if stack else {}
    return {**turn.state["conversation_slots"], **own}


def _list_stack(turn: Turn) -> list[str]:
    return [flow["flow_name"] for flow in turn.state["flow_stack"]]


def _make_ended_getter(result: str) -> Callable[[Turn], list[str]]:
    return lambda turn: [
        flow["flow_name"] for flow in turn.state["turn"]["ended"] if flow["result"] == result
    ]


_GETTERS: Final[Mapping[str, Callable[[Turn], Any]]] = {
    "bot": lambda turn: turn.messages,
    "flow": lambda turn: next(reversed(_list_stack(turn)), None),
    "step": lambda turn: turn.state["current_step"],
    "stack": _list_stack,
    "waiting_for": lambda turn: turn.state["waiting_for_slot"],
    "state": lambda turn: turn.state["conversation_state"],
    "completed": _make_ended_getter("completed"),
    "cancelled": _make_ended_getter("cancelled"),
    "abandoned": _make_ended_getter("abandoned"),
}


_TEXT_FAULTS: Final[Mapping[str, Callable[[str, str], bool]]] = {
    "contains": lambda text, said: text not in said,
    "not_contains": lambda text, said: text in said,
    "matches": lambda pattern, said: not is_found(pattern, said),
}


def _compare_values(key: str, expected: Any, got: Any) -> list[Mismatch]:
    return [Mismatch(key, expected, got)] if expected != got else []


def _compare_actions(expected: list[Any], turn: Turn, _: Comparison) -> list[Mismatch]:
    ran = [(call["action"], call["inputs"]) for call in turn.state["turn"]["actions"]]
    return _compare_named("actions", expected, ran, lambda name, inputs: inputs)


def _compare_commands(expected: list[Any], turn: Turn, comparison: Comparison) -> list[Mismatch]:
    # An accepted command with a reason was added by the policy, not understood.
    understood = [
        (made["command"], {key: make_plain(value) for key, value in made["args"].items()})
        for made in turn.commands
        if made["decision"] != "accepted" or made["reason"] is None
    ]
    return _compare_named("commands", expected, understood, comparison.mask_fields)


def _compare_named(
    key: str,
    expected: list[Any],
    got: list[tuple[str, dict[str, Any]]],
    complete: Callable[[str, dict[str, Any]], dict[str, Any]],
) -> list[Mismatch]:
    """Compare names in order, and fields where the expectation has them."""
    wanted = [
        (name, None if fields is None else complete(name, fields))
        for name, fields in map(read_entry, expected)
    ]
    same = len(wanted) == len(got) and all(
        name == other and fields in (None, others)
        for (name, fields), (other, others) in zip(wanted, got, strict=True)
    )
    if same:
        return []
    # Fields that are not expected would only hide the difference.
    detailed = {name for name, fields in wanted if fields is not None}
    shown = [{name: fields} if name in detailed else name for name, fields in got]
    written = [name if fields is None else {name: fields} for name, fields in wanted]
    return [Mismatch(key, written, shown)]


def _compare_decisions(expected: list[dict[str, str]], turn: Turn, _: Comparison) -> list[Mismatch]:
    made = [{each["command"]: each["decision"]} for each in turn.commands]
    rest = iter(made)
    if all(any(wanted == decision for decision in rest) for wanted in expected):
        return []
    return [Mismatch("decisions", expected, made)]


def _compare_handoff(expected: dict[str, Any] | None, turn: Turn, _: Comparison) -> list[Mismatch]:
    got: Any = turn.state["metadata"].get("handoff")
    if expected is not None and got is not None:
        got = {key: got.get(key) for key in expected}
    return _compare_values("handoff", expected, got)


def _compare_ui(expected: dict[str, Any] | None, turn: Turn, _: Comparison) -> list[Mismatch]:
    shown = find_shown_ui(turn)
    if expected is not None and shown is not None:
        expected, shown = complete_expectation(expected), reduce_to_expected(shown, expected)
    return _compare_values("ui", expected, shown)


_COMPARERS: Final[Mapping[str, Callable[[Any, Turn, Comparison], list[Mismatch]]]] = {
    "actions": _compare_actions,
    "commands": _compare_commands,
    "decisions": _compare_decisions,
    "handoff": _compare_handoff,
    "ui": _compare_ui,
}
