"""DenyConfirmation: no."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from soni.commands.base import (
    Accept,
    Command,
    CommandHandler,
    Handled,
    Place,
    Reject,
    Rewrite,
    Verdict,
)
from soni.commands.cancel_flow import cancel_task
from soni.commands.command_schema import CommandExample, NameSet, NluField, Precondition
from soni.commands.confirmation import answer_confirm, find_changed_slots
from soni.commands.corrections import close_instance
from soni.commands.output import respond
from soni.commands.set_slot import answer_boolean
from soni.commands.situation import Situation
from soni.commands.slot_filling import ask_slots_again, refuse_late_change
from soni.commands.slot_owner import resolve_owner
from soni.core.types import DialogueState, RuntimeContext
from soni.flow.irreversible import TooLateError


class DenyConfirmation(Command):
    """No; perhaps with what should be different."""

    place: ClassVar[Place] = Place.ANSWER
    keys: ClassVar[tuple[str, ...]] = ("slot_to_change",)
    # If a message says both, not doing it is the safe reading.
    contradicts: ClassVar[frozenset[str]] = frozenset({"AffirmConfirmation"})
    needs: ClassVar[Precondition | None] = Precondition.YES_OR_NO
    said: ClassVar[tuple[CommandExample, ...]] = (
        CommandExample("no", asked="Send it to Rome?"),
        CommandExample("no, the city is wrong", {"slot_to_change": "city"}, "Send it to Rome?"),
    )

    type: Literal["DenyConfirmation"] = "DenyConfirmation"
    slot_to_change: Annotated[str | None, NluField(NameSet.CONFIRMED)] = None

    if TYPE_CHECKING:

        def __init__(self, slot_to_change: str | None = ...) -> None: ...


class DenyConfirmationHandler(CommandHandler[DenyConfirmation]):
    """Answers what AffirmConfirmation answers. The denied thing never happens."""

    command = DenyConfirmation

    def review(
        self, command: DenyConfirmation, others: Sequence[Command], situation: Situation
    ) -> Verdict:
        """If the same message has a new value, that value is the answer."""
        asked = situation.asked_slot
        if asked is not None and situation.assistant.get_slot_type(asked).is_polar:
            return answer_boolean(asked, False, situation)
        kind = situation.prompt.get("kind")
        if kind == "disambiguate":
            return Accept()
        if not situation.asks_yes_or_no:
            return Reject("nothing is to be confirmed")
        changed, slot = find_changed_slots(others, situation), command.slot_to_change
        to_ask = slot is not None and _is_asked_here(slot, situation)
        if kind == "confirm" and changed and (not to_ask or slot in changed):
            return Rewrite((), f"the new value of {', '.join(changed)} answers the confirmation")
        if slot is not None and not to_ask:
            return Rewrite((DenyConfirmation(),), f"the flow has no slot '{slot}'")
        return Accept()

    async def execute(
        self, command: DenyConfirmation, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Deliver the no to the step or the system question that asked."""
        kind = (state["_pending_prompt"] or {}).get("kind")
        if kind == "cancel":
            return Handled()
        if kind in ("limit", "disambiguate"):
            name = "flow_limit_kept" if kind == "limit" else "disambiguate_none"
            return Handled(respond(name, state, context))
        if command.slot_to_change is not None:
            return self._ask_for_change(command.slot_to_change, state, context)
        if _is_confirm_gone(Situation(state, context)):
            # Otherwise the flow would go on to what was just denied.
            reason = "Denied, and what asked has changed"
            return Handled(cancel_task(state, context, reason))
        return answer_confirm("no", state, context)

    def _ask_for_change(self, slot: str, state: DialogueState, context: RuntimeContext) -> Handled:
        owner = Situation(state, context).find_owner(slot)
        if owner is None:
            return Handled({}, "rejected", f"no open flow has slot '{slot}'")
        flow_id = owner["flow_id"]
        context.turn_trace.note_step(
            owner["flow_name"], owner["current_step"] or "", None, edge="on_no"
        )
        try:
            home = resolve_owner(slot, flow_id, state, context)
            again = ask_slots_again([home.name], home.flow_id or flow_id, home.place.state, context)
            return Handled(close_instance(home.place, again, context), flow_id=home.flow_id)
        except TooLateError as late:
            return refuse_late_change(slot, late, flow_id, state, context)


def _is_confirm_gone(situation: Situation) -> bool:
    """Whether the confirm step that asked was removed from the assistant since then."""
    plan = situation.get_plan(situation.active["flow_name"]) if situation.active else None
    planned = plan.steps.get(situation.prompt["step"] or "") if plan else None
    return plan is not None and (planned is None or planned.step.type != "confirm")


def _is_asked_here(slot: str, situation: Situation) -> bool:
    owner = situation.find_owner(slot)
    return owner is not None and situation.is_of_asking_task(owner)


HANDLER = DenyConfirmationHandler()
