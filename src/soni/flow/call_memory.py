"""Memory of called flows that are no longer on the stack.

While its caller is open, the slots and the progress of a called flow are kept. So a correction can
go back into it without repeating its questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from soni.core.types import Called, DialogueState, FlowContext
from soni.flow.manager import FlowDelta
from soni.flow.stack import find_task, settle_stack

if TYPE_CHECKING:
    from soni.config.plan import FlowPlan
    from soni.steps import FlowUse

Secret = Callable[[str], bool]


def list_flows_above(state: DialogueState, flow_id: str) -> list[FlowContext]:
    """The open flows that an instance has called, directly or not, from the bottom."""
    task = find_task(state["flow_stack"], flow_id)
    at = next((i for i, context in enumerate(task) if context["flow_id"] == flow_id), len(task))
    return task[at + 1 :]


def get_calls(context: FlowContext) -> dict[str, Called]:
    """Call step -> the flow that it called last."""
    return context["progress"]["called"]


def find_reopenable_calls(
    context: FlowContext, plans: Mapping[str, FlowPlan]
) -> Iterator[tuple[str, FlowUse, Called]]:
    """The calls that can be reopened, the latest first.

    If the flows were edited meanwhile, a step may be gone, or may call another flow.
    """
    plan, calls = plans.get(context["flow_name"]), get_calls(context)
    ran = [passage["step"] for passage in context["progress"]["history"]]
    latest_first = sorted(calls, key=lambda s: ran.index(s) if s in ran else -1, reverse=True)
    for step in latest_first:
        planned = plan.steps.get(step) if plan is not None else None
        use = planned.step.subflow() if planned is not None else None
        called = calls[step]["context"]["flow_name"]
        if use is not None and use.flow == called and called in plans:
            yield step, use, calls[step]


def iter_memories(context: FlowContext, plans: Mapping[str, FlowPlan]) -> Iterator[Called]:
    """The called flows that an instance remembers, and those that they remember."""
    for _, _, memory in find_reopenable_calls(context, plans):
        yield memory
        yield from iter_memories(memory["context"], plans)


def iter_remembered_flows(
    context: FlowContext, plans: Mapping[str, FlowPlan]
) -> Iterator[FlowContext]:
    """The flows that an instance remembers, and those that they remember."""
    return (memory["context"] for memory in iter_memories(context, plans))


def find_call_path(
    flow_id: str, state: DialogueState, plans: Mapping[str, FlowPlan]
) -> list[tuple[str, str]]:
    """The calls, as caller and step, from an open flow down to a remembered one."""
    ways = (way for flow in state["flow_stack"] for way in _iter_call_paths(flow, plans))
    return next((way for way, found in ways if found == flow_id), [])


def _iter_call_paths(
    flow: FlowContext, plans: Mapping[str, FlowPlan]
) -> Iterator[tuple[list[tuple[str, str]], str]]:
    for step, _, memory in find_reopenable_calls(flow, plans):
        here = (flow["flow_id"], step)
        yield [here], memory["context"]["flow_id"]
        for way, found in _iter_call_paths(memory["context"], plans):
            yield [here, *way], found


def find_filling_call(
    slot: str, context: FlowContext, plans: Mapping[str, FlowPlan]
) -> tuple[str, str] | None:
    """The remembered call that filled a slot, and the name that the slot has in there.

    None if no call did, or if nobody was asked for it in there.
    """
    for step, use, memory in find_reopenable_calls(context, plans):
        plan = plans[use.flow]
        for output in plan.config.outputs:
            if use.outputs.get(output, output) == slot:
                if _was_asked(output, plan) or find_filling_call(output, memory["context"], plans):
                    return step, output
                # An input that is handed out unchanged was filled before the call.
                if output not in plan.config.inputs:
                    return None
    return None


def _was_asked(slot: str, plan: FlowPlan) -> bool:
    given = slot in plan.config.inputs and plan.find_asker(slot) is None
    return slot in plan.asks and not given


def remember_call(
    caller: FlowContext,
    called: FlowContext,
    state: DialogueState,
    secret: Secret,
    again: Iterable[str] | None = None,
) -> FlowContext:
    """The caller, with the called flow in the memory of its current step."""
    slots, progress = state["flow_slots"].get(called["flow_id"], {}), called["progress"]
    lost = {*progress["lost"], *(name for name in slots if secret(name))}
    memory: Called = {
        "context": {**called, "progress": {**progress, "lost": sorted(lost)}},
        "slots": {name: value for name, value in slots.items() if not secret(name)},
        "again": None if again is None else list(again),
    }
    step = caller["current_step"] or ""
    known = {**caller["progress"], "called": {**get_calls(caller), step: memory}}
    return cast(FlowContext, {**caller, "progress": known})


def fold_calls(
    state: DialogueState, flow_id: str, secret: Secret, inputs: Sequence[str], now: float
) -> FlowDelta:
    """Take the flows that an instance has called off the stack, to be reopened by its step.

    Their slots stay until the turn ends, so sensitive ones are asked again only after that.
    """
    above = list_flows_above(state, flow_id)
    gone = {context["flow_id"] for context in above}
    chain = [context for context in state["flow_stack"] if context["flow_id"] == flow_id] + above
    while len(chain) > 1:
        called = chain.pop()
        changed = inputs if len(chain) == 1 else ()
        chain[-1] = remember_call(chain[-1], called, state, secret, changed)
    stack = [
        chain[0] if context["flow_id"] == flow_id else context
        for context in state["flow_stack"]
        if context["flow_id"] not in gone
    ]
    return FlowDelta(flow_stack=settle_stack(stack, now))


def reopen_call(state: DialogueState, caller_id: str, step: str, now: float) -> FlowDelta:
    """Put a remembered flow on top of its caller again, as it was."""
    at = next(i for i, c in enumerate(state["flow_stack"]) if c["flow_id"] == caller_id)
    caller = state["flow_stack"][at]
    memory = get_calls(caller)[step]
    called = {name: each for name, each in get_calls(caller).items() if name != step}
    waiting = {**caller, "current_step": step, "progress": {**caller["progress"], "called": called}}
    flow_id = memory["context"]["flow_id"]
    known = state["flow_slots"].get(flow_id, memory["slots"])
    again: FlowContext = {**memory["context"], "called_by": caller_id}
    below, above = state["flow_stack"][:at], state["flow_stack"][at + 1 :]
    stack = [*below, cast(FlowContext, waiting), again, *above]
    return FlowDelta(flow_stack=settle_stack(stack, now), flow_slots={flow_id: known})
