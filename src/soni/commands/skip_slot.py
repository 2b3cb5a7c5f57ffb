"""SkipSlot: the user does not want to answer."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from soni.commands.base import Accept, Command, CommandHandler, Handled, Place, Reject, Verdict
from soni.commands.filling import put_slot
from soni.commands.situation import Situation
from soni.commands.speech import respond
from soni.core.types import DialogueState, RuntimeContext
from soni.flow.voice import label


class SkipSlot(Command):
    """Leave a slot out: the asked one, or the one named."""

    place: ClassVar[Place] = Place.ANSWER

    type: Literal["SkipSlot"] = "SkipSlot"
    slot_name: str | None = None


class SkipSlotHandler(CommandHandler[SkipSlot]):
    """An optional slot takes its default, or null; a required one is asked again."""

    command = SkipSlot

    def review(self, command: SkipSlot, others: Sequence[Command], situation: Situation) -> Verdict:
        """Something must be asked, or the named slot must be open."""
        name = command.slot_name or situation.asked_slot
        if name is None:
            return Reject("no slot is asked")
        if situation.owner_of(name) is None:
            return Reject(f"no open flow has slot '{name}'")
        return Accept()

    async def execute(
        self, command: SkipSlot, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Write the default, or null."""
        situation = Situation(state, context)
        name = command.slot_name or situation.asked_slot
        owner = situation.owner_of(name) if name else None
        if name is None or owner is None:
            return Handled({}, "rejected", "no slot is asked any more")
        slot = context.assistant.slot(name)
        if slot.required:
            said = respond("skip_required", state, context, slot=label(name))
            return Handled(said, "rejected", f"'{name}' is required", owner["flow_id"])
        if slot.default is not None:
            return await put_slot(name, slot.default, owner["flow_id"], state, context)
        stored = context.flow_manager.set_slot(state, name, None, owner["flow_id"])
        return Handled(stored.updates(), flow_id=owner["flow_id"])


HANDLER = SkipSlotHandler()
