"""Filling a slot on the user's behalf: through the writer, with corrections and attempts."""

from collections.abc import Mapping
from typing import Any

from soni.commands.base import Handled
from soni.commands.human_handoff import hand_off, handoff_enabled
from soni.commands.picking import Leaf, picked
from soni.commands.situation import Situation
from soni.commands.speech import env_of, reply, voice_of
from soni.core.errors import Refused
from soni.core.state import apply_updates, merge_updates
from soni.core.types import DialogueState, FlowContext, Progress, RuntimeContext
from soni.flow.rewind import TooLateError, rewind
from soni.flow.steps import with_passage
from soni.flow.voice import label


async def put_slot(
    name: str,
    value: Any,
    flow_id: str | None,
    state: DialogueState,
    context: RuntimeContext,
    *,
    explain: bool = False,
) -> Handled:
    """Fill a slot; one that is filled and not being asked is corrected.

    `explain`: the value came unasked, with a flow's start, so a refusal names the slot.
    """
    situation = Situation(state, context)
    if flow_id is None or situation.asks(name, flow_id) or name not in situation.values(flow_id):
        return await _fill(name, value, flow_id, state, context, explain)
    if not context.config.conversation_patterns.correction.enabled:
        said = voice_of(state, context).response("correction_disabled", slot=label(name))
        return Handled(reply(said), "rejected", "corrections are disabled", flow_id)
    return await _change(name, value, flow_id, state, context, explain)


async def empty_slot(
    name: str, flow_id: str, state: DialogueState, context: RuntimeContext
) -> Handled:
    """Store null, which is a value; where there was another, go back as far as that demands."""
    filled = name in Situation(state, context).values(flow_id)
    try:
        updates = await _written(name, None, flow_id, state, context, correcting=filled)
    except TooLateError as late:
        return too_late(name, late, flow_id, state, context)
    return Handled(updates, flow_id=flow_id)


async def _fill(
    name: str,
    value: Any,
    flow_id: str | None,
    state: DialogueState,
    context: RuntimeContext,
    explain: bool,
) -> Handled:
    reason = _not_now(name, value, flow_id, Situation(state, context))
    if reason is not None:
        return Handled({}, "rejected", reason, flow_id)
    missed = _missed(name, flow_id, Situation(state, context))
    try:
        updates = await _written(name, value, flow_id, state, context, correcting=missed)
    except Refused as refused:
        return await _refused(name, refused, explain, flow_id, state, context)
    except TooLateError as late:
        return too_late(name, late, flow_id, state, context)
    cleared = _attempts_cleared(name, flow_id, updates, state, context)
    return Handled(merge_updates(updates, cleared), flow_id=flow_id)


def _not_now(name: str, value: Any, flow_id: str | None, situation: Situation) -> str | None:
    """Why the slot takes no value at this moment, whatever the value is."""
    asked = situation.asks(name, flow_id) or situation.by_api
    if situation.assistant.slot(name).ask_before_filling and not asked:
        return f"'{name}' is filled only when it is asked"
    if flow_id is not None and not _takes(situation, flow_id, name):
        return f"the flow has no slot '{name}'"
    return f"no value for '{name}'" if value is None else None


def _missed(name: str, flow_id: str | None, situation: Situation) -> bool:
    """Whether the flow went past the place of this slot without a value, or asks for a change."""
    flow = _context(situation.state, flow_id)
    plan = situation.plan(flow["flow_name"]) if flow else None
    if flow is None or plan is None or situation.asks(name, flow_id):
        return False
    ran = {passage["step"] for passage in flow["progress"]["history"]}
    asker = plan.asker(name)
    return asker is None or asker in ran or flow["progress"]["changing"]


async def _change(
    name: str,
    value: Any,
    flow_id: str,
    state: DialogueState,
    context: RuntimeContext,
    explain: bool,
) -> Handled:
    """Correct a filled slot and go back as far as that demands."""
    try:
        updates = await _written(name, value, flow_id, state, context, correcting=True)
    except Refused as refused:
        return await _refused(name, refused, explain, flow_id, state, context)
    except TooLateError as late:
        return too_late(name, late, flow_id, state, context)
    if not updates:
        return Handled({}, flow_id=flow_id)
    if context.config.conversation_patterns.correction.acknowledge:
        updates = _acknowledged(name, flow_id, updates, state, context)
    return Handled(updates, "rewritten", "a correction of a filled slot", flow_id)


def _acknowledged(
    name: str,
    flow_id: str,
    updates: dict[str, Any],
    state: DialogueState,
    context: RuntimeContext,
) -> dict[str, Any]:
    """The acknowledgement comes before whatever else the change makes the bot say."""
    voice = voice_of(state, context)
    shown = voice.value(name, _slots(apply_updates(state, updates), flow_id).get(name))
    said = voice.response("correction_done", slot=label(name), value=shown)
    return {**updates, "replies": [{"text": said}, *updates.get("replies", [])]}


def ask_again(
    names: Mapping[str, str], flow_id: str, state: DialogueState, context: RuntimeContext
) -> dict[str, Any]:
    """Unset slots so that their steps ask for them once more; raises `TooLateError`."""
    flow = _context(state, flow_id)
    plan = Situation(state, context).plan(flow["flow_name"]) if flow else None
    if flow is None or plan is None:
        return {}
    back = rewind(plan, flow, (), names)
    gone = [*names, *back.unset]
    unset = context.flow_manager.unset_slots(state, gone, flow_id).updates()
    return merge_updates(unset, _moved(back, flow_id, state, context))


def too_late(
    name: str,
    late: TooLateError,
    flow_id: str | None,
    state: DialogueState,
    context: RuntimeContext,
) -> Handled:
    """The change came after an action that cannot be undone."""
    said = voice_of(state, context).response("correction_too_late", slot=label(name))
    return Handled(reply(said), "rejected", f"step '{late.step}' has already run", flow_id)


async def _written(
    name: str,
    value: Any,
    flow_id: str | None,
    state: DialogueState,
    context: RuntimeContext,
    *,
    correcting: bool = False,
) -> dict[str, Any]:
    flow = _context(state, flow_id)
    situation = Situation(state, context)
    plan = situation.plan(flow["flow_name"]) if flow else None
    meant = picked(name, value, flow, situation, voice_of(state, context)) if flow else value
    if isinstance(meant, Leaf):
        return _leafed(meant, flow, state, context)
    written = await context.slot_writer.write(
        name,
        meant,
        _slots(state, flow_id),
        env_of(context),
        voice_of(state, context),
        collected=plan is not None and plan.takes_text(name),
    )
    if correcting and written.value == _slots(state, flow_id).get(name):
        return {}
    updates: dict[str, Any] = context.flow_manager.set_slot(
        state, name, written.value, flow_id
    ).updates()
    if flow is None or plan is None or not (correcting or written.broken):
        return updates
    back = rewind(plan, flow, [name] if correcting else [], written.broken)
    after = apply_updates(state, updates)
    gone = [*written.broken, *back.unset]
    if gone:
        unset = context.flow_manager.unset_slots(after, gone, flow["flow_id"])
        updates = merge_updates(updates, unset.updates())
    if written.broken:
        updates = merge_updates(updates, reply(*written.broken.values()))
    return merge_updates(updates, _moved(back, flow["flow_id"], after, context))


def _leafed(
    leaf: Leaf, flow: FlowContext | None, state: DialogueState, context: RuntimeContext
) -> dict[str, Any]:
    """Updates that show the next page of what is offered."""
    if flow is None:
        return {}
    pages = {**flow["progress"]["pages"], leaf.step: leaf.page}
    shown: dict[str, Any] = context.flow_manager.update_context(
        state, flow["flow_id"], progress={**flow["progress"], "pages": pages}
    ).updates()
    return shown


def _moved(
    back: Any, flow_id: str, state: DialogueState, context: RuntimeContext
) -> dict[str, Any]:
    moved: dict[str, Any] = context.flow_manager.update_context(
        state, flow_id, current_step=back.current_step, progress=back.progress
    ).updates()
    return moved


async def _refused(
    name: str,
    refused: Refused,
    explain: bool,
    flow_id: str | None,
    state: DialogueState,
    context: RuntimeContext,
) -> Handled:
    voice = voice_of(state, context)
    reason = voice.refusal(refused, _slots(state, flow_id))
    if explain:
        said = voice.response("slot_unavailable", slot=label(name), reason=reason)
        return Handled(reply(said), "error", reason, flow_id)
    updates = reply(reason)
    flow = _context(state, flow_id)
    if flow is not None and Situation(state, context).asks(name, flow_id):
        updates = merge_updates(updates, await _count_attempt(name, flow, state, context))
    return Handled(updates, "error", reason, flow_id)


async def _count_attempt(
    name: str, flow: FlowContext, state: DialogueState, context: RuntimeContext
) -> dict[str, Any]:
    attempts = flow["progress"]["attempts"]
    count = attempts.get(name, 0) + 1
    step = _current_step(flow, context)
    over = count >= (
        getattr(step, "max_attempts", None) or context.config.settings.collection.max_attempts
    )
    way_out = getattr(step, "on_invalid", None) if over else None
    gives_up = over and (way_out is not None or handoff_enabled(context))
    # Once given up, the count starts anew: a release, or a way back, asks again.
    counted: Progress = {
        **flow["progress"],
        "attempts": {**attempts, name: 0 if gives_up else count},
    }
    if way_out is not None:
        return sent_to(way_out, counted, flow, state, context)
    updates: dict[str, Any] = context.flow_manager.update_context(
        state, flow["flow_id"], progress=counted
    ).updates()
    if not gives_up:
        return updates
    reason = f"no valid value for {label(name)} after {count} attempts"
    return merge_updates(updates, await hand_off(state, context, reason))


def sent_to(
    target: str,
    progress: Progress,
    flow: FlowContext,
    state: DialogueState,
    context: RuntimeContext,
) -> dict[str, Any]:
    """Updates that let the waiting step go somewhere instead of asking again."""
    plan = context.assistant.plans[flow["flow_name"]]
    here = flow["current_step"] or plan.first
    following = plan.resolve(here, target)
    sent: dict[str, Any] = context.flow_manager.update_context(
        state,
        flow["flow_id"],
        current_step=following,
        progress=with_passage(progress, here, following),
    ).updates()
    return sent


def _current_step(flow: FlowContext, context: RuntimeContext) -> Any:
    plan = context.assistant.plans.get(flow["flow_name"])
    planned = plan.steps.get(flow["current_step"] or "") if plan else None
    return planned.step if planned else None


def _attempts_cleared(
    name: str,
    flow_id: str | None,
    updates: dict[str, Any],
    state: DialogueState,
    context: RuntimeContext,
) -> dict[str, Any]:
    after = apply_updates(state, updates)
    flow = _context(after, flow_id)
    if flow is None or name not in flow["progress"]["attempts"]:
        return {}
    attempts = {key: n for key, n in flow["progress"]["attempts"].items() if key != name}
    cleared: dict[str, Any] = context.flow_manager.update_context(
        after, flow["flow_id"], progress={**flow["progress"], "attempts": attempts}
    ).updates()
    return cleared


def _takes(situation: Situation, flow_id: str, name: str) -> bool:
    flow = _context(situation.state, flow_id)
    plan = situation.plan(flow["flow_name"]) if flow else None
    asked_here = situation.asks(name, flow_id)
    return plan is None or asked_here or name in plan.asks or situation.is_shared(name)


def _context(state: DialogueState, flow_id: str | None) -> FlowContext | None:
    return next((c for c in state["flow_stack"] if c["flow_id"] == flow_id), None)


def _slots(state: DialogueState, flow_id: str | None) -> dict[str, Any]:
    return {**state["conversation_slots"], **state["flow_slots"].get(flow_id or "", {})}
