"""StartFlow: the user wants to do something."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

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
from soni.commands.command_schema import CommandExample, NameSet, NluField, Precondition
from soni.commands.consent import is_unsaid_boolean
from soni.commands.interruption import (
    announce_cancelled_tasks,
    cancel_unresumable,
    get_last_task,
    raise_task,
    record_started_task,
    refuse_interruption,
)
from soni.commands.output import ask_question, render_response, respond
from soni.commands.situation import Situation
from soni.commands.slot_filling import put_slot
from soni.core.errors import FlowStackLimitError, UnknownFlowError
from soni.core.prompts import FlowStart, make_system_prompt
from soni.core.state import Updates, apply_updates
from soni.core.types import DialogueState, FlowContext, RuntimeContext
from soni.flow.stack import tasks_of
from soni.flow.voice import make_label


class StartFlow(Command):
    """The user wants what a flow does; with what was said for its slots."""

    place: ClassVar[Place] = Place.START
    keys: ClassVar[tuple[str, ...]] = ("flow_name", "slots")
    contradicts: ClassVar[frozenset[str]] = frozenset({"Disambiguate", "OutOfScope", "ChitChat"})
    said: ClassVar[tuple[CommandExample, ...]] = (
        CommandExample("I have something to send to Rome", {"flow_name": "send_parcel"}),
    )

    type: Literal["StartFlow"] = "StartFlow"
    flow_name: Annotated[str, NluField(NameSet.STARTABLE)]
    slots: dict[str, Any] = Field(default_factory=dict)
    another: Annotated[bool, NluField(needs=Precondition.TASK)] = False
    """A new instance even if one is open."""

    if TYPE_CHECKING:

        def __init__(
            self, flow_name: str, slots: dict[str, Any] = ..., *, another: bool = ...
        ) -> None: ...

    def get_touched_slots(self) -> dict[str, Any]:
        """The slots given along."""
        return dict(self.slots)


class StartFlowHandler(CommandHandler[StartFlow]):
    """Pushes a task, or brings the open one of that flow to the top."""

    command = StartFlow

    def review(
        self, command: StartFlow, others: Sequence[Command], situation: Situation
    ) -> Verdict:
        """Only flows that may start now, and of booleans only those that were said."""
        reason = situation.explain_unstartable(command.flow_name)
        if reason is not None:
            return Reject(reason)
        given = command.slots.items()
        unsaid = [name for name, value in given if is_unsaid_boolean(name, value, situation)]
        if not unsaid:
            return Accept()
        said = {name: value for name, value in given if name not in unsaid}
        without = command.model_copy(update={"slots": said})
        return Rewrite((without,), f"no word of the message is about {', '.join(unsaid)}")

    async def execute(
        self, command: StartFlow, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Push the flow or raise its open task, then fill the given slots."""
        open_one = None if command.another else _find_open_task(state, command.flow_name)
        if open_one is not None and open_one is tasks_of(state["flow_stack"])[-1][0]:
            return await self._finish_start(command, open_one["flow_id"], Updates(state), context)
        refusal = refuse_interruption(state, context)
        if refusal is not None:
            return refusal
        updates = Updates(state, cancel_unresumable(state, context))
        if open_one is not None:
            reason = f"User asked for {command.flow_name}"
            updates.add(raise_task(open_one["flow_id"], reason, updates.state, context))
            return await self._finish_start(command, open_one["flow_id"], updates, context)
        return await self._push_task(command, updates, context)

    async def _push_task(
        self, command: StartFlow, updates: Updates, context: RuntimeContext
    ) -> Handled:
        state = updates.state
        try:
            # Tasks of one message run in the order they were named: each waits below the last.
            flow_id, delta = context.flow_manager.push_flow(
                state,
                command.flow_name,
                reason=f"User started {command.flow_name}",
                below=get_last_task(state),
            )
        except FlowStackLimitError as limit:
            return _handle_limit(command, limit, state, context)
        except UnknownFlowError as unknown:
            # The assistant was edited after the question, so the flow of the yes is gone.
            updates.add(respond("flow_gone", state, context, flow=make_label(command.flow_name)))
            return Handled(updates.merged, "rejected", str(unknown))
        stack = delta.flow_stack or []
        updates.add(announce_cancelled_tasks(stack, command.flow_name, state, context))
        updates.add({"turn": {"started": [*state["turn"].get("started", []), flow_id]}})
        updates.add(delta.updates())
        return await self._finish_start(command, flow_id, updates, context)

    async def _finish_start(
        self, command: StartFlow, flow_id: str, updates: Updates, context: RuntimeContext
    ) -> Handled:
        updates.add(record_started_task(flow_id, updates.state))
        is_new = flow_id in updates.state["turn"].get("started", [])
        inherited = updates.state["flow_slots"].get(flow_id, {}) if is_new else {}
        if inherited:
            # Values from archived outputs pass the slot writer like any others.
            unset = context.flow_manager.unset_slots(updates.state, list(inherited), flow_id)
            updates.add(unset.updates())
        given = {**inherited, **command.slots}
        for name in list(given):
            value = given.pop(name)
            beside = [(other, given[other], command.flow_name) for other in given]
            coming = [*updates.state["turn"].get("coming", []), *beside]
            seen = apply_updates(updates.state, {"turn": {"coming": coming}})
            filled = await put_slot(name, value, flow_id, seen, context, explain=True)
            updates.add(filled.updates)
        return Handled(updates.merged, flow_id=flow_id)


def _find_open_task(state: DialogueState, flow_name: str) -> FlowContext | None:
    roots = [flow for flow in state["flow_stack"] if flow["called_by"] is None]
    return next((flow for flow in reversed(roots) if flow["flow_name"] == flow_name), None)


def _handle_limit(
    command: StartFlow, limit: FlowStackLimitError, state: DialogueState, context: RuntimeContext
) -> Handled:
    words = {"count": str(limit.limit), "flow": make_label(command.flow_name)}
    if limit.asks:
        oldest = make_label(state["flow_stack"][0]["flow_name"])
        question = render_response("flow_limit_ask", state, context, oldest=oldest, **words)
        prompt = make_system_prompt("limit", question, **make_flow_start(command, context))
        return Handled(ask_question(prompt), "rewritten", "asked whether to cancel the oldest task")
    return Handled(respond("flow_limit_reached", state, context, **words), "rejected", str(limit))


def make_flow_start(command: StartFlow, context: RuntimeContext) -> FlowStart:
    """The command as plain data, kept in a question until it is answered."""
    # A question is stored and shown to the NLU, so sensitive values are asked for again.
    sensitive = context.assistant.is_sensitive
    open_slots = {name: value for name, value in command.slots.items() if not sensitive(name)}
    return {"flow_name": command.flow_name, "slots": open_slots, "another": command.another}


HANDLER = StartFlowHandler()
