"""CorrectSlot: the user changes something said before."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from soni.commands.base import Accept, Command, CommandHandler, Handled, Place, Reject, Verdict
from soni.commands.command_schema import CommandExample, NameSet, NluField
from soni.commands.consent import is_unsaid_boolean
from soni.commands.set_slot import mark_validated, review_slot
from soni.commands.situation import Situation
from soni.commands.slot_filling import put_slot
from soni.core.types import DialogueState, RuntimeContext


class CorrectSlot(Command):
    """Another value for a slot that has one; the flow goes back exactly as far as it must."""

    place: ClassVar[Place] = Place.CORRECT
    keys: ClassVar[tuple[str, ...]] = ("slot_name", "new_value")
    said: ClassVar[tuple[CommandExample, ...]] = (
        CommandExample(
            "no, to Oslo", {"slot_name": "city", "new_value": "Oslo"}, "Send it to Rome?"
        ),
    )

    type: Literal["CorrectSlot"] = "CorrectSlot"
    slot_name: Annotated[str, NluField(NameSet.FILLED)]
    new_value: Any
    flow_name: str | None = None

    if TYPE_CHECKING:

        def __init__(
            self, slot_name: str, new_value: Any, *, flow_name: str | None = ...
        ) -> None: ...

    @property
    def subject(self) -> tuple[str, ...]:
        """The slot, in its flow."""
        return ("slot", self.slot_name, self.flow_name or "")

    def get_touched_slots(self) -> dict[str, Any]:
        """The slot and its new value."""
        return {self.slot_name: self.new_value}


class CorrectSlotHandler(CommandHandler[CorrectSlot]):
    """Writes the value like any other, acknowledges the change, and rewinds the flow."""

    command = CorrectSlot

    def review(
        self, command: CorrectSlot, others: Sequence[Command], situation: Situation
    ) -> Verdict:
        """The slot must belong to something that is open."""
        verdict = review_slot(command.slot_name, command.flow_name, others, situation)
        if isinstance(verdict, Accept) and command.new_value is None:
            return Reject("no new value")
        if is_unsaid_boolean(command.slot_name, command.new_value, situation):
            return Reject(f"no word of the message is about '{command.slot_name}'")
        return verdict

    async def execute(
        self, command: CorrectSlot, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Correct a filled slot, or fill an empty one."""
        situation, name = Situation(state, context), command.slot_name
        owner = situation.find_owner(name, command.flow_name)
        if owner is None and not situation.is_shared(name):
            return Handled({}, "rejected", f"no open flow has slot '{name}'")
        flow_id = owner["flow_id"] if owner else None
        handled = await put_slot(name, command.new_value, flow_id, state, context)
        corrected = handled.result == "rewritten"
        as_said = replace(handled, result="success", reason=None) if corrected else handled
        return mark_validated(as_said, state, context)


HANDLER = CorrectSlotHandler()
