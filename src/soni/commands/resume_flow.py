"""ResumeFlow: the user wants to go on with something that was paused."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from soni.commands.base import Accept, Command, CommandHandler, Handled, Place, Reject, Verdict
from soni.commands.command_schema import CommandExample, NameSet, NluField, Precondition
from soni.commands.interruption import (
    cancel_unresumable,
    raise_task,
    record_started_task,
    refuse_interruption,
)
from soni.commands.situation import Situation
from soni.core.state import Updates
from soni.core.types import DialogueState, FlowContext, RuntimeContext
from soni.flow.stack import tasks_of


class ResumeFlow(Command):
    """Back to a paused flow; to the one paused last, if none is named."""

    place: ClassVar[Place] = Place.START
    keys: ClassVar[tuple[str, ...]] = ("flow_name",)
    needs: ClassVar[Precondition | None] = Precondition.PAUSED
    said: ClassVar[tuple[CommandExample, ...]] = (
        CommandExample("back to my parcel", {"flow_name": "send_parcel"}),
    )

    type: Literal["ResumeFlow"] = "ResumeFlow"
    flow_name: Annotated[str | None, NluField(NameSet.PAUSED)] = None

    if TYPE_CHECKING:

        def __init__(self, flow_name: str | None = ...) -> None: ...


class ResumeFlowHandler(CommandHandler[ResumeFlow]):
    """Reorders the stack, nothing else."""

    command = ResumeFlow

    def review(
        self, command: ResumeFlow, others: Sequence[Command], situation: Situation
    ) -> Verdict:
        """Reject if no such task is paused."""
        if _find_paused_task(command, situation) is not None:
            return Accept()
        paused = ", ".join(task[0]["flow_name"] for task in situation.tasks[:-1]) or "none"
        return Reject(f"no such paused task; paused: {paused}")

    async def execute(
        self, command: ResumeFlow, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Move the task to the top. Its question is asked again."""
        wanted = _find_paused_task(command, Situation(state, context))
        if wanted is None:
            return Handled({}, "rejected", "the task has ended meanwhile")
        flow_id = wanted["flow_id"]
        if flow_id == tasks_of(state["flow_stack"])[-1][0]["flow_id"]:
            return Handled(record_started_task(flow_id, state), flow_id=flow_id)
        refusal = refuse_interruption(state, context)
        if refusal is not None:
            return refusal
        updates = Updates(state, cancel_unresumable(state, context))
        updates.add(raise_task(flow_id, "User resumed another task", updates.state, context))
        updates.add(record_started_task(flow_id, state))
        return Handled(updates.merged, flow_id=flow_id)


def _find_paused_task(command: ResumeFlow, situation: Situation) -> FlowContext | None:
    """The paused task that is meant; the active one if no paused task matches."""
    *paused, active = situation.tasks or [[]]
    if command.flow_name is None:
        return paused[-1][0] if paused else None
    roots = [task[0] for task in [active, *paused] if task]
    return next((root for root in reversed(roots) if root["flow_name"] == command.flow_name), None)


HANDLER = ResumeFlowHandler()
