"""What the other commands of a message change in the task whose question is open."""

from collections.abc import Iterator, Sequence

from soni.commands.base import Command
from soni.commands.resume_flow import ResumeFlow
from soni.commands.situation import Situation
from soni.commands.start_flow import StartFlow


def find_changed_slots(others: Sequence[Command], situation: Situation) -> list[str]:
    """Slots of the asking task that get another value; the same value again is no change."""
    return [
        slot
        for command in others
        for slot, value in command.slots_touched().items()
        if _lands_here(command, slot, others, situation) and situation.differs(slot, value)
    ]


def _lands_here(
    command: Command, slot: str, others: Sequence[Command], situation: Situation
) -> bool:
    """Whether a value is for the asking task, or for another that the same message leads to."""
    if isinstance(command, StartFlow):
        return command.flow_name not in elsewhere([command], situation)
    flow_name: str | None = getattr(command, "flow_name", None)
    for other_flow in elsewhere(others, situation):
        plan = situation.plan(other_flow)
        if flow_name in (None, other_flow) and plan is not None and slot in plan.asks:
            return False
    owner = situation.owner_of(slot, flow_name)
    here = owner is not None and situation.is_of_asking_task(owner)
    return here or situation.is_shared(slot)


def elsewhere(commands: Sequence[Command], situation: Situation) -> Iterator[str]:
    """Flows that these commands bring to the top in place of the active task."""
    active = situation.tasks[-1][0]["flow_name"] if situation.active else None
    for command in commands:
        if isinstance(command, StartFlow) and (command.another or command.flow_name != active):
            yield command.flow_name
        if isinstance(command, ResumeFlow) and command.flow_name not in (None, active):
            yield str(command.flow_name)
