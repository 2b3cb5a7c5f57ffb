"""AffirmConfirmation: yes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from soni.commands.base import Accept, Command, CommandHandler, Handled, Place, Reject, Verdict
from soni.commands.command_schema import CommandExample, Precondition
from soni.commands.confirmation import (
    answer_confirm,
    cancel_and_start,
    find_changed_slots,
    make_room_and_start,
)
from soni.commands.consent import NO_PLAIN_YES, read_plain_answer
from soni.commands.set_slot import answer_boolean
from soni.commands.situation import Situation
from soni.core.types import DialogueState, RuntimeContext


class AffirmConfirmation(Command):
    """Yes to the question that is open, and to no other."""

    place: ClassVar[Place] = Place.ANSWER
    needs: ClassVar[Precondition | None] = Precondition.YES_OR_NO
    said: ClassVar[tuple[CommandExample, ...]] = (
        CommandExample("yes, do it", asked="Send it to Rome?"),
    )

    type: Literal["AffirmConfirmation"] = "AffirmConfirmation"

    if TYPE_CHECKING:

        def __init__(self) -> None: ...


class AffirmConfirmationHandler(CommandHandler[AffirmConfirmation]):
    """Answers a confirm, a yes/no question of the system, or a boolean slot."""

    command = AffirmConfirmation

    def review(
        self, command: AffirmConfirmation, others: Sequence[Command], situation: Situation
    ) -> Verdict:
        """Only a plain yes counts; one that also changes a confirmed value is none to the old."""
        asked = situation.asked_slot
        if asked is not None and situation.assistant.get_slot_type(asked).is_polar:
            return answer_boolean(asked, True, situation)
        if not situation.asks_yes_or_no:
            return Reject("nothing is to be confirmed")
        if situation.spoken is not None and not situation.prompt["data"].get("changing"):
            plain = read_plain_answer(situation)
            if plain is None or plain.says != "yes":
                return Reject(NO_PLAIN_YES)
        changed = find_changed_slots(others, situation)
        guarded = sorted(situation.find_guarded_slots().intersection(changed))
        if guarded:
            return Reject(f"{', '.join(guarded)} changed in the same message: confirm again")
        return Accept()

    async def execute(
        self, command: AffirmConfirmation, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Deliver the yes to the step or the system question that asked."""
        prompt = state["_pending_prompt"] or {}
        if prompt.get("kind") == "cancel":
            return await cancel_and_start(prompt["data"], state, context)
        if prompt.get("kind") == "limit":
            return await make_room_and_start(prompt["data"], state, context)
        return answer_confirm("yes", state, context)


HANDLER = AffirmConfirmationHandler()
