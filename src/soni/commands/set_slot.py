"""SetSlot: the user gave a value."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

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
from soni.commands.command_schema import CommandExample, NameSet, NluField
from soni.commands.consent import NO_PLAIN_ANSWER, PLAIN_ANSWER, is_unsaid_boolean, read_boolean
from soni.commands.situation import Situation
from soni.commands.slot_filling import put_slot
from soni.core.constants import ConversationState
from soni.core.types import DialogueState, RuntimeContext


class SetSlot(Command):
    """A value for a slot; another one for a filled slot that is not asked is a correction."""

    place: ClassVar[Place] = Place.SET
    keys: ClassVar[tuple[str, ...]] = ("slot_name", "value")
    said: ClassVar[tuple[CommandExample, ...]] = (
        CommandExample("2 kg", {"slot_name": "weight", "value": "2 kg"}, "How heavy is it?"),
    )

    type: Literal["SetSlot"] = "SetSlot"
    slot_name: Annotated[str, NluField(NameSet.SLOTS)]
    value: Any
    confidence: float = 1.0
    flow_name: str | None = None

    if TYPE_CHECKING:

        def __init__(
            self,
            slot_name: str,
            value: Any,
            *,
            confidence: float = ...,
            flow_name: str | None = ...,
        ) -> None: ...

    @property
    def subject(self) -> tuple[str, ...]:
        """The slot, in its flow."""
        return ("slot", self.slot_name, self.flow_name or "")

    def get_touched_slots(self) -> dict[str, Any]:
        """The slot and its value."""
        return {self.slot_name: self.value}


def review_slot(
    slot: str, flow_name: str | None, others: Sequence[Command], situation: Situation
) -> Verdict:
    """Accept a slot of an open flow, or of one that the same message starts."""
    asked = slot == situation.asked_slot or situation.is_from_api
    if situation.assistant.get_slot_config(slot).ask_before_filling and not asked:
        return Reject(f"'{slot}' is filled only when it is asked")
    if situation.assistant.is_internal(slot) and not situation.is_from_api:
        return Reject(f"nobody is ever asked for '{slot}'")
    if situation.find_owner(slot, flow_name) is not None or situation.is_shared(slot):
        return Accept()
    if is_slot_of_started_flow(slot, others, situation, flow_name):
        return Accept()
    where = f"flow '{flow_name}'" if flow_name else "no open flow"
    return Reject(f"{where} has no slot '{slot}'" if flow_name else f"{where} has slot '{slot}'")


def answer_boolean(asked: str, understood: bool, situation: Situation) -> Verdict:
    """A yes or no to the question for a boolean slot, as the message itself says it."""
    if is_unsaid_boolean(asked, understood, situation):
        return _correct_answer(asked, understood, situation)
    return Rewrite((SetSlot(slot_name=asked, value=understood),), f"'{asked}' is a yes/no slot")


def _correct_answer(name: str, understood: Any, situation: Situation) -> Verdict:
    said = read_boolean(name, understood, situation)
    if said is not None:
        return Rewrite((SetSlot(slot_name=name, value=said),), PLAIN_ANSWER)
    if name != situation.asked_slot:
        return Reject(f"no word of the message is about '{name}'")
    # The slot refuses the words themselves: the user is told what to answer, and it is counted.
    return Rewrite((SetSlot(slot_name=name, value=situation.spoken),), NO_PLAIN_ANSWER)


def is_slot_of_started_flow(
    slot: str, others: Sequence[Command], situation: Situation, flow_name: str | None = None
) -> bool:
    """Whether another command of the message starts a flow that has the slot."""
    for started in _find_started_flows(others, situation):
        plan = situation.get_plan(started) if flow_name in (None, started) else None
        if plan is not None and slot in plan.asks:
            return True
    return False


def _find_started_flows(others: Sequence[Command], situation: Situation) -> Iterator[str]:
    offered = situation.prompt.get("kind") == "limit"
    for other in others:
        if other.type == "StartFlow":
            yield str(getattr(other, "flow_name", ""))
        elif other.type == "AffirmConfirmation" and offered:
            yield situation.prompt["data"]["flow_name"]


class SetSlotHandler(CommandHandler[SetSlot]):
    """Fills the slot, or corrects it."""

    command = SetSlot

    def get_place(self, command: SetSlot, situation: Situation) -> Place:
        """A value for the asked slot is the answer to the prompt, so it runs first."""
        answers = command.slot_name == situation.asked_slot and command.flow_name in (
            None,
            situation.active["flow_name"] if situation.active else None,
        )
        return Place.ANSWER if answers else command.place

    def review(self, command: SetSlot, others: Sequence[Command], situation: Situation) -> Verdict:
        """Reject a missing value, or a slot that no open flow has."""
        name, value = command.slot_name, command.value
        if value is None:
            return Reject("no value")
        if is_unsaid_boolean(name, value, situation):
            return _correct_answer(name, value, situation)
        return review_slot(name, command.flow_name, others, situation)

    async def execute(
        self, command: SetSlot, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Fill the slot, or correct it if it is filled and was not asked."""
        situation = Situation(state, context)
        owner = situation.find_owner(command.slot_name, command.flow_name)
        if owner is None and not situation.is_shared(command.slot_name):
            return Handled({}, "rejected", f"no open flow has slot '{command.slot_name}'")
        flow_id = owner["flow_id"] if owner else None
        handled = await put_slot(command.slot_name, command.value, flow_id, state, context)
        return mark_validated(handled, state, context)


def mark_validated(handled: Handled, state: DialogueState, context: RuntimeContext) -> Handled:
    """Add the move of the conversation to the state `validating_slot`."""
    moved = context.move(state["conversation_state"], ConversationState.VALIDATING_SLOT)
    return replace(handled, updates={**handled.updates, **moved})


HANDLER = SetSlotHandler()
