"""Call memory: what a flow remembers of those that it called, and how it goes back into them."""

from typing import Any, cast

from soni import SoniConfig
from soni.config.assistant import Assistant
from soni.core.state import apply_updates, complete_memory, create_initial_state, create_progress
from soni.core.types import DialogueState, FlowContext
from soni.flow.call_memory import (
    find_call_path,
    find_filling_call,
    find_reopenable_calls,
    fold_calls,
    get_calls,
    iter_remembered_flows,
    list_flows_above,
    remember_call,
    reopen_call,
)

ASSISTANT = Assistant(
    SoniConfig.model_validate(
        {
            "slots": {"pin": {"sensitive": True, "prompt": "PIN?"}, "city": {"prompt": "City?"}},
            "flows": {
                "top": {
                    "steps": [
                        {"step": "one", "call": "middle", "outputs": {"city": "origin"}},
                        {"step": "two", "call": "middle", "outputs": {"city": "target"}},
                        {"step": "more", "call": "through"},
                    ]
                },
                "middle": {
                    "outputs": ["city", "made"],
                    "steps": [{"step": "deep", "call": "bottom"}, {"set": {"made": 1}}],
                },
                "bottom": {"outputs": ["city"], "steps": [{"collect": "pin"}, {"collect": "city"}]},
                "through": {
                    "inputs": ["target?"],
                    "outputs": ["target"],
                    "steps": [{"say": "{target}"}],
                },
            },
        }
    )
)
PLANS = ASSISTANT.plans


def _secret(name: str) -> bool:
    return ASSISTANT.get_slot_config(name).sensitive


def _flow(name: str, step: str | None, by: str | None = None, *ran: str) -> FlowContext:
    history = [{"step": each, "next": "continue"} for each in ran]
    context = {
        "flow_id": f"{name}_1",
        "flow_name": name,
        "flow_state": "paused",
        "paused_at": 0.0,
        "current_step": step,
        "called_by": by,
        "progress": {**create_progress(), "history": history},
    }
    return cast(FlowContext, context)


def _state(stack: list[FlowContext], slots: dict[str, Any]) -> DialogueState:
    return apply_updates(create_initial_state(), {"flow_stack": stack, "flow_slots": slots})


def _open() -> DialogueState:
    """Three levels, the innermost of which knows a secret; another task on top."""
    stack = [
        _flow("top", "one"),
        _flow("middle", "deep", "top_1"),
        _flow("bottom", "collect_city", "middle_1", "collect_pin"),
        {**_flow("through", "say"), "flow_id": "other_1"},
    ]
    return _state(stack, {"bottom_1": {"pin": "4711", "city": "Rome"}, "middle_1": {"a": 1}})


def _folded() -> DialogueState:
    state = _open()
    return apply_updates(state, fold_calls(state, "top_1", _secret, ["city"], 0.0).updates())


def test_above_a_flow_are_those_of_its_own_task() -> None:
    names = [context["flow_name"] for context in list_flows_above(_open(), "top_1")]
    assert names == ["middle", "bottom"]
    assert list_flows_above(_open(), "bottom_1") == []
    assert list_flows_above(_open(), "nobody") == []


def test_folding_leaves_the_caller_and_the_other_task_on_the_stack() -> None:
    state = _folded()
    assert [context["flow_id"] for context in state["flow_stack"]] == ["top_1", "other_1"]
    assert [c["flow_name"] for c in iter_remembered_flows(state["flow_stack"][0], PLANS)] == [
        "middle",
        "bottom",
    ]


def test_only_the_outermost_call_has_inputs_in_doubt() -> None:
    memory = get_calls(_folded()["flow_stack"][0])["one"]
    assert memory["again"] == ["city"]
    assert get_calls(memory["context"])["deep"]["again"] == []


def test_a_secret_is_remembered_by_name_alone() -> None:
    memory = get_calls(_folded()["flow_stack"][0])["one"]
    inner = get_calls(memory["context"])["deep"]
    assert inner["slots"] == {"city": "Rome"}
    assert inner["context"]["progress"]["lost"] == ["pin"]
    assert "4711" not in str(memory)


def test_a_secret_that_was_lost_before_stays_lost() -> None:
    called = _flow("bottom", "end")
    called["progress"]["lost"] = ["pin"]
    caller = remember_call(_flow("middle", "deep"), called, _state([], {}), _secret)
    assert get_calls(caller)["deep"]["context"]["progress"]["lost"] == ["pin"]
    assert get_calls(caller)["deep"]["again"] is None


def test_reopening_puts_it_right_above_its_caller_as_it_was() -> None:
    state = _folded()
    state = apply_updates(state, reopen_call(state, "top_1", "one", 0.0).updates())
    assert [c["flow_id"] for c in state["flow_stack"]] == ["top_1", "middle_1", "other_1"]
    assert state["flow_stack"][1]["current_step"] == "deep"
    assert get_calls(state["flow_stack"][0]) == {}


def test_within_the_turn_it_still_knows_its_secret_and_later_it_does_not() -> None:
    state = _folded()
    for step, caller in (("one", "top_1"), ("deep", "middle_1")):
        state = apply_updates(state, reopen_call(state, caller, step, 0.0).updates())
    assert state["flow_slots"]["bottom_1"] == {"pin": "4711", "city": "Rome"}
    later = apply_updates(_folded(), {"flow_slots": {"bottom_1": None, "middle_1": None}})
    for step, caller in (("one", "top_1"), ("deep", "middle_1")):
        later = apply_updates(later, reopen_call(later, caller, step, 0.0).updates())
    assert later["flow_slots"] == {"bottom_1": {"city": "Rome"}, "middle_1": {"a": 1}}


def test_the_way_to_a_remembered_flow_leads_through_its_callers() -> None:
    state = _folded()
    assert find_call_path("bottom_1", state, PLANS) == [("top_1", "one"), ("middle_1", "deep")]
    assert find_call_path("middle_1", state, PLANS) == [("top_1", "one")]
    assert find_call_path("top_1", state, PLANS) == []


def _returned(*steps: str) -> FlowContext:
    """A top flow whose calls came back in this order."""
    state, top = _state([], {}), _flow("top", "end", None, *steps)
    for step in steps:
        use = PLANS["top"].steps[step].step.subflow()
        assert use is not None
        inner = _flow("bottom", "end", "middle_1", "collect_pin", "collect_city")
        called = {**_flow(use.flow, "end", "top_1"), "flow_id": f"{step}_1"}
        if use.flow == "middle":
            called = remember_call(cast(FlowContext, {**called, "current_step": "deep"}), inner,
                                 state, _secret)  # fmt: skip
        at = cast(FlowContext, {**top, "current_step": step})
        top = remember_call(at, cast(FlowContext, called), state, _secret)
    return top


def test_the_call_that_came_back_last_comes_first() -> None:
    assert [step for step, _, _ in find_reopenable_calls(_returned("one", "two"), PLANS)] == [
        "two",
        "one",
    ]
    assert [step for step, _, _ in find_reopenable_calls(_returned("two", "one"), PLANS)] == [
        "one",
        "two",
    ]


def test_a_slot_is_handed_out_by_the_call_whose_output_goes_to_it() -> None:
    top = _returned("one", "two")
    assert find_filling_call("origin", top, PLANS) == ("one", "city")
    assert find_filling_call("target", top, PLANS) == ("two", "city")
    assert find_filling_call("city", top, PLANS) is None


def test_what_was_computed_in_there_is_handed_out_by_nobody() -> None:
    assert find_filling_call("made", _returned("one"), PLANS) is None


def test_what_only_went_through_a_call_is_handed_out_by_the_one_before() -> None:
    assert find_filling_call("target", _returned("two", "more"), PLANS) == ("two", "city")
    assert find_filling_call("target", _returned("more"), PLANS) is None


def test_a_call_that_is_not_in_the_flows_any_more_is_not_recalled() -> None:
    top = _returned("one")
    gone = {name: plan for name, plan in PLANS.items() if name != "middle"}
    assert list(find_reopenable_calls(top, gone)) == []
    called = get_calls(top)
    top["progress"]["called"] = {"removed": called["one"], "more": called["one"]}
    assert list(find_reopenable_calls(top, PLANS)) == []
    assert find_filling_call("origin", top, PLANS) is None
    assert list(find_reopenable_calls(_flow("nowhere", None), PLANS)) == []


def test_a_conversation_from_before_has_called_nothing() -> None:
    old = _flow("top", "one")
    del old["progress"]["called"]  # type: ignore[misc]
    now = complete_memory(old)
    assert get_calls(now) == {}
    assert list(iter_remembered_flows(now, PLANS)) == []
