"""ResumeFlow: the user wants to go on with something that was paused."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from soni.commands.base import Accept, Command, CommandHandler, Handled, Place, Reject, Verdict
from soni.commands.situation import Situation
from soni.core.types import DialogueState, FlowContext, RuntimeContext


class ResumeFlow(Command):
    """Bring a paused task to the top: the named one, or the one paused last."""

    place: ClassVar[Place] = Place.START

    type: Literal["ResumeFlow"] = "ResumeFlow"
    flow_name: str | None = None


class ResumeFlowHandler(CommandHandler[ResumeFlow]):
    """Reorders the stack, nothing else."""

    command = ResumeFlow

    def review(
        self, command: ResumeFlow, others: Sequence[Command], situation: Situation
    ) -> Verdict:
        """There must be such a task."""
        if _wanted(command, situation) is not None:
            return Accept()
        paused = ", ".join(task[0]["flow_name"] for task in situation.tasks[:-1]) or "none"
        return Reject(f"no such paused task; paused: {paused}")

    async def execute(
        self, command: ResumeFlow, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Raise the task; what it asked is asked again."""
        wanted = _wanted(command, Situation(state, context))
        if wanted is None:
            return Handled({}, "rejected", "the task has ended meanwhile")
        raised = context.flow_manager.raise_task(
            state, wanted["flow_id"], "User resumed another task"
        ).updates()
        return Handled(raised, flow_id=wanted["flow_id"])


def _wanted(command: ResumeFlow, situation: Situation) -> FlowContext | None:
    tasks = situation.tasks
    if command.flow_name is None:
        return tasks[-2][0] if len(tasks) > 1 else None
    named = [task[0] for task in tasks if task[0]["flow_name"] == command.flow_name]
    return named[-1] if named else None


HANDLER = ResumeFlowHandler()
