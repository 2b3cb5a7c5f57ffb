"""Fills and corrects slots with the user's values, and counts refused ones."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from soni.commands.attempts import clear_attempts, count_attempt
from soni.commands.base import Handled
from soni.commands.corrections import apply_rewind, close_instance, compute_rewind
from soni.commands.list_choice import PageTurn, pick_item
from soni.commands.output import make_slot_env, reply, voice_of
from soni.commands.situation import Situation
from soni.commands.slot_owner import SlotOwner, find_coming_values, resolve_owner
from soni.core.errors import Refusal
from soni.core.state import Updates, apply_updates, merge_updates
from soni.core.types import DialogueState, FlowContext, RuntimeContext, StateUpdate
from soni.flow.irreversible import TooLateError
from soni.flow.stack import find_flow
from soni.flow.voice import make_label


async def put_slot(
    name: str,
    value: Any,
    flow_id: str | None,
    state: DialogueState,
    context: RuntimeContext,
    *,
    explain: bool = False,
) -> Handled:
    """Fill a slot, or correct it if it is filled and not being asked.

    `explain`: the value came unasked, with a flow's start, so a refusal names the slot.
    """
    home = resolve_owner(name, flow_id, state, context)
    beside = find_coming_values(home.flow_id, state, context)
    there = apply_updates(home.place.state, {"turn": {"beside": beside}})
    handled = await _fill_or_correct(home.name, value, home.flow_id, there, context, explain)
    return _close_owner(name, flow_id, handled, home, state, context)


async def _fill_or_correct(
    name: str,
    value: Any,
    flow_id: str | None,
    state: DialogueState,
    context: RuntimeContext,
    explain: bool,
) -> Handled:
    situation = Situation(state, context)
    if (
        flow_id is None
        or situation.is_asking(name, flow_id)
        or name not in situation.get_values(flow_id)
    ):
        return await _fill_slot(name, value, flow_id, state, context, explain)
    if not context.config.conversation_patterns.correction.enabled:
        said = voice_of(state, context).render_response(
            "correction_disabled", slot=make_label(name)
        )
        return Handled(reply(said), "rejected", "corrections are disabled", flow_id)
    return await _correct_slot(name, value, flow_id, state, context, explain)


async def empty_slot(
    name: str, flow_id: str, state: DialogueState, context: RuntimeContext
) -> Handled:
    """Store null. If the slot had a value, rewind the flow as for a correction."""
    home = resolve_owner(name, flow_id, state, context)
    there = home.place.state
    filled = home.name in Situation(there, context).get_values(home.flow_id)
    try:
        updates = await _write_value(
            home.name, None, home.flow_id, there, context, correcting=filled
        )
    except TooLateError as late:
        return refuse_late_change(name, late, flow_id, state, context)
    handled = Handled(updates, flow_id=home.flow_id)
    return _close_owner(name, flow_id, handled, home, state, context)


def _close_owner(
    name: str,
    flow_id: str | None,
    handled: Handled,
    home: SlotOwner,
    state: DialogueState,
    context: RuntimeContext,
) -> Handled:
    """Close the instance that owns the slot, and rewind the flows that called it."""
    if not handled.updates.keys() & {"flow_stack", "flow_slots", "conversation_slots"}:
        return handled
    try:
        return replace(handled, updates=close_instance(home.place, handled.updates, context))
    except TooLateError as late:
        return refuse_late_change(name, late, flow_id, state, context)


async def _fill_slot(
    name: str,
    value: Any,
    flow_id: str | None,
    state: DialogueState,
    context: RuntimeContext,
    explain: bool,
) -> Handled:
    reason = _find_obstacle(name, value, flow_id, Situation(state, context))
    if reason is not None:
        return Handled({}, "rejected", reason, flow_id)
    missed = _is_slot_passed(name, flow_id, Situation(state, context))
    updates = Updates(state)
    try:
        updates.add(await _write_value(name, value, flow_id, state, context, correcting=missed))
    except Refusal as refused:
        return await _refuse_value(name, refused, explain, flow_id, state, context)
    except TooLateError as late:
        return refuse_late_change(name, late, flow_id, state, context)
    updates.add(clear_attempts(name, flow_id, updates.state, context))
    return Handled(updates.merged, flow_id=flow_id)


def _find_obstacle(name: str, value: Any, flow_id: str | None, situation: Situation) -> str | None:
    """Why the slot takes no value now, whatever the value is."""
    asked = situation.is_asking(name, flow_id) or situation.is_from_api
    if situation.assistant.get_slot_config(name).ask_before_filling and not asked:
        return f"'{name}' is filled only when it is asked"
    if flow_id is not None and not _takes_slot(situation, flow_id, name):
        return f"the flow has no slot '{name}'"
    return f"no value for '{name}'" if value is None else None


def _is_slot_passed(name: str, flow_id: str | None, situation: Situation) -> bool:
    """Whether the flow passed the step that asks for this slot, or asks what to change."""
    flow = find_flow(situation.state["flow_stack"], flow_id)
    plan = situation.get_plan(flow["flow_name"]) if flow else None
    if flow is None or plan is None or situation.is_asking(name, flow_id):
        return False
    ran = {passage["step"] for passage in flow["progress"]["history"]}
    asker = plan.find_asker(name)
    return asker is None or asker in ran or flow["progress"]["changing"]


async def _correct_slot(
    name: str,
    value: Any,
    flow_id: str,
    state: DialogueState,
    context: RuntimeContext,
    explain: bool,
) -> Handled:
    """Correct a filled slot and rewind the flow."""
    try:
        updates = await _write_value(name, value, flow_id, state, context, correcting=True)
    except Refusal as refused:
        return await _refuse_value(name, refused, explain, flow_id, state, context)
    except TooLateError as late:
        return refuse_late_change(name, late, flow_id, state, context)
    if not updates:
        return Handled({}, flow_id=flow_id)
    if context.config.conversation_patterns.correction.acknowledge:
        updates = _acknowledge_change(name, flow_id, updates, state, context)
    return Handled(updates, "rewritten", "a correction of a filled slot", flow_id)


def _acknowledge_change(
    name: str, flow_id: str, updates: StateUpdate, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Put the acknowledgement before the other replies that the change causes."""
    voice = voice_of(state, context)
    value = Situation(apply_updates(state, updates), context).get_values(flow_id).get(name)
    flow = find_flow(state["flow_stack"], flow_id)
    plan = Situation(state, context).get_plan(flow["flow_name"]) if flow else None
    asker = plan.find_asker(name) if plan and plan.find_options_source(name) is not None else None
    # An item is shown as it was in the list.
    display: Any = plan.steps[asker].step if plan and asker else None
    shown = voice.show_item(value, display.display) if display else voice.show_value(name, value)
    said = voice.render_response("correction_done", slot=make_label(name), value=shown)
    return merge_updates(reply(said), updates)


def ask_slots_again(
    names: Iterable[str], flow_id: str, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Unset slots so that their steps ask for them once more; raises `TooLateError`."""
    flow = find_flow(state["flow_stack"], flow_id)
    if flow is None or flow["flow_name"] not in context.assistant.plans:
        return {}
    back = compute_rewind(flow, state, context, unset=names)
    return apply_rewind(back, flow, names, state, context)


def refuse_late_change(
    name: str,
    late: TooLateError,
    flow_id: str | None,
    state: DialogueState,
    context: RuntimeContext,
) -> Handled:
    """Refuse a change that comes after an irreversible action."""
    said = voice_of(state, context).render_response("correction_too_late", slot=make_label(name))
    return Handled(reply(said), "rejected", f"step '{late.step}' has already run", flow_id)


async def _write_value(
    name: str,
    value: Any,
    flow_id: str | None,
    state: DialogueState,
    context: RuntimeContext,
    *,
    correcting: bool = False,
) -> StateUpdate:
    flow = find_flow(state["flow_stack"], flow_id)
    situation = Situation(state, context)
    plan = situation.get_plan(flow["flow_name"]) if flow else None
    meant = pick_item(name, value, flow, situation, voice_of(state, context)) if flow else value
    if isinstance(meant, PageTurn):
        return _turn_page(meant, flow, state, context)
    written = await context.slot_writer.write(
        name,
        meant,
        situation.get_values(flow_id),
        make_slot_env(context),
        voice_of(state, context),
        collected=plan is not None and plan.takes_text(name),
        coming=state["turn"].get("beside", {}),
    )
    if correcting and written.value == situation.get_values(flow_id).get(name):
        return {}
    stored = context.flow_manager.set_slot(state, name, written.value, flow_id)
    updates = Updates(state, stored.updates())
    if flow is None or plan is None or not (correcting or written.broken):
        return updates.merged
    changed = [name] if correcting else []
    back = compute_rewind(flow, state, context, changed=changed, unset=written.broken)
    updates.add(reply(*written.broken.values()))
    updates.add(apply_rewind(back, flow, written.broken, updates.state, context))
    return updates.merged


def _turn_page(
    leaf: PageTurn, flow: FlowContext | None, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Updates that show the next page of what is offered."""
    if flow is None:
        return {}
    pages = {**flow["progress"]["pages"], leaf.step: leaf.page}
    shown: StateUpdate = context.flow_manager.update_context(
        state, flow["flow_id"], progress={**flow["progress"], "pages": pages}
    ).updates()
    return shown


async def _refuse_value(
    name: str,
    refused: Refusal,
    explain: bool,
    flow_id: str | None,
    state: DialogueState,
    context: RuntimeContext,
) -> Handled:
    voice, situation = voice_of(state, context), Situation(state, context)
    reason = voice.render_refusal(refused, situation.get_values(flow_id))
    if explain:
        said = voice.render_response("slot_unavailable", slot=make_label(name), reason=reason)
        return Handled(reply(said), "error", reason, flow_id)
    updates = reply(reason)
    flow = find_flow(state["flow_stack"], flow_id)
    if flow is not None and situation.is_asking(name, flow_id):
        updates = merge_updates(updates, await count_attempt(name, flow, state, context))
    elif flow is not None:
        updates = merge_updates(updates, _unset_invalid_value(name, flow, state, context))
    return Handled(updates, "error", reason, flow_id)


def _unset_invalid_value(
    name: str, flow: FlowContext, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Keep the old value, unless other values of the message made it invalid."""
    values = Situation(state, context).get_values(flow["flow_id"])
    if values.get(name) is None:
        return {}
    env, voice = make_slot_env(context), voice_of(state, context)
    if context.slot_writer.find_violation(name, values, env, voice) is None:
        return {}
    try:
        return ask_slots_again([name], flow["flow_id"], state, context)
    except TooLateError:
        return {}


def _takes_slot(situation: Situation, flow_id: str, name: str) -> bool:
    flow = find_flow(situation.state["flow_stack"], flow_id)
    plan = situation.get_plan(flow["flow_name"]) if flow else None
    asked_here = situation.is_asking(name, flow_id)
    return plan is None or asked_here or name in plan.asks or situation.is_shared(name)
