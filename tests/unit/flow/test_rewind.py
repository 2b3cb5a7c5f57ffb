"""rewind: how far back a flow goes when a slot changes, and what it remembers."""

from typing import Any, cast

import pytest

from soni import SoniConfig
from soni.config.assistant import Assistant
from soni.config.plan import FlowPlan
from soni.core.state import create_progress
from soni.core.types import FlowContext
from soni.flow.irreversible import TooLateError
from soni.flow.rewind import RewindResult, rewind


def _plan(*steps: dict[str, Any]) -> FlowPlan:
    """A flow whose action `look` may run again, and whose action `pay` may not."""
    actions = {
        "look": {"inputs": ["city"], "outputs": ["price"], "repeatable": True},
        "pay": {"inputs": ["amount"], "outputs": ["receipt"], "repeatable": False},
    }
    config = SoniConfig(actions=actions, flows={"f": {"steps": list(steps)}})
    return Assistant(config).plans["f"]


def _at(current: str | None, *ran: str, skip: tuple[str, ...] = (), **passages: str) -> FlowContext:
    """A flow that ran these steps, each to the next, but for those that went elsewhere."""
    onwards = [*ran[1:], current or "end"]
    history = [
        {"step": step, "next": passages.get(step, following)}
        for step, following in zip(ran, onwards, strict=True)
    ]
    remembered = [{"step": step, "next": "continue"} for step in skip]
    progress = {**create_progress(), "history": history, "skip": remembered}
    return cast(FlowContext, {"current_step": current, "progress": progress})


def _steps(passages: Any) -> list[str]:
    return [passage["step"] for passage in passages]


def _ways(back: RewindResult) -> tuple[str | None, list[str], list[str]]:
    return back.current_step, _steps(back.progress["history"]), _steps(back.progress["skip"])


LINEAR = _plan(
    {"step": "ask_city", "collect": "city"},
    {"step": "look", "action": "look"},
    {"step": "ask_amount", "collect": "amount"},
    {"step": "total", "set": {"total": "{{ amount * price }}"}},
    {"step": "tell", "say": "It is {amount}."},
    {"step": "sure", "confirm": "{total}?"},
    {"step": "pay", "action": "pay"},
    {"step": "bye", "collect": "note", "message": "A note?"},
)
UP_TO_CONFIRM = ("ask_city", "look", "ask_amount", "total", "tell")


def test_a_slot_that_nothing_has_read_leaves_the_flow_where_it_is() -> None:
    back = rewind(LINEAR, _at("sure", *UP_TO_CONFIRM), ["note"])
    assert _ways(back) == ("sure", list(UP_TO_CONFIRM), [])
    assert back.unset == ()


def test_it_goes_back_to_the_first_step_that_read_the_slot() -> None:
    back = rewind(LINEAR, _at("sure", *UP_TO_CONFIRM), ["amount"])
    assert _ways(back) == ("total", ["ask_city", "look", "ask_amount"], [])
    assert back.unset == ("total",)


def test_what_was_derived_is_followed_and_the_rest_is_remembered() -> None:
    back = rewind(LINEAR, _at("sure", *UP_TO_CONFIRM), ["city"])
    # The amount was told already and has not changed; the price has, and so the total.
    assert _ways(back) == ("look", ["ask_city"], ["tell"])
    assert back.unset == ("price", "total")


def test_questions_are_never_remembered_for_an_answer_passes_by_itself() -> None:
    back = rewind(LINEAR, _at("sure", *UP_TO_CONFIRM), ["city"])
    assert "ask_amount" not in _steps(back.progress["skip"])


def test_an_action_that_may_not_run_again_makes_it_too_late() -> None:
    context = _at("bye", *UP_TO_CONFIRM, "sure", "pay")
    with pytest.raises(TooLateError) as late:
        rewind(LINEAR, context, ["amount"])
    assert late.value.step == "pay"
    # It never read the city.
    assert rewind(LINEAR, context, ["city"]).current_step == "look"


def test_an_action_that_was_skipped_did_nothing_that_is_too_late_to_undo() -> None:
    plan = _plan(
        {"step": "ask", "collect": "amount"},
        {"step": "pay", "action": "pay", "when": "amount > 5"},
        {"step": "bye", "collect": "note", "message": "A note?"},
    )
    context = _at("bye", "ask", "pay")
    context["progress"]["history"][1]["skipped"] = True
    assert rewind(plan, context, ["amount"]).current_step == "pay"


def test_a_slot_to_be_asked_again_leads_to_the_step_that_asks_it() -> None:
    back = rewind(LINEAR, _at("sure", *UP_TO_CONFIRM), (), ["amount"])
    assert _ways(back) == ("ask_amount", ["ask_city", "look"], [])
    assert back.progress["ask"] == []


def test_a_slot_that_no_step_asks_is_asked_before_the_flow_goes_on() -> None:
    plan = _plan({"step": "tell", "say": "{extra}"}, {"step": "sure", "confirm": "Sure?"})
    back = rewind(plan, _at("sure", "tell"), (), ["extra"])
    assert (back.current_step, back.progress["ask"]) == ("tell", ["extra"])


def test_an_answer_or_a_change_under_way_is_forgotten() -> None:
    context = _at("sure", *UP_TO_CONFIRM)
    context["progress"].update(answer="yes", changing=True)
    back = rewind(LINEAR, context, ["note"])
    assert (back.progress["answer"], back.progress["changing"]) == (None, False)


def test_a_second_change_runs_again_what_the_first_had_remembered() -> None:
    # The city was changed, the flow stands at `look` again, and `tell` was to be passed over.
    context = _at("look", "ask_city", skip=("tell",))
    assert _ways(rewind(LINEAR, context, ["amount"])) == ("look", ["ask_city"], [])
    assert _ways(rewind(LINEAR, context, ["note"])) == ("look", ["ask_city"], ["tell"])


def test_what_is_remembered_as_done_stays_too_late() -> None:
    with pytest.raises(TooLateError):
        rewind(LINEAR, _at("look", "ask_city", skip=("pay",)), ["amount"])


def test_a_step_that_is_gone_is_passed_over() -> None:
    context = _at("sure", "removed", *UP_TO_CONFIRM)
    assert rewind(LINEAR, context, ["amount"]).current_step == "total"


FORK = _plan(
    {"step": "ask", "collect": "amount"},
    {"step": "zero", "set": {"fee": 0}},
    {"step": "fork", "branch": [{"condition": "amount > 9", "then": "dear"}, {"else": "join"}]},
    {"step": "dear", "set": {"fee": 5}},
    {"step": "hello", "say": "Dear customer."},
    {"step": "join", "say": "The fee is {fee}."},
    {"step": "sure", "confirm": "Sure?"},
)


def test_what_one_way_wrote_is_in_doubt_when_the_way_is() -> None:
    back = rewind(FORK, _at("sure", "ask", "zero", "fork", "dear", "hello", "join"), ["amount"])
    # `zero` must restore what `dear` wrote, in case the other way is taken.
    assert _ways(back) == ("zero", ["ask"], ["hello"])
    assert back.unset == ("fee",)


def test_a_way_not_taken_may_write_what_was_read_behind_it() -> None:
    back = rewind(FORK, _at("sure", "ask", "zero", "fork", "join", fork="join"), ["amount"])
    assert _ways(back) == ("fork", ["ask", "zero"], [])


def test_what_was_done_on_one_way_cannot_be_undone_by_taking_another() -> None:
    plan = _plan(
        {"step": "ask", "collect": "vip"},
        {"step": "fork", "branch": [{"condition": "vip", "then": "pay"}, {"else": "bye"}]},
        {"step": "pay", "action": "pay"},
        {"step": "bye", "collect": "note", "message": "A note?"},
    )
    with pytest.raises(TooLateError):
        rewind(plan, _at("bye", "ask", "fork", "pay"), ["vip"])


def test_what_is_done_on_every_way_is_no_obstacle() -> None:
    plan = _plan(
        {"step": "ask", "collect": "vip"},
        {"step": "fork", "branch": [{"condition": "vip", "then": "hi"}, {"else": "pay"}]},
        {"step": "hi", "say": "Dear customer."},
        {"step": "pay", "action": "pay"},
        {"step": "bye", "collect": "note", "message": "A note?"},
    )
    back = rewind(plan, _at("bye", "ask", "fork", "hi", "pay"), ["vip"])
    assert _ways(back) == ("fork", ["ask"], ["hi", "pay"])


def test_a_value_made_of_itself_is_made_from_its_source_again() -> None:
    plan = _plan(
        {"step": "start", "set": {"total": 100}},
        {"step": "ask", "collect": "amount"},
        {"step": "add", "set": {"total": "{{ total + amount }}"}},
        {"step": "sure", "confirm": "{total}?"},
    )
    back = rewind(plan, _at("sure", "start", "ask", "add"), ["amount"])
    assert (back.current_step, back.unset) == ("start", ("total",))


def test_an_answer_is_never_unset_even_if_a_step_writes_it_too() -> None:
    plan = _plan(
        {"step": "ask", "collect": "amount"},
        {"step": "round", "set": {"amount": "{{ round(amount) }}"}},
        {"step": "sure", "confirm": "{amount}?"},
    )
    back = rewind(plan, _at("sure", "ask", "round"), ["amount"])
    assert (back.current_step, back.unset) == ("round", ())


def test_a_guarded_question_is_decided_anew_and_its_answer_stays() -> None:
    plan = _plan(
        {"step": "ask", "collect": "vip"},
        {"step": "extra", "collect": "note", "when": "vip"},
        {"step": "sure", "confirm": "{note}?"},
    )
    back = rewind(plan, _at("sure", "ask", "extra"), ["vip"])
    assert (back.current_step, back.unset) == ("extra", ())


def test_the_context_it_is_given_does_not_change() -> None:
    context = _at("sure", *UP_TO_CONFIRM)
    history = list(context["progress"]["history"])
    rewind(LINEAR, context, ["city"], ["amount"])
    assert context["progress"]["history"] == history
    assert context["current_step"] == "sure"


CALLS = Assistant(
    SoniConfig.model_validate(
        {
            "actions": {"pay": {"inputs": ["amount"], "outputs": ["receipt"]}},
            "flows": {
                "top": {
                    "steps": [
                        {"step": "ask", "collect": "amount", "message": "How much?"},
                        {"step": "go", "call": "sub", "inputs": {"x": "{{ amount * 2 }}"}},
                        {"step": "tell_sum", "say": "{sum}"},
                        {"step": "tell_name", "say": "{name}"},
                        {"step": "bye", "collect": "note", "message": "A note?"},
                    ]
                },
                "sub": {
                    "inputs": ["x"],
                    "outputs": ["sum", "name", "receipt"],
                    "steps": [
                        {"step": "who", "collect": "name", "message": "Who?"},
                        {"step": "add", "set": {"sum": "{{ x + 1 }}"}},
                        {"step": "pay", "action": "pay", "inputs": {"amount": "{{ sum }}"}},
                    ],
                },
            },
        }
    )
).plans
RAN = ("ask", "go", "tell_sum", "tell_name")


def _sub(*ran: str, at: str | None = "end") -> FlowContext:
    return cast(FlowContext, {**_at(at, *ran), "flow_name": "sub", "flow_id": "sub_1"})


def _top(sub: FlowContext, *ran: str, at: str = "bye", again: Any = None) -> FlowContext:
    context = cast(FlowContext, {**_at(at, *ran), "flow_name": "top"})
    context["progress"]["called"] = {"go": {"context": sub, "slots": {}, "again": again}}
    return context


def _rewind(context: FlowContext, *changed: str, **more: Any) -> RewindResult:
    return rewind(CALLS["top"], context, changed, plans=CALLS, **more)


def test_of_a_call_only_the_outputs_that_the_input_leads_to_are_in_doubt() -> None:
    back = _rewind(_top(_sub("who", "add"), *RAN), "amount")
    assert _ways(back) == ("go", ["ask"], ["tell_name"])
    assert back.progress["called"]["go"]["again"] == ["x"]
    assert back.tainted >= {"amount", "sum"}
    assert "name" not in back.tainted


def test_a_call_gone_back_into_makes_doubtful_what_it_may_write_anew() -> None:
    back = _rewind(_top(_sub("who", "add"), *RAN), again=("go", frozenset({"name"})))
    assert _ways(back) == ("go", ["ask"], ["tell_sum"])
    assert back.progress["called"]["go"]["again"] == []
    back = _rewind(_top(_sub("who", "add"), *RAN), again=("go", frozenset()))
    assert _ways(back) == ("go", ["ask"], ["tell_sum", "tell_name"])


def test_a_call_on_a_way_that_was_given_up_makes_nothing_doubtful() -> None:
    context = _top(_sub("who", "add"), "ask", "tell_name")
    back = _rewind(context, again=("go", frozenset({"name"})))
    assert _ways(back) == ("bye", ["ask", "tell_name"], [])


def test_a_call_ahead_makes_doubtful_what_was_to_be_passed_over_behind_it() -> None:
    context = _top(_sub("who", "add"), "ask", at="go", again=["x"])
    context["progress"]["skip"] = [{"step": "tell_name", "next": "bye"}]
    back = _rewind(context, again=("go", frozenset({"name"})))
    assert _ways(back) == ("go", ["ask"], [])
    assert back.progress["called"]["go"]["again"] == ["x"]


def test_it_is_too_late_if_the_called_flow_has_done_something_with_the_input() -> None:
    with pytest.raises(TooLateError) as late:
        _rewind(_top(_sub("who", "add", "pay"), *RAN), "amount")
    assert late.value.step == "pay"
    # It might have, but has not come to it.
    assert _rewind(_top(_sub("who", "add"), *RAN), "amount").current_step == "go"


def test_an_open_call_is_reentered_for_another_input_and_else_goes_on() -> None:
    context = cast(FlowContext, {**_at("go", "ask"), "flow_name": "top"})
    open_sub = _sub("who", at="add")
    assert _rewind(context, "amount", above=[open_sub]).reenters == ("x",)
    assert _rewind(context, "note", above=[open_sub]).reenters is None
    with pytest.raises(TooLateError):
        _rewind(context, "amount", above=[_sub("who", "add", "pay")])


def test_a_call_whose_flow_is_gone_is_made_again_with_everything_it_writes() -> None:
    only_top = {"top": CALLS["top"]}
    back = rewind(CALLS["top"], _top(_sub("who"), *RAN), ["amount"], plans=only_top)
    assert _ways(back) == ("go", ["ask"], [])
