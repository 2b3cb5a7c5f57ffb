"""run_flow: the active flow's own graph, entered at its current step."""

from dataclasses import replace
from typing import Any

from langgraph.runtime import Runtime

from soni.commands.rewording import spoken
from soni.commands.sharing import changed_for_others
from soni.commands.situation import Situation
from soni.commands.speech import respond
from soni.compiler.state import FlowState
from soni.core.constants import RESERVED_TARGETS
from soni.core.state import apply_updates, merge_updates, new_progress
from soni.core.types import DialogueState, FlowContext, Overwrite, RuntimeContext
from soni.dm.beginning import late_inputs
from soni.dm.closing import close_turn
from soni.dm.nodes.understand import failure
from soni.dm.requests import carry_out
from soni.dm.returning import announce_return
from soni.flow.called import remembered
from soni.flow.stack import tasks_of
from soni.flow.steps import FlowStepManager
from soni.flow.voice import label


async def run_flow(state: DialogueState, runtime: Runtime[RuntimeContext]) -> dict[str, Any]:
    """Run until the flow waits or ends; only explicit updates come back."""
    context = runtime.context
    updates = await spoken(_adapted(state, context), context)
    state = apply_updates(state, updates)
    if not state["flow_stack"] or "flow_slots" in updates:
        return updates
    entered = await spoken(announce_return(state, context), context)
    updates = merge_updates(updates, entered)
    state = apply_updates(state, entered)
    late = await late_inputs(state, context)
    updates, state = merge_updates(updates, late), apply_updates(state, late)
    manager = FlowStepManager(context.assistant, context.flow_manager)  # type: ignore[arg-type]
    advanced = manager.advance_through_completed_steps(state, context)
    updates = merge_updates(updates, advanced)
    state = apply_updates(state, advanced)
    active = state["flow_stack"][-1]
    if active["current_step"] in RESERVED_TARGETS:
        return updates
    ran = await _run(active, state, context)
    # To the flows of its own task it is not news: they run with it.
    plans, task = context.assistant.plans, tasks_of(state["flow_stack"])[-1]
    own = (each["flow_id"] for flow in task for each in (flow, *remembered(flow, plans)))
    ran = merge_updates(ran, changed_for_others(state, apply_updates(state, ran), own, context))
    updates = merge_updates(updates, ran)
    state = apply_updates(state, ran)
    asked_for = state["turn"].get("request")
    if asked_for is not None:
        return merge_updates(updates, await carry_out(asked_for, state, context))
    if state["_need_input"] and not state["commands"]:
        updates = merge_updates(updates, close_turn(state, context))
    return updates


async def _run(
    active: FlowContext, state: DialogueState, context: RuntimeContext
) -> dict[str, Any]:
    plan = context.assistant.plans[active["flow_name"]]
    flow_id = active["flow_id"]
    start: FlowState = {
        "step": active["current_step"] or plan.first,
        "instance": active,
        "slots": state["flow_slots"].get(flow_id, {}),
        "shared": state["conversation_slots"],
        "conversation_state": state["conversation_state"],
        "turn_count": state["turn_count"],
        "replies": [],
        "trace": [],
        "actions": [],
        "runs": {},
        "error": None,
        "request": None,
        "_need_input": False,
        "_pending_prompt": None,
    }
    limit = context.config.settings.runtime.max_step_executions * (len(plan.steps) + 1)
    discreet = replace(context, secrets=tuple(Situation(state, context).secrets))
    end: FlowState = await context.flow_graphs(active["flow_name"]).ainvoke(
        start, {"recursion_limit": limit}, context=discreet
    )
    return _outward(end, state, context)


def _outward(end: FlowState, state: DialogueState, context: RuntimeContext) -> dict[str, Any]:
    instance = end["instance"]
    prompt = end["_pending_prompt"]
    failed = failure(f"{end['error']['type']}: {end['error']['message']}", context) if (
        end["error"]
    ) else {}  # fmt: skip
    return merge_updates(
        {
            "flow_stack": [*state["flow_stack"][:-1], instance],
            "flow_slots": Overwrite({**state["flow_slots"], instance["flow_id"]: end["slots"]}),
            "conversation_slots": Overwrite(end["shared"]),
            "conversation_state": end["conversation_state"],
            "current_step": instance["current_step"],
            "waiting_for_slot": prompt["slot"] if prompt else None,
            "replies": end["replies"],
            "trace": end["trace"],
            "turn": {
                "actions": [*state["turn"].get("actions", []), *end["actions"]],
                "request": end["request"],
            },
            "_need_input": end["_need_input"],
            "_pending_prompt": prompt,
        },
        failed,
    )


def _adapted(state: DialogueState, context: RuntimeContext) -> dict[str, Any]:
    """A conversation inside a flow that was edited goes on as well as it can."""
    active = state["flow_stack"][-1]
    plan = context.assistant.plans.get(active["flow_name"])
    words = {"flow": label(active["flow_name"])}
    if plan is None:
        return merge_updates(
            respond("flow_gone", state, context, **words),
            context.flow_manager.pop_task(state, "cancelled", "The flow is gone").updates(),
        )
    step = active["current_step"]
    if step is None or step in plan.steps or step in RESERVED_TARGETS:
        return {}
    restarted = context.flow_manager.update_context(
        state, active["flow_id"], current_step=None, progress=new_progress()
    ).updates()
    return merge_updates(respond("flow_changed", state, context, **words), restarted)
