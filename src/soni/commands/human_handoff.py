"""HumanHandoff: a person takes over."""

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from soni.commands.base import Command, CommandHandler, Handled, Place
from soni.commands.command_schema import CommandExample
from soni.commands.output import reply, respond
from soni.core.calls import ActionCall
from soni.core.errors import ActionError, NeedSlot
from soni.core.masking import mask_slots, mask_value
from soni.core.records import HandoffTicket, TraceEvent
from soni.core.state import merge_updates
from soni.core.types import DialogueState, RuntimeContext, StateUpdate
from soni.flow.plain import make_plain
from soni.flow.voice import make_label


class HumanHandoff(Command):
    """The user wants to talk to a person."""

    place: ClassVar[Place] = Place.HANDOFF
    keys: ClassVar[tuple[str, ...]] = ("reason",)
    said: ClassVar[tuple[CommandExample, ...]] = (CommandExample("can I talk to somebody?"),)

    type: Literal["HumanHandoff"] = "HumanHandoff"
    reason: str | None = None

    if TYPE_CHECKING:

        def __init__(self, reason: str | None = ...) -> None: ...

    @property
    def subject(self) -> tuple[str, ...]:
        """A conversation is handed over once, even if a message gives several reasons."""
        return ("handoff",)


class HumanHandoffHandler(CommandHandler[HumanHandoff]):
    """Hands the conversation over; from then on messages are only recorded."""

    command = HumanHandoff

    async def execute(
        self, command: HumanHandoff, state: DialogueState, context: RuntimeContext
    ) -> Handled:
        """Hand over; if the assistant has nobody to hand over to, say so."""
        if not is_handoff_enabled(context):
            said = respond("handoff_disabled", state, context)
            return Handled(said, "rejected", "handoff is disabled")
        return Handled(await hand_off(state, context, command.reason or "requested by the user"))


def is_handoff_enabled(context: RuntimeContext) -> bool:
    """Whether the assistant has a person to hand over to."""
    enabled: bool = context.config.conversation_patterns.human_handoff.enabled
    return enabled


async def hand_off(
    state: DialogueState,
    context: RuntimeContext,
    reason: str,
    *,
    queue: str | None = None,
    known: dict[str, Any] | None = None,
    message: str | None = None,
) -> StateUpdate:
    """Updates that hand the conversation over, after running the handoff action.

    `known` are values that a step passes on; `message` replaces the response `handoff`.
    """
    settings = context.config.settings.handoff
    slots = _collect_slots(state)
    sensitive = context.assistant.is_sensitive
    secrets = [value for name, value in slots.items() if sensitive(name)]
    ticket: HandoffTicket = {
        "queue": queue or settings.default_queue,
        "reason": reason,
        "summary": _summarize_tasks(state),
        "slots": mask_slots(slots, sensitive),
        "context": mask_value(make_plain(known or {}), secrets),
        "at": context.now(),
    }
    said = respond("handoff", state, context) if message is None else reply(message)
    data = {"queue": ticket["queue"], "reason": reason}
    event: TraceEvent = {"event": "handoff", "timestamp": context.now(), "data": data}
    updates = merge_updates(said, {"metadata": {"handoff": ticket}, "trace": [event]})
    if settings.action is None:
        return updates
    return merge_updates(updates, await _run_action(settings.action, ticket, state, context))


def _collect_slots(state: DialogueState) -> dict[str, Any]:
    """What is known of the active task: a called flow's slots, and those of its callers."""
    flows = {flow["flow_id"]: flow for flow in state["flow_stack"]}
    flow = state["flow_stack"][-1] if flows else None
    slots: dict[str, Any] = {}
    while flow is not None:
        slots = {**state["flow_slots"].get(flow["flow_id"], {}), **slots}
        flow = flows.get(flow["called_by"] or "")
    return {**state["conversation_slots"], **slots}


async def _run_action(
    action: str, ticket: HandoffTicket, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    said, resets = list[str](), state["metadata"].get("resets", 0)
    call = ActionCall(
        action=action,
        inputs={name: ticket[name] for name in ("queue", "reason", "summary", "slots")},
        # A reset conversation numbers its turns anew, so the count of resets is in the key.
        key=f"{context.conversation_id}/handoff/{resets}/{state['turn_count']}",
        user_id=context.user_id,
        conversation_id=context.conversation_id,
        flow_id=None,
        slots=ticket["slots"],
        session=context.session,
        say=said.append,
    )
    try:
        await context.action_runner.run(call)
    except (ActionError, NeedSlot) as error:
        # A failed action does not stop the handoff; its error is recorded.
        return {"metadata": {"error": str(error), "error_at": context.now()}}
    return reply(*said)


def _summarize_tasks(state: DialogueState) -> str:
    open_flows = [
        f"{make_label(flow['flow_name'])} (at {flow['current_step'] or 'its start'})"
        for flow in state["flow_stack"]
    ]
    return "; ".join(open_flows) or "no open task"


HANDLER = HumanHandoffHandler()
