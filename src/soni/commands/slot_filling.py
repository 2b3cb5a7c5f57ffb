"""Fills and corrects slots with the user's values, and counts refused ones."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
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
from soni.core.types import DialogueState, RuntimeContext, StateUpdate
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
    slot = _OwnedSlot(home.name, home.flow_id, there, context, explain)
    handled = await slot.fill_or_correct(value)
    return _close_owner(name, flow_id, handled, home, state, context)


async def empty_slot(
    name: str, flow_id: str, state: DialogueState, context: RuntimeContext
) -> Handled:
    """Store null. If the slot had a value, rewind the flow as for a correction."""
    home = resolve_owner(name, flow_id, state, context)
    slot = _OwnedSlot(home.name, home.flow_id, home.place.state, context)
    try:
        updates = await slot.write(None, correcting=home.name in slot.values)
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


@dataclass
class _OwnedSlot:
    """A slot in the instance that owns it, in the state in which a command changes it."""

    name: str
    flow_id: str | None
    state: DialogueState
    context: RuntimeContext
    explain: bool = False

    def __post_init__(self) -> None:
        self.situation = Situation(self.state, self.context)
        self.voice = voice_of(self.state, self.context)
        self.flow = find_flow(self.state["flow_stack"], self.flow_id)
        self.plan = self.situation.get_plan(self.flow["flow_name"]) if self.flow else None
        self.values = self.situation.get_values(self.flow_id)
        self.is_asked = self.situation.is_asking(self.name, self.flow_id)

    async def fill_or_correct(self, value: Any) -> Handled:
        if self.flow_id is None or self.is_asked or self.name not in self.values:
            return await self._fill(value)
        if not self.context.config.conversation_patterns.correction.enabled:
            said = self.voice.render_response("correction_disabled", slot=make_label(self.name))
            return Handled(reply(said), "rejected", "corrections are disabled", self.flow_id)
        return await self._correct(value)

    async def _fill(self, value: Any) -> Handled:
        reason = self._find_obstacle(value)
        if reason is not None:
            return Handled({}, "rejected", reason, self.flow_id)
        handled = await self._try_to_write(value, correcting=self._is_passed())
        if handled.result != "success":
            return handled
        updates = Updates(self.state, handled.updates)
        updates.add(clear_attempts(self.name, self.flow_id, updates.state, self.context))
        return replace(handled, updates=updates.merged)

    def _find_obstacle(self, value: Any) -> str | None:
        """Why the slot takes no value now, whatever the value is."""
        name, asked = self.name, self.is_asked or self.situation.is_from_api
        if self.situation.assistant.get_slot_config(name).ask_before_filling and not asked:
            return f"'{name}' is filled only when it is asked"
        known = self.plan is None or name in self.plan.asks or self.situation.is_shared(name)
        if not known and not self.is_asked:
            return f"the flow has no slot '{name}'"
        return f"no value for '{name}'" if value is None else None

    def _is_passed(self) -> bool:
        """Whether the flow passed the step that asks for this slot, or asks what to change."""
        if self.flow is None or self.plan is None or self.is_asked:
            return False
        progress, asker = self.flow["progress"], self.plan.find_asker(self.name)
        ran = {passage["step"] for passage in progress["history"]}
        return asker is None or asker in ran or progress["changing"]

    async def _correct(self, value: Any) -> Handled:
        handled = await self._try_to_write(value, correcting=True)
        if handled.result != "success" or not handled.updates:
            return handled
        updates = handled.updates
        if self.context.config.conversation_patterns.correction.acknowledge:
            # The acknowledgement comes before the other replies that the change causes.
            updates = merge_updates(reply(self._acknowledge(updates)), updates)
        return Handled(updates, "rewritten", "a correction of a filled slot", self.flow_id)

    def _acknowledge(self, updates: StateUpdate) -> str:
        after = Situation(apply_updates(self.state, updates), self.context)
        value = after.get_values(self.flow_id).get(self.name)
        if self.plan is not None and self.plan.find_options_source(self.name) is not None:
            # An item is shown as it was in the list.
            step: Any = self.plan.steps[self.plan.find_asker(self.name) or ""].step
            shown = self.voice.show_item(value, step.display)
        else:
            shown = self.voice.show_value(self.name, value)
        label = make_label(self.name)
        return self.voice.render_response("correction_done", slot=label, value=shown)

    async def _try_to_write(self, value: Any, *, correcting: bool) -> Handled:
        try:
            return Handled(await self.write(value, correcting=correcting), flow_id=self.flow_id)
        except Refusal as refused:
            return await self._refuse_value(refused)
        except TooLateError as late:
            return refuse_late_change(self.name, late, self.flow_id, self.state, self.context)

    async def write(self, value: Any, *, correcting: bool) -> StateUpdate:
        name, flow, context = self.name, self.flow, self.context
        meant = pick_item(name, value, flow, self.situation, self.voice) if flow else value
        if isinstance(meant, PageTurn):
            return self._turn_page(meant)
        written = await context.slot_writer.write(
            name,
            meant,
            self.values,
            make_slot_env(context),
            self.voice,
            collected=self.plan is not None and self.plan.takes_text(name),
            coming=self.state["turn"].get("beside", {}),
        )
        if correcting and written.value == self.values.get(name):
            return {}
        context.turn_trace.note_write(
            {
                "flow_id": self.flow_id,
                "slot": name,
                "by": "user",
                "said": value,
                "correction": correcting and name in self.values,
            }
        )
        stored = context.flow_manager.set_slot(self.state, name, written.value, self.flow_id)
        updates = Updates(self.state, stored.updates())
        if flow is None or self.plan is None or not (correcting or written.broken):
            return updates.merged
        changed = [name] if correcting else []
        back = compute_rewind(flow, self.state, context, changed=changed, unset=written.broken)
        updates.add(reply(*written.broken.values()))
        updates.add(apply_rewind(back, flow, written.broken, updates.state, context))
        return updates.merged

    def _turn_page(self, leaf: PageTurn) -> StateUpdate:
        if self.flow is None:
            return {}
        progress = self.flow["progress"]
        turned = {**progress, "pages": {**progress["pages"], leaf.step: leaf.page}}
        return self.context.update_flow(self.state, self.flow["flow_id"], progress=turned)

    async def _refuse_value(self, refused: Refusal) -> Handled:
        reason = self.voice.render_refusal(refused, self.values)
        updates = reply(reason)
        if self.explain:
            label = make_label(self.name)
            updates = reply(
                self.voice.render_response("slot_unavailable", slot=label, reason=reason)
            )
        elif self.flow is not None and self.is_asked:
            counted = await count_attempt(self.name, self.flow, self.state, self.context)
            updates = merge_updates(updates, counted)
        elif self.flow is not None:
            updates = merge_updates(updates, self._unset_invalid_value(self.flow["flow_id"]))
        return Handled(updates, "error", reason, self.flow_id)

    def _unset_invalid_value(self, flow_id: str) -> StateUpdate:
        """Keep the old value, unless other values of the message made it invalid."""
        if self.values.get(self.name) is None:
            return {}
        env, find_violation = make_slot_env(self.context), self.context.slot_writer.find_violation
        if find_violation(self.name, self.values, env, self.voice) is None:
            return {}
        try:
            return ask_slots_again([self.name], flow_id, self.state, self.context)
        except TooLateError:
            return {}
