"""What holds after every turn, whatever was said."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from langchain_core.messages import BaseMessage

from soni.core.transitions import StateTransitionValidator
from soni.core.types import DialogueState
from soni.flow.stack import tasks_of
from soni.runtime.turn import Turn
from tests.property.functions import Call
from tests.property.generators import Made
from tests.property.values import TRACES_OF_SECRETS
from tests.property.walks import Event

# More than any entry of a state needs, given how long texts and values of a walk are.
_ENTRY_BYTES = 4_000
_AT_REST = {"idle", "waiting_for_slot", "confirming"}


@dataclass(frozen=True)
class Step:
    """One turn of a walk, seen from outside."""

    made: Made
    event: Event
    before: DialogueState
    turn: Turn
    calls: list[Call]
    """What was really called in this turn."""

    @property
    def after(self) -> DialogueState:
        return self.turn.state

    @property
    def logged(self) -> list[dict[str, Any]]:
        """What the command log says of this turn."""
        return [e for e in self.after["command_log"] if e["turn"] == self.after["turn_count"]]

    @property
    def was_handed_off(self) -> bool:
        return bool(self.before["metadata"].get("handoff")) and self.event.kind != "release"

    @property
    def confirming(self) -> tuple[str, str] | None:
        """The instance and confirm step that the turn began at."""
        asked = self.before["_pending_prompt"] or {}
        return (asked["flow_id"], asked["step"]) if asked.get("kind") == "confirm" else None

    @property
    def affirmed(self) -> tuple[str, str] | None:
        """The instance and confirm step that got a yes in this turn."""
        said = any(
            made["command"] == "AffirmConfirmation" and made["decision"] == "accepted"
            for made in self.turn.commands
        )
        return self.confirming if said else None


def check(step: Step) -> None:
    """All that can be said about one turn by itself."""
    check_rest(step)
    check_question(step)
    check_yes_edge(step)
    check_slots_of_others(step)
    check_transitions(step)
    check_log(step)
    check_size(step)
    check_plain_data(step)


def check_rest(step: Step) -> None:
    """Between turns the conversation waits, or has nothing to do."""
    after = step.after
    assert after["conversation_state"] in _AT_REST
    assert set(after["flow_slots"]) == {flow["flow_id"] for flow in after["flow_stack"]}
    states = [flow["flow_state"] for flow in after["flow_stack"]]
    assert states == ["paused"] * (len(states) - 1) + ["active"] * bool(states)
    assert after["user_message"] is None
    assert after["nlu_result"] is None
    assert after["commands"] == []
    if after["_need_input"]:
        expected = "confirming" if after["waiting_for_slot"] is None else "waiting_for_slot"
        assert after["conversation_state"] == expected
        assert after["_pending_prompt"] is not None
        assert after["waiting_for_slot"] == after["_pending_prompt"]["slot"]
    else:
        assert after["conversation_state"] == "idle"
        assert not after["flow_stack"] or after["metadata"]["handoff"], "an open task hangs"


def check_question(step: Step) -> None:
    """At most one question, the one that is waited on, after everything else."""
    said = step.turn.messages
    # What there is to choose from follows in lines of its own.
    questions = [text for text in said if text.partition("\n")[0].endswith("?")]
    if step.after["_need_input"]:
        assert questions == [said[-1]] == [(step.after["_pending_prompt"] or {})["prompt"]]
    else:
        assert questions == []


def check_yes_edge(step: Step) -> None:
    """Without a yes nothing goes where the yes leads."""
    if step.confirming is None or step.affirmed is not None:
        return
    flow_id, confirm = step.confirming
    for flow in step.after["flow_stack"]:
        planned = step.made.plans[flow["flow_name"]].steps.get(confirm)
        if flow["flow_id"] != flow_id or planned is None or planned.step.when is not None:
            continue
        yes = planned.targets.get("on_yes", planned.next)
        went = _went(step.after, flow_id, confirm) - _went(step.before, flow_id, confirm)
        assert yes not in went or planned.targets.get("on_no") == yes


def _went(state: DialogueState, flow_id: str, step_id: str) -> set[str]:
    """Where an instance went from a step."""
    return {
        passage["next"]
        for flow in state["flow_stack"]
        for passage in flow["progress"]["history"]
        if flow["flow_id"] == flow_id and passage["step"] == step_id
    }


def check_slots_of_others(step: Step) -> None:
    """A paused task that no command of this turn was about is exactly as it was."""
    concerned = {entry["flow_id"] for entry in step.logged}
    for state in (step.before, step.after):
        concerned |= {flow["flow_id"] for flow in state["flow_stack"][-1:]}
    now = {flow["flow_id"]: flow for flow in step.after["flow_stack"]}
    if step.after["turn"]["ended"]:
        # What was below had its turn, even if another task was started on top of it then.
        survivors = [f["flow_id"] for f in step.before["flow_stack"] if f["flow_id"] in now]
        concerned |= set(survivors[-1:])
    open_before = {flow["flow_id"] for flow in step.before["flow_stack"]}
    if concerned - open_before - now.keys() - {None} or _shared_changed(step):
        # A flow that has come back was gone into again, or all who use a shared slot go back.
        return
    for task in tasks_of(step.before["flow_stack"]):
        ids = {flow["flow_id"] for flow in task}
        concerned |= ids if ids & concerned else set()
    for flow in step.before["flow_stack"]:
        flow_id = flow["flow_id"]
        if flow_id in concerned or flow_id not in now:
            continue
        assert step.after["flow_slots"][flow_id] == step.before["flow_slots"][flow_id]
        assert now[flow_id]["current_step"] == flow["current_step"]
        assert now[flow_id]["progress"] == flow["progress"]


def _shared_changed(step: Step) -> bool:
    return step.before["conversation_slots"] != step.after["conversation_slots"]


def check_transitions(step: Step) -> None:
    """The states on record lead from where the turn began to where it ended, by legal moves."""
    states = step.after["turn"]["transitions"]
    ends = (step.before["conversation_state"], step.after["conversation_state"])
    if not states:
        assert ends[0] == ends[1]
        return
    assert (states[0], states[-1]) == ends
    for source, target in pairwise(states):
        StateTransitionValidator.validate_transition(source, target)


def check_log(step: Step) -> None:
    """Every command that was given has a decision, and every decision its lines in the log."""
    decisions = step.turn.commands
    if step.was_handed_off:
        assert decisions == []
        return
    for given, made in zip(step.event.commands or (), decisions, strict=False):
        assert made["command"] == _type_of(given)
    assert len(decisions) >= len(step.event.commands or ())
    expected: Counter[str] = Counter()
    for made in decisions:
        expected[made["command"]] += 1
        expected.update(other["command"] for other in made["to"])
    assert Counter(entry["command"] for entry in step.logged) == expected
    for entry in step.logged:
        assert entry["result"] in ("success", "rewritten", "rejected", "error")
        assert entry["reason"] or entry["result"] == "success"


def _type_of(given: Any) -> str:
    if isinstance(given, dict):
        return str(given.get("type", "?"))
    return str(getattr(given, "type", type(given).__name__))


def check_size(step: Step) -> None:
    """Nothing grows beyond what the settings allow."""
    after, settings = step.after, step.made.config.settings
    memory = settings.memory_management
    assert len(after["messages"]) <= memory.max_history_messages
    assert len(after["trace"]) <= memory.max_trace_events
    assert len(after["command_log"]) <= memory.max_logged_commands
    assert len(after["metadata"]["completed_flows"]) <= memory.max_completed_flows
    assert len(tasks_of(after["flow_stack"])) <= settings.flow_management.max_stack_depth
    for flow in after["flow_stack"]:
        steps = set(step.made.plans[flow["flow_name"]].steps)
        progress = flow["progress"]
        for passages in (progress["history"], progress["skip"]):
            ran = [passage["step"] for passage in passages]
            assert len(ran) == len(set(ran)), f"a step stands twice in {ran}"
            assert steps.issuperset(ran)
        assert steps.issuperset(progress["visits"])
    entries = memory.model_dump().values()
    room = sum(entries) + settings.flow_management.max_stack_depth + 10
    assert len(_dumped(after)) <= room * _ENTRY_BYTES


def check_plain_data(step: Step) -> None:
    """All but the messages is JSON, and no secret is outside the slots."""
    after = step.after
    assert all(isinstance(message, BaseMessage) for message in after["messages"])
    slots = {"flow_slots", "conversation_slots", "_pending_prompt"}
    shown = {key: value for key, value in after.items() if key not in slots}
    assert_no_secret(_dumped(shown))
    assert_no_secret("\n".join(step.turn.messages))


def assert_no_secret(text: str) -> None:
    """Sensitive values are masked everywhere outside slots."""
    found = [trace for trace in TRACES_OF_SECRETS if trace in text]
    assert not found, f"a secret was told: {found} in {text[max(0, text.find(found[0]) - 200) :]}"


def _dumped(state: Any) -> str:
    plain = {key: value for key, value in state.items() if key != "messages"}
    said = [message.content for message in state["messages"]]
    return json.dumps({**plain, "messages": said}, ensure_ascii=False, allow_nan=False)
