"""FlowStepManager: past the questions that are answered, to the first step with work to do."""

from typing import Any

from soni import SoniConfig
from soni.config.assistant import Assistant
from soni.core.state import apply_updates, create_initial_state, create_progress
from soni.core.types import DialogueState
from soni.flow.manager import FlowManager
from soni.flow.steps import FlowStepManager, record_passage

FLIGHT = [
    {"step": "origin", "collect": "origin"},
    {"step": "destination", "collect": "destination"},
    {"step": "date", "collect": "date"},
    {"step": "say", "say": "Booked."},
]


def _advanced(
    steps: list[dict[str, Any]], current: str | None = None, **slots: Any
) -> tuple[DialogueState, dict[str, Any]]:
    config = SoniConfig(flows={"f": {"steps": steps}})
    manager = FlowManager(config, lambda name: name)
    state = create_initial_state()
    state = apply_updates(state, manager.push_flow(state, "f", inputs=slots)[1].updates())
    moved = manager.update_context(state, "f", current_step=current).updates()
    state = apply_updates(state, moved)
    stepper = FlowStepManager(Assistant(config), manager)
    return state, stepper.advance_through_completed_steps(state)


def _at(updates: dict[str, Any]) -> str | None:
    current: str | None = updates["flow_stack"][0]["current_step"]
    return current


def test_filled_questions_are_passed_up_to_the_first_that_is_not() -> None:
    _, updates = _advanced(FLIGHT, origin="New York", destination="Los Angeles")
    assert _at(updates) == "date"
    history = updates["flow_stack"][0]["progress"]["history"]
    assert history == [
        {"step": "origin", "next": "destination"},
        {"step": "destination", "next": "date"},
    ]


def test_zero_no_nothing_and_null_are_answers() -> None:
    _, updates = _advanced(FLIGHT, origin=0, destination="", date=None)
    assert _at(updates) == "say"


def test_it_stops_at_a_step_that_does_something() -> None:
    _, updates = _advanced(FLIGHT, origin="a", destination="b", date="c")
    assert _at(updates) == "say"


def test_it_goes_on_from_the_current_step() -> None:
    _, updates = _advanced(FLIGHT, "destination", destination="b")
    assert _at(updates) == "date"
    assert [p["step"] for p in updates["flow_stack"][0]["progress"]["history"]] == ["destination"]


def test_a_flow_of_answered_questions_is_at_its_end() -> None:
    _, updates = _advanced(FLIGHT[:2], origin="a", destination="b")
    assert _at(updates) == "end"


def test_with_nothing_to_pass_nothing_changes() -> None:
    assert _advanced(FLIGHT)[1] == {}
    assert _advanced(FLIGHT, "say")[1] == {}


def test_a_guarded_question_is_left_to_its_guard() -> None:
    steps = [{"step": "ask", "collect": "origin", "when": "vip"}, FLIGHT[3]]
    assert _advanced(steps, origin="a")[1] == {}


def test_a_loop_of_answered_questions_ends() -> None:
    steps = [FLIGHT[0], {**FLIGHT[1], "jump_to": "origin"}]
    _, updates = _advanced(steps, origin="a", destination="b")
    assert _at(updates) == "origin"


def test_the_state_itself_is_not_changed() -> None:
    state, _ = _advanced(FLIGHT, origin="a")
    assert state["flow_stack"][0]["current_step"] is None
    assert state["flow_stack"][0]["progress"] == create_progress()


def test_without_an_active_flow_or_its_plan_there_is_nothing_to_do() -> None:
    config = SoniConfig(flows={"f": {"steps": FLIGHT}})
    manager = FlowManager(config, lambda name: name)
    stepper = FlowStepManager(Assistant(config), manager)
    state = create_initial_state()
    assert stepper.advance_through_completed_steps(state) == {}
    before = FlowManager(SoniConfig(flows={"gone": {"steps": FLIGHT}}))
    gone = apply_updates(state, before.push_flow(state, "gone")[1].updates())
    assert stepper.advance_through_completed_steps(gone) == {}


PAY = [
    {"say": "Hello", "step": "hello"},
    {"action": "look", "step": "look"},
    {"action": "pay", "step": "pay"},
    {"while": "more", "step": "loop", "do": [{"say": "In", "step": "inner"}]},
]


def _way(*steps: str) -> list[str]:
    actions = {"look": {"repeatable": True}, "pay": {"repeatable": False}}
    config = SoniConfig(flows={"f": {"steps": PAY}}, actions=actions)
    plan, progress = Assistant(config).plans["f"], create_progress()
    for step in steps:
        progress = record_passage(progress, plan, step, "next")
    return [passage["step"] for passage in progress["history"]]


def test_a_step_that_runs_again_has_come_back_and_the_detour_is_forgotten() -> None:
    assert _way("hello", "look", "hello") == ["hello"]
    assert _way("look", "hello", "look") == ["look"]


def test_what_cannot_be_done_again_is_not_forgotten() -> None:
    assert _way("hello", "pay", "look", "hello") == ["pay", "hello"]


def test_what_ran_inside_a_loop_is_no_detour() -> None:
    assert _way("look", "loop", "inner", "loop") == ["look", "inner", "loop"]
