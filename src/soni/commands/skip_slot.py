"""SkipSlot: the user does not want to answer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from soni.commands.attempts import send_flow_to
from soni.commands.base import Accept, Command, CommandHandler, Handled, Place, Reject, Verdict
from soni.commands.command_schema import CommandExample, Precondition
from soni.commands.output import respond
from soni.commands.set_slot import is_slot_of_started_flow
from soni.commands.situation import Situation
from soni.commands.slot_filling import empty_slot, put_slot
from soni.core.types import DialogueState, FlowContext, RuntimeContext
from soni.flow.voice import make_label


class SkipSlot(Command):
    """The user leaves out what is asked; or the slot that is named."""

    place: ClassVar[Place] = Place.ANSWER
    keys: ClassVar[tuple[str, ...]] = ("slot_name",)
    needs: ClassVar[Precondition | None] = Precondition.SLOT_ASKED
    said: ClassVar[tuple[CommandExample, ...]] = (
        CommandExample("I don't have one", asked="What is your customer number?"),
    )

    type: Literal["SkipSlot"] = "SkipSlot"
    slot_name: str | None = None

    if TYPE_CHECKING:

        def __init__(self, slot_name: str | None = ...) -> None: ...

    def get_touched_slots(self) -> dict[str, Any]:
        """A named slot loses the value it may have."""
        return {self.slot_name: None} if self.slot_name is not None else {}


class SkipSlotHandler(CommandHandler[SkipSlot]):
    """An optional slot takes its default, or null; a required one is asked again."""

    command = SkipSlot

    def get_place(self, command: SkipSlot, situation: Situation) -> Place:
        """A slot that was not asked may belong to a flow that the same message starts."""
        answers = command.slot_name in (None, situation.asked_slot)
        return command.place if answers else Place.SET

    def review(self, command: SkipSlot, others: Sequence[Command], situation: Situation) -> Verdict:
        """Something must be asked, or the named slot must belong to something that is open."""
        name = command.slot_name or situation.asked_slot
        if name is None:
            return Reject("no slot is asked")
        is_open = situation.find_owner(name) is not None
        if not is_open and not is_slot_of_started_flow(name, others, situation):
            return Reject(f"no open flow has slot '{name}'")
        if any(name in other.get_touched_slots() for other in others):
            return Reject(f"a value for '{name}' came along")
        return Accept()

    async def execute(
        self, command: SkipSlot, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Write the default, or null."""
        situation = Situation(state, context)
        name = command.slot_name or situation.asked_slot
        owner = situation.find_owner(name) if name else None
        if name is None or owner is None:
            return Handled({}, "rejected", "no slot is asked any more")
        slot = context.assistant.get_slot_config(name)
        way_out = self._find_skip_target(name, owner, situation)
        if way_out is not None:
            moved = send_flow_to(way_out, "on_skip", owner["progress"], owner, state, context)
            return Handled(moved, flow_id=owner["flow_id"])
        if slot.required:
            said = respond("skip_required", state, context, slot=make_label(name))
            return Handled(said, "rejected", f"'{name}' is required", owner["flow_id"])
        if slot.default is not None:
            return await put_slot(name, slot.default, owner["flow_id"], state, context)
        return await empty_slot(name, owner["flow_id"], state, context)

    def _find_skip_target(self, name: str, owner: FlowContext, situation: Situation) -> str | None:
        plan = situation.get_plan(owner["flow_name"])
        if plan is None or not situation.is_asking(name, owner["flow_id"]):
            return None
        planned = plan.steps.get(owner["current_step"] or "")
        way_out: str | None = getattr(planned.step, "on_skip", None) if planned else None
        return way_out


HANDLER = SkipSlotHandler()
