"""execute_commands: the policy cleans, handlers execute, everything is logged."""

from collections.abc import Sequence
from typing import Any

from langgraph.runtime import Runtime

from soni.commands import Command, CommandHandlerRegistry, CommandPolicy, Decision
from soni.commands.base import Place
from soni.commands.rewording import spoken
from soni.commands.situation import Situation
from soni.core.constants import MASK, ConversationState
from soni.core.masking import masked
from soni.core.prompts import SYSTEM_KINDS
from soni.core.state import apply_updates, merge_updates
from soni.core.types import DialogueState, RuntimeContext
from soni.dm.closing import close_turn, masked_message
from soni.dm.unclear import not_understood


async def execute_commands(
    state: DialogueState, runtime: Runtime[RuntimeContext]
) -> dict[str, Any]:
    """Run this message's commands: answers to the current prompt first, then the rest.

    What comes after an answer stays queued until the flow has run to its next wait.
    """
    context = runtime.context
    updates = _begin(state, context)
    state = apply_updates(state, updates)
    policy = CommandPolicy(CommandHandlerRegistry.discover())
    situation = Situation(state, context)
    context.course.heard = _tellable(situation)
    queue = [CommandHandlerRegistry.discover().parse(raw) for raw in state["commands"]]
    first = state["turn"].get("first_pass")
    now, later = policy.split(queue, situation) if first else (queue, [])
    if _moves_on(now):
        # What is asked beside a real answer is the first question, not one too many.
        updates = merge_updates(updates, {"digression_depth": 0})
        state = apply_updates(state, {"digression_depth": 0})
    done = await _executed(now, later, state, context)
    updates = merge_updates(updates, done)
    return merge_updates(updates, await _finished(now, apply_updates(state, done), context))


def _begin(state: DialogueState, context: RuntimeContext) -> dict[str, Any]:
    """Clean the commands once per turn; a second pass only goes on."""
    if state["nlu_result"] is None:
        back = state["conversation_state"] in _WAITING
        moved = (
            context.move(state["conversation_state"], ConversationState.UNDERSTANDING)
            if back
            else {}
        )
        # The question that the flow has come to meanwhile was not asked: nothing answers it.
        unasked = {"_need_input": False, "_pending_prompt": None}
        return {"turn": {"first_pass": False}, **unasked, **moved}
    policy = CommandPolicy(CommandHandlerRegistry.discover())
    raw = state["nlu_result"]["commands"]
    commands, decisions = policy.clean(raw, Situation(state, context))
    return {
        "nlu_result": None,
        "commands": [command.model_dump(mode="json") for command in commands],
        "command_log": [_logged(d, state, context) for d in decisions if d.decision != "accepted"],
        "turn": {
            "first_pass": True,
            "source": state["nlu_result"].get("source", ""),
            "confidence": state["nlu_result"].get("confidence"),
            "reasoning": state["nlu_result"].get("reasoning"),
            "usage": state["nlu_result"].get("usage"),
            "decisions": [_shown(decision, context) for decision in decisions],
            # What was rejected was said all the same.
            "secrets": _secrets([d.said for d in decisions if d.said is not None], context),
        },
    }


def _tellable(situation: Situation) -> str | None:
    """The message as a language model may be told; None: there is none, or all of it is secret."""
    message = masked(masked_message(situation.state), situation.secrets).strip()
    return message if message and message != MASK else None


_WAITING = (ConversationState.WAITING_FOR_SLOT.value, ConversationState.CONFIRMING.value)


async def _executed(
    now: Sequence[Command],
    later: Sequence[Command],
    state: DialogueState,
    context: RuntimeContext,
) -> dict[str, Any]:
    updates = await spoken(await context.command_executor.execute(now, state, context), context)
    queued = {"commands": [command.model_dump(mode="json") for command in later]}
    return merge_updates(updates, queued)


async def _finished(
    now: Sequence[Command], state: DialogueState, context: RuntimeContext
) -> dict[str, Any]:
    """What follows from the commands as a whole."""
    updates: dict[str, Any] = {}
    if state["turn"]["first_pass"] and not now and state["user_message"] is not None:
        updates = await not_understood(state, context)
    elif _moves_on(now):
        updates = {"metadata": {"no_progress": 0}, "digression_depth": 0}
    state = apply_updates(state, updates)
    if not state["_need_input"] and _system_question_stands(now, state):
        updates = merge_updates(updates, {"_need_input": True})
    elif not state["_need_input"]:
        updates = merge_updates(updates, {"_pending_prompt": None})
    state = apply_updates(state, updates)
    if not state["_need_input"] or state["metadata"].get("handoff"):
        return updates
    return merge_updates(updates, close_turn(state, context))


def _moves_on(now: Sequence[Command]) -> bool:
    return any(command.place is not Place.DIGRESS for command in now)


def _system_question_stands(now: Sequence[Command], state: DialogueState) -> bool:
    """A question of the system stays open over small talk, and until a person gives back."""
    kind = (state["_pending_prompt"] or {}).get("kind")
    beside = all(command.place in (Place.DIGRESS, Place.HANDOFF) for command in now)
    return kind in SYSTEM_KINDS and beside


def _shown(decision: Decision, context: RuntimeContext) -> dict[str, Any]:
    sensitive = context.assistant.sensitive
    return {
        "command": decision.command,
        "args": decision.args,
        "decision": decision.decision,
        "reason": decision.reason,
        "to": [
            {"command": command.type, "args": command.masked_args(sensitive)}
            for command in decision.becomes
        ]
        if decision.decision == "rewritten"
        else [],
        **({"added": True} if decision.added else {}),
    }


def _logged(decision: Decision, state: DialogueState, context: RuntimeContext) -> dict[str, Any]:
    return {
        "command": decision.command,
        "args": decision.args,
        "timestamp": context.now(),
        "result": decision.decision,
        "reason": decision.reason,
        "turn": state["turn_count"],
        "flow_id": None,
    }


def _secrets(commands: Sequence[Command], context: RuntimeContext) -> list[str]:
    sensitive = context.assistant.sensitive
    return [
        str(value)
        for command in commands
        for slot, value in command.slots_touched().items()
        if sensitive(slot) and value is not None
    ]
