"""execute_commands: the policy decides, the handlers execute, everything is logged."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from soni.commands import Command, CommandHandlerRegistry, CommandPolicy, Decision
from soni.commands.base import Place
from soni.commands.output import emit_replies
from soni.commands.situation import Situation
from soni.core.constants import MASK, ConversationState
from soni.core.masking import mask_text
from soni.core.prompts import SYSTEM_KINDS
from soni.core.records import CommandLogEntry, PolicyDecision
from soni.core.state import Updates, merge_updates
from soni.core.telemetry import SpanKind
from soni.core.types import DialogueState, RuntimeContext, StateUpdate
from soni.dm.fallback import handle_not_understood
from soni.dm.repeated_question import count_doubts
from soni.dm.turn_end import close_turn, mask_message


async def execute_commands(state: DialogueState, runtime: Runtime[RuntimeContext]) -> StateUpdate:
    """Run this message's commands: answers to the current prompt first, then the rest.

    What comes after an answer stays queued until the flow has run to its next wait.
    """
    context = runtime.context
    updates = Updates(state, _clean_commands(state, context))
    policy = CommandPolicy(CommandHandlerRegistry.discover())
    situation = Situation(updates.state, context)
    context.turn_trace.heard = _get_message_for_model(situation)
    queue = [CommandHandlerRegistry.discover().parse(raw) for raw in updates.state["commands"]]
    first = updates.state["turn"].get("first_pass")
    now, later = policy.split_queue(queue, situation) if first else (queue, [])
    if _has_progress(now):
        # A real answer starts the count of digressions in a row anew.
        updates.add({"digression_depth": 0})
    updates.add(await _execute_queue(now, later, updates.state, context))
    updates.add(await _finish_commands(now, updates.state, context))
    return updates.merged


def _clean_commands(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Clean the commands once per turn; a second pass only goes on."""
    if state["nlu_result"] is None:
        phase = state["conversation_state"]
        waits = phase in _WAITING_STATES
        moved = context.move(phase, ConversationState.UNDERSTANDING) if waits else {}
        # The flow has moved on to a new question that the user has not seen, so nothing answers it.
        unasked: StateUpdate = {"_need_input": False, "_pending_prompt": None}
        return {"turn": {"first_pass": False}, **unasked, **moved}
    policy = CommandPolicy(CommandHandlerRegistry.discover())
    raw, unread = state["nlu_result"]["commands"], state["nlu_result"].get("unread", 0)
    situation = Situation(state, context)
    commands, decisions = policy.clean(raw, situation, unread=unread)
    _tell_decisions(decisions, context)
    return {
        "nlu_result": None,
        "commands": [command.model_dump(mode="json") for command in commands],
        "command_log": [
            _log_decision(d, state, context) for d in decisions if d.decision != "accepted"
        ],
        "turn": {
            "first_pass": True,
            **count_doubts(decisions, situation),
            "source": state["nlu_result"].get("source", ""),
            "confidence": state["nlu_result"].get("confidence"),
            "reasoning": state["nlu_result"].get("reasoning"),
            "usage": state["nlu_result"].get("usage"),
            "decisions": [_show_decision(decision, context) for decision in decisions],
            # Rejected commands hold the user's words too.
            "secrets": _collect_secrets([d.said for d in decisions if d.said is not None], context),
        },
    }


def _tell_decisions(decisions: Sequence[Decision], context: RuntimeContext) -> None:
    """Tell whoever watches of commands that do not run; the others are told as they run."""
    for made in decisions:
        if made.decision != "accepted":
            # A command that could not be parsed has whatever name a model gave it.
            name = "unknown" if made.said is None else made.said.type
            with context.telemetry.start(SpanKind.COMMAND, name, decision=made.decision):
                pass


def _get_message_for_model(situation: Situation) -> str | None:
    """The message with secrets masked; None if there is none or all of it is secret."""
    message = mask_text(
        mask_message(situation.state, situation.context.turn_trace.secrets), situation.secrets
    ).strip()
    return message if message and message != MASK else None


_WAITING_STATES = (ConversationState.WAITING_FOR_SLOT.value, ConversationState.CONFIRMING.value)


async def _execute_queue(
    now: Sequence[Command], later: Sequence[Command], state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    updates = await context.command_executor.execute(now, state, context)
    queued = [command.model_dump(mode="json") for command in later]
    return merge_updates(await emit_replies(updates, context), {"commands": queued})


async def _finish_commands(
    now: Sequence[Command], state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """The updates that depend on all the commands together."""
    updates = Updates(state)
    if state["turn"]["first_pass"] and not now and state["user_message"] is not None:
        updates.add(await handle_not_understood(state, context))
    elif _has_progress(now):
        updates.add({"metadata": {"no_progress": 0}, "digression_depth": 0})
    if not updates.state["_need_input"]:
        stands = _is_system_question_open(now, updates.state)
        updates.add({"_need_input": True} if stands else {"_pending_prompt": None})
    if updates.state["_need_input"] and not updates.state["metadata"].get("handoff"):
        updates.add(close_turn(updates.state, context))
    return updates.merged


def _has_progress(now: Sequence[Command]) -> bool:
    return any(command.place is not Place.DIGRESS for command in now)


def _is_system_question_open(now: Sequence[Command], state: DialogueState) -> bool:
    """A system question stays open over small talk, and during a handoff."""
    kind = (state["_pending_prompt"] or {}).get("kind")
    beside = all(command.place in (Place.DIGRESS, Place.HANDOFF) for command in now)
    return kind in SYSTEM_KINDS and beside


def _show_decision(decision: Decision, context: RuntimeContext) -> PolicyDecision:
    sensitive = context.assistant.is_sensitive
    other = decision.becomes if decision.decision == "rewritten" else []
    shown: PolicyDecision = {
        "command": decision.command,
        "args": decision.args,
        "decision": decision.decision,
        "reason": decision.reason,
        "to": [{"command": each.type, "args": each.mask_args(sensitive)} for each in other],
    }
    if decision.added:
        shown["added"] = True
    return shown


def _log_decision(
    decision: Decision, state: DialogueState, context: RuntimeContext
) -> CommandLogEntry:
    return {
        "command": decision.command,
        "args": decision.args,
        "timestamp": context.now(),
        "result": decision.decision,
        "reason": decision.reason,
        "turn": state["turn_count"],
        "flow_id": None,
    }


def _collect_secrets(commands: Sequence[Command], context: RuntimeContext) -> list[str]:
    sensitive = context.assistant.is_sensitive
    return [
        str(value)
        for command in commands
        for slot, value in command.get_touched_slots().items()
        if sensitive(slot) and value is not None
    ]
