"""CancelFlow: the user gives the current task up."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from soni.commands.base import Accept, Command, CommandHandler, Handled, Place, Reject, Verdict
from soni.commands.command_schema import CommandExample, Precondition
from soni.commands.consent import NO_PLAIN_YES, read_plain_answer
from soni.commands.output import ask_question, render_response, respond
from soni.commands.situation import Situation
from soni.core.prompts import make_system_prompt
from soni.core.state import merge_updates
from soni.core.types import DialogueState, RuntimeContext, StateUpdate
from soni.flow.stack import tasks_of
from soni.flow.voice import make_label


class CancelFlow(Command):
    """The user gives up what is open; the task on top is cancelled, called flows included."""

    place: ClassVar[Place] = Place.CANCEL
    keys: ClassVar[tuple[str, ...]] = ("reason",)
    contradicts: ClassVar[frozenset[str]] = frozenset(
        {"AffirmConfirmation", "DenyConfirmation", "SkipSlot"}
    )
    needs: ClassVar[Precondition | None] = Precondition.TASK
    said: ClassVar[tuple[CommandExample, ...]] = (
        CommandExample("never mind", asked="How heavy is it?"),
    )

    type: Literal["CancelFlow"] = "CancelFlow"
    reason: str | None = None

    if TYPE_CHECKING:

        def __init__(self, reason: str | None = ...) -> None: ...

    @property
    def subject(self) -> tuple[str, ...]:
        """A message cancels one task, even if it gives several reasons."""
        return ("cancel",)


class CancelFlowHandler(CommandHandler[CancelFlow]):
    """Cancels, acknowledges and resumes the task below."""

    command = CancelFlow

    def review(
        self, command: CancelFlow, others: Sequence[Command], situation: Situation
    ) -> Verdict:
        """Reject if users may not cancel, or were asked whether to and gave no plain answer."""
        if not situation.assistant.config.conversation_patterns.cancellation.enabled:
            return Reject("cancellation is disabled")
        asked = situation.spoken is not None and situation.prompt.get("kind") == "cancel"
        return Reject(NO_PLAIN_YES) if asked and read_plain_answer(situation) is None else Accept()

    async def execute(
        self, command: CancelFlow, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Cancel now, or ask first where the assistant says so."""
        if not state["flow_stack"]:
            return Handled(respond("nothing_to_cancel", state, context))
        asks_first = context.config.conversation_patterns.cancellation.confirm_before_cancel
        answered = (state["_pending_prompt"] or {}).get("kind") == "cancel"
        if not asks_first or answered:
            return Handled(cancel_task(state, context, command.reason))
        flow = tasks_of(state["flow_stack"])[-1][0]["flow_name"]
        question = render_response("cancel_confirm", state, context, flow=make_label(flow))
        prompt = make_system_prompt("cancel", question, reason=command.reason)
        return Handled(ask_question(prompt), "rewritten", "asked before cancelling")


def cancel_task(state: DialogueState, context: RuntimeContext, reason: str | None) -> StateUpdate:
    """Updates that cancel the task on top. The task below resumes by itself."""
    flow = tasks_of(state["flow_stack"])[-1][0]["flow_name"]
    said = respond("flow_cancelled", state, context, flow=make_label(flow))
    popped = context.flow_manager.pop_task(state, "cancelled", reason or "Cancelled by the user")
    return merge_updates(said, popped.updates())


HANDLER = CancelFlowHandler()
