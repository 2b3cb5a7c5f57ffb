"""CommandExecutor: executes the accepted commands in order, and logs each."""

from collections.abc import Sequence
from typing import Any

from soni.commands.base import Command, Handled, Place
from soni.commands.confirmation import iter_raised_flows
from soni.commands.corrections import rewind_other_flows
from soni.commands.registry import CommandHandlerRegistry
from soni.commands.situation import Situation
from soni.commands.start_flow import StartFlow, make_flow_start
from soni.core.prompts import PromptData
from soni.core.records import CommandLogEntry
from soni.core.state import Updates, apply_updates
from soni.core.telemetry import SpanKind
from soni.core.types import DialogueState, RuntimeContext, StateUpdate


class CommandExecutor:
    """Runs handlers on the state. Deterministic: nothing is interpreted here."""

    def __init__(self, registry: CommandHandlerRegistry) -> None:
        self._registry = registry

    async def execute(
        self, commands: Sequence[Command], state: DialogueState, context: RuntimeContext
    ) -> StateUpdate:
        """The merged updates of these commands. Each handler sees what the previous one did."""
        updates = Updates(state)
        queue = [self._registry.parse(raw) for raw in state["commands"]]
        for command in commands:
            queue = [other for other in queue if other != command]
            before = updates.state
            seen = add_coming_values(queue, before, context)
            with context.telemetry.start(SpanKind.COMMAND, command.type) as span:
                handled = await self._handle(command, seen, context)
                span.note(decision=handled.result)
            updates.add(handled.updates)
            updates.add({"command_log": [make_log_entry(command, handled, before, context)]})
            told = [handled.flow_id] if handled.flow_id else []
            updates.add(rewind_other_flows(before, updates.state, told, context))
        return updates.merged

    async def _handle(
        self, command: Command, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        # The answer to the question just asked decides whether the other task starts.
        if state["_need_input"] and command.place is Place.START:
            return postpone_start(command, state, context)
        return await self._registry.get_handler(command.type).execute(command, state, context)


def add_coming_values(
    queue: Sequence[Command], state: DialogueState, context: RuntimeContext
) -> DialogueState:
    """The state for a handler: with the values that the commands after it will set."""
    situation, coming = Situation(state, context), list[tuple[str, Any, str | None]]()
    for command in queue:
        # The values that follow are for another task.
        if any(iter_raised_flows([command], situation)):
            break
        flow_name = getattr(command, "flow_name", None)
        coming += [(name, value, flow_name) for name, value in command.get_touched_slots().items()]
    return apply_updates(state, {"turn": {"coming": coming}})


POSTPONED = Handled({}, "rejected", "a question had to be answered first")


def postpone_start(command: Command, state: DialogueState, context: RuntimeContext) -> Handled:
    """Start the task after the user confirms the cancellation that was just asked about."""
    prompt = state["_pending_prompt"] or {}
    waits = prompt.get("kind") == "cancel" and not prompt["data"].get("then")
    if not waits or not isinstance(command, StartFlow):
        return POSTPONED
    data: PromptData = {**prompt["data"], "then": make_flow_start(command, context)}
    asked: StateUpdate = {"_pending_prompt": {**prompt, "data": data}}
    return Handled(asked, "rewritten", "starts once the other task is cancelled")


def make_log_entry(
    command: Command, handled: Handled, state: DialogueState, context: RuntimeContext
) -> CommandLogEntry:
    """One line of the command log, sensitive values masked."""
    private = bool(state["turn"].get("private"))
    return {
        "command": command.type,
        "args": command.mask_args(context.assistant.is_sensitive, private=private),
        "timestamp": context.now(),
        "result": handled.result,
        "reason": handled.reason,
        "turn": state["turn_count"],
        "flow_id": handled.flow_id,
    }
