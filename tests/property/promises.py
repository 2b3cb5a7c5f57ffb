"""What holds for a walk over layered flows: a correction is what everybody uses from then on."""

from __future__ import annotations

import re
from typing import Any

from tests.property.generators import Made
from tests.property.invariants import Step

_PAIR = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")
_TOO_LATE = "too late to change"
_DONE_BEFORE = "has already run"


class Promises:
    """Watches one walk."""

    def __init__(self, made: Made) -> None:
        self._made = made
        self._callers: dict[str, str | None] = {}
        self._answered: set[tuple[str, str, str]] = set()
        """Task, flow and slot of what the user was asked and answered."""

        self._done: set[tuple[str, str, str]] = set()
        """Task, flow and step of what cannot be done again."""

    def check(self, step: Step) -> None:
        """Look at one more turn."""
        self._know(step)
        check_shown(step)
        check_acknowledged(step)
        check_too_late(step)
        self._check_asked_once(step)
        self._check_done_once(step)

    def _know(self, step: Step) -> None:
        started = [e for e in step.after["turn"]["events"] if e["event"] == "flow_started"]
        for each in [*step.before["flow_stack"], *step.after["flow_stack"], *started]:
            self._callers.setdefault(each["flow_id"], each["called_by"])

    def _task(self, flow_id: str) -> str:
        caller = self._callers.get(flow_id)
        return self._task(caller) if caller is not None else flow_id

    def _check_asked_once(self, step: Step) -> None:
        """Nobody is asked what they have answered, unless the flow means to, or it broke a rule."""
        if any(_gives_up_answers(command) for command in step.turn.commands) or any(
            "Too low" in text for text in step.turn.messages
        ):
            self._answered.clear()
        before, after = (_asked(state) for state in (step.before, step.after))
        if before is not None and any(_fills(entry, before) for entry in step.logged):
            self._answered.add((self._task(before[0]), self._flow(before[0]), before[1]))
        if after is not None and not self._asks_again(self._flow(after[0]), after[1]):
            place = (self._task(after[0]), self._flow(after[0]), after[1])
            assert place not in self._answered, f"{after[1]} was answered, and is asked again"

    def _asks_again(self, flow_name: str, slot: str) -> bool:
        """Whether the flow itself may ask for a slot that is filled, or secret."""
        plan = self._made.plans[flow_name]
        askers = [p for p in plan.steps.values() if p.step.collects and slot in p.writes]
        means_to = any(not p.step.silent or p.id in plan.loops for p in askers)
        return means_to or self._made.sensitive(slot)

    def _check_done_once(self, step: Step) -> None:
        """Nothing that cannot be undone is done twice in a task, however often flows reopen."""
        for call in step.calls:
            contract = self._made.config.actions[call.action]
            flow_name = self._flow(call.flow_id)
            if contract.repeatable or call.step in self._made.plans[flow_name].loops:
                continue
            place = (self._task(call.flow_id), flow_name, call.step)
            assert place not in self._done, f"{call} was done before in this task"
            self._done.add(place)

    @staticmethod
    def _flow(flow_id: str) -> str:
        return flow_id.rsplit("_", 1)[0]


def check_shown(step: Step) -> None:
    """What was derived agrees with what it was derived from, in every text."""
    for text in step.turn.messages:
        for shown, derived in _PAIR.findall(text):
            assert shown == derived, f"{shown!r} is not {derived!r} in {text!r}"
    prompt = step.after["_pending_prompt"] or {}
    if prompt.get("kind") != "confirm" or not _PAIR.search(prompt["prompt"]):
        return
    own = step.after["flow_slots"][prompt["flow_id"]]
    slots = {**step.after["conversation_slots"], **own}
    flow_name = next(
        f["flow_name"] for f in step.after["flow_stack"] if f["flow_id"] == prompt["flow_id"]
    )
    confirm: Any = step.made.plans[flow_name].steps[prompt["step"]].step
    for (shown, _), (name, _) in zip(
        _PAIR.findall(prompt["prompt"]), _PAIR.findall(confirm.message), strict=True
    ):
        value = slots.get(name.strip("{}"))
        assert shown == ("" if value is None else str(value)), f"{name} is {value!r}, not {shown!r}"


def check_acknowledged(step: Step) -> None:
    """What the bot says a slot is now, it is."""
    if len(step.logged) != 1 or step.logged[0]["flow_id"] not in step.after["flow_slots"]:
        return
    entry = step.logged[0]
    slot, flow_id = entry["args"].get("slot_name"), entry["flow_id"]
    known = {**step.after["conversation_slots"], **step.after["flow_slots"][flow_id]}
    for text in step.turn.messages:
        said = re.fullmatch(rf"{slot} is now (.*)\.", text)
        if said and not step.made.sensitive(str(slot)) and isinstance(known.get(slot), int | str):
            assert said[1] in (str(known[slot]), "yes", "no"), f"{text} But it is {known[slot]!r}"


def check_too_late(step: Step) -> None:
    """A correction that comes too late changes nothing."""
    logged = step.logged
    if len(logged) != 1 or _DONE_BEFORE not in str(logged[0]["reason"]):
        return
    assert any(_TOO_LATE in text for text in step.turn.messages)
    if step.event.wait < 1800:
        assert step.after["flow_slots"] == step.before["flow_slots"]
        assert step.after["conversation_slots"] == step.before["conversation_slots"]
        assert _places(step.after) == _places(step.before)


def _places(state: Any) -> list[Any]:
    return [
        (
            flow["flow_id"],
            flow["current_step"],
            flow["progress"]["history"],
            flow["progress"]["skip"],
        )
        for flow in state["flow_stack"]
    ]


def _asked(state: Any) -> tuple[str, str] | None:
    prompt = state["_pending_prompt"] or {}
    waits = state["_need_input"] and prompt.get("kind") == "collect"
    return (prompt["flow_id"], prompt["slot"]) if waits else None


def _fills(entry: dict[str, Any], asked: tuple[str, str]) -> bool:
    filled = entry["command"] == "SetSlot" and entry["result"] == "success"
    return filled and (entry["flow_id"], entry["args"].get("slot_name")) == asked


def _gives_up_answers(made: dict[str, Any]) -> bool:
    return bool(made["command"] == "DenyConfirmation")
