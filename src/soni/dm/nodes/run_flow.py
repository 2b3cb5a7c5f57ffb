"""run_flow: the active flow's own graph, entered at its current step."""

from contextlib import suppress
from dataclasses import replace

from langgraph.runtime import Runtime

from soni.commands.corrections import rewind_other_flows
from soni.commands.output import emit_replies, respond
from soni.commands.situation import Situation
from soni.compiler.state import FlowState
from soni.core.constants import RESERVED_TARGETS
from soni.core.errors import Refusal
from soni.core.state import Updates, merge_updates
from soni.core.types import DialogueState, FlowContext, Overwrite, RuntimeContext, StateUpdate
from soni.dm.nodes.understand import record_failure
from soni.dm.requests import execute_request, write_input
from soni.dm.turn_end import close_turn
from soni.flow.adaptation import note_adaptation, plan_adaptation
from soni.flow.call_memory import iter_remembered_flows
from soni.flow.stack import tasks_of
from soni.flow.steps import FlowStepManager, has_begun
from soni.flow.voice import make_label


async def run_flow(state: DialogueState, runtime: Runtime[RuntimeContext]) -> StateUpdate:
    """Run until the flow waits or ends. Only explicit updates come back."""
    context = runtime.context
    updates = Updates(state, await emit_replies(_adapt_edited_flow(state, context), context))
    # The flow is gone: whether another comes back is decided anew.
    if len(updates.state["flow_stack"]) < len(state["flow_stack"]):
        return updates.merged
    updates.add(await emit_replies(announce_return(updates.state, context), context))
    updates.add(await fill_late_inputs(updates.state, context))
    manager = FlowStepManager(context.assistant, context.flow_manager)  # type: ignore[arg-type]
    updates.add(manager.advance_through_completed_steps(updates.state, context))
    before = updates.state
    if before["flow_stack"][-1]["current_step"] in RESERVED_TARGETS:
        return updates.merged
    updates.add(await _run_graph(before["flow_stack"][-1], before, runtime))
    # The flows of this task have run with the new values, so only others are rewound.
    plans, task = context.assistant.plans, tasks_of(before["flow_stack"])[-1]
    own = (each["flow_id"] for flow in task for each in (flow, *iter_remembered_flows(flow, plans)))
    updates.add(rewind_other_flows(before, updates.state, own, context))
    request = updates.state["turn"].get("request")
    if request is not None:
        updates.add(await execute_request(request, updates.state, context))
    elif updates.state["_need_input"] and not updates.state["commands"]:
        updates.add(close_turn(updates.state, context))
    return updates.merged


async def _run_graph(
    active: FlowContext, state: DialogueState, runtime: Runtime[RuntimeContext]
) -> StateUpdate:
    context = runtime.context
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
    graph = context.flow_graphs(active["flow_name"])
    # LangSmith shows what LangGraph runs.
    run = graph.run_traced if context.config.settings.runtime.tracing else graph.run
    end: FlowState = await run(start, runtime.override(context=discreet), limit)
    return _collect_updates(end, state, context)


def _collect_updates(end: FlowState, state: DialogueState, context: RuntimeContext) -> StateUpdate:
    instance = end["instance"]
    prompt = end["_pending_prompt"]
    failed: StateUpdate = {}
    if end["error"]:
        failed = record_failure(f"{end['error']['type']}: {end['error']['message']}", context)
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


def _adapt_edited_flow(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Adapt a conversation to a flow that was edited while it ran."""
    active = state["flow_stack"][-1]
    manager, flow_id = context.flow_manager, active["flow_id"]
    adapted = plan_adaptation(active, manager.get_slots(state, flow_id), context.assistant)
    if adapted is None:
        return {}
    updates = Updates(state, note_adaptation(active, adapted, context))
    words = {"flow": make_label(active["flow_name"])}
    if adapted.outcome == "ends":
        updates.add(respond("flow_gone", state, context, **words))
        updates.add(manager.pop_task(state, "cancelled", "The flow is gone").updates())
        return updates.merged
    if adapted.outcome == "restarts":
        updates.add(respond("flow_changed", state, context, **words))
    updates.add(context.update_flow(updates.state, flow_id, **adapted.changes))
    if adapted.lost:
        updates.add(manager.unset_slots(updates.state, adapted.lost, flow_id).updates())
    return updates.merged


async def fill_late_inputs(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Updates that fill the active flow's inputs before its first step."""
    active = state["flow_stack"][-1]
    if has_begun(active):
        return {}
    updates = Updates(state)
    given = context.flow_manager.find_archived_inputs(state, active["flow_name"])
    for name, value in given.items():
        if name in context.flow_manager.get_slots(updates.state, active["flow_id"]):
            continue
        # A refused input is asked for by the flow, like any other that is missing.
        with suppress(Refusal):
            await write_input(name, value, active["flow_id"], updates, context)
    return updates.merged


def announce_return(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Updates for entering the task on top. They announce it if it was another one before.

    A task that has not begun yet is not announced: it starts, it does not return.
    """
    task = tasks_of(state["flow_stack"])[-1]
    root = task[0]["flow_id"]
    entered: StateUpdate = {"turn": {"task": root}}
    announces = context.config.conversation_patterns.interruption.announce_return
    if root == state["turn"].get("task") or not has_begun(task[-1]) or not announces:
        return entered
    said = respond("flow_resumed", state, context, flow=make_label(task[0]["flow_name"]))
    return {**said, **entered}
