"""Closing a turn: asks the question, records the turn and prunes the state.

This happens before the graph waits: the node that waits runs again on resume, so it must hold no
effect of its own.
"""

from collections.abc import Sequence
from math import isfinite
from typing import Any, Final

from langchain_core.messages import AIMessage, HumanMessage

from soni.commands import CommandHandlerRegistry
from soni.commands.base import Handled
from soni.commands.executor import POSTPONED, make_log_entry
from soni.core.constants import MASK, ConversationState
from soni.core.masking import LONG_SECRET, find_derived, mask_quotes, mask_text
from soni.core.prompts import SYSTEM_KINDS, Prompt, is_consent
from soni.core.records import CommandLogEntry, EndedFlow, TurnFacts
from soni.core.state import Updates
from soni.core.turn_trace import sum_usage
from soni.core.types import (
    DialogueState,
    FlowContext,
    Metadata,
    Overwrite,
    RuntimeContext,
    StateUpdate,
)
from soni.dm.repeated_question import make_answers, put_question
from soni.flow.manager import keep_newest
from soni.steps.ui import list_options

_MAX_REASONING: Final = 1_000
"""Longest recorded reasoning of a provider, in characters."""


def close_turn(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Updates that end the turn, whether it waits for an answer or not."""
    ending = (
        _ask_pending_question(state, context) if state["_need_input"] else _go_idle(state, context)
    )
    updates = Updates(state, ending)
    updates.add({"messages": _collect_messages(updates.state, context.turn_trace.secrets)})
    # What ended in this turn is told of, although little of it may be kept.
    state = updates.state
    updates.add(context.flow_manager.prune_state(state).updates())
    logged = [*state["command_log"], *_log_unfinished_commands(state, context)]
    most = context.config.settings.memory_management.max_logged_commands
    return {
        **updates.merged,
        "flow_stack": [_stamp_version(flow, context) for flow in updates.state["flow_stack"]],
        "last_response": "\n".join(
            mask_quotes(reply["text"], context.turn_trace.secrets) for reply in state["replies"]
        ),
        "command_log": Overwrite(keep_newest(logged, most)),
        "user_message": None,
        "nlu_result": None,
        "commands": [],
        "metadata": {
            **updates.merged.get("metadata", {}),
            "last_activity": _get_last_activity(state, context),
            "language": context.language,
            "offered": _find_options(state),
            **_note_answers(updates.state, context),
            **_note_derived(updates.state, context),
        },
        "turn": Overwrite(_collect_facts(state, context)),
    }


def _stamp_version(flow: FlowContext, context: RuntimeContext) -> FlowContext:
    """A task that this turn began belongs to the version that it began on."""
    version = context.assistant.get_version(flow["flow_name"])
    return flow if "version" in flow or version is None else {**flow, "version": version}


def _note_derived(state: DialogueState, context: RuntimeContext) -> Metadata:
    """Which slots quote a secret: they go on doing so when its own slot is gone."""
    secrets, sensitive = context.turn_trace.secrets, context.assistant.is_sensitive
    derived = find_derived(state, secrets, sensitive)
    return {"derived": derived} if derived or state["metadata"].get("derived") else {}


def _get_last_activity(state: DialogueState, context: RuntimeContext) -> float:
    """The time of the user's last message. Calls of the application do not count."""
    last = state["metadata"].get("last_activity")
    return last if last is not None and state["turn"].get("say") else context.now()


def _log_unfinished_commands(
    state: DialogueState, context: RuntimeContext
) -> list[CommandLogEntry]:
    """Log entries for commands that were queued when a question or a handoff ended the turn."""
    handled = POSTPONED
    if state["metadata"].get("handoff"):
        handled = Handled({}, "rejected", "a person had taken over")
    parse = CommandHandlerRegistry.discover().parse
    return [make_log_entry(parse(raw), handled, state, context) for raw in state["commands"]]


def _ask_pending_question(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    messages, prompt = put_question(state["_pending_prompt"] or {}, state, context)
    for message in messages:
        context.emit(message["text"])
    confirms = prompt["slot"] is None
    asks = ConversationState.CONFIRMING if confirms else ConversationState.WAITING_FOR_SLOT
    return {
        "replies": messages,
        "_pending_prompt": prompt,
        "waiting_for_slot": prompt["slot"],
        "current_step": prompt["step"],
        **context.move(state["conversation_state"], asks),
    }


def _find_options(state: DialogueState) -> list[dict[str, Any]]:
    """The options that were shown last in this turn, and so can be pressed."""
    shown = [reply["ui"] for reply in state["replies"] if reply.get("ui")]
    return list_options(shown[-1]) if shown else []


def _note_answers(state: DialogueState, context: RuntimeContext) -> Metadata:
    """What answers a question that shows no options, so that consent is never without buttons."""
    prompt = state["_pending_prompt"]
    is_asked = prompt is not None and is_consent(prompt) and not _find_options(state)
    answers = make_answers(state, context) if is_asked else []
    return {"answers": answers} if answers or state["metadata"].get("answers") else {}


def _go_idle(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    phase = state["conversation_state"]
    if phase == ConversationState.EXECUTING_ACTION.value:
        phase = context.move(phase, ConversationState.UNDERSTANDING)["conversation_state"]
    return {
        "_pending_prompt": _keep_question(state),
        "waiting_for_slot": None,
        "current_step": state["flow_stack"][-1]["current_step"] if state["flow_stack"] else None,
        **context.move(phase, ConversationState.IDLE),
    }


def _keep_question(state: DialogueState) -> Prompt | None:
    """Keep a system question over a handoff: a flow asks again by itself, the system cannot."""
    prompt = state["_pending_prompt"]
    handed_off = bool(state["metadata"].get("handoff"))
    return prompt if handed_off and prompt and prompt["kind"] in SYSTEM_KINDS else None


def _collect_messages(state: DialogueState, secrets: Sequence[Any] = ()) -> list[Any]:
    turn = state["turn_count"]
    new: list[Any] = []
    if state["user_message"] is not None:
        new.append(HumanMessage(mask_message(state, secrets), id=f"{turn}-user"))
    new.extend(
        AIMessage(
            mask_quotes(reply["text"], secrets), id=f"{turn}-bot-{index}", name=reply.get("by")
        )
        for index, reply in enumerate(state["replies"])
    )
    if state["_need_input"]:
        # A question is not repeated once it was answered or dropped.
        new[-1].response_metadata = {"question": True}
    return new


def mask_message(state: DialogueState, secrets: Sequence[Any] = ()) -> str:
    """The user's message as it may be stored, given the values that must not be."""
    # The user may repeat a secret that was given before; of a short one that cannot be told.
    known = [secret for secret in secrets if len(str(secret)) >= LONG_SECRET]
    return mask_quotes(_mask_secrets(state["user_message"] or "", state), known)


def _mask_secrets(text: str, state: DialogueState) -> str:
    """Mask secrets in the user's message, or in a text that may quote it."""
    message, secrets = state["user_message"] or "", state["turn"].get("secrets", [])
    # A value that was derived from other words cannot be masked in them.
    hidden = any(secret.casefold() not in message.casefold() for secret in secrets)
    return MASK if hidden or state["turn"].get("private") else mask_text(text, secrets)


def _note_confidence(state: DialogueState) -> TurnFacts:
    """The provider's confidence and its reasons, as far as it gave them."""
    sure, why = state["turn"].get("confidence"), state["turn"].get("reasoning")
    # A provider may be third-party code and return anything.
    judged: TurnFacts = {}
    if isinstance(sure, int | float) and isfinite(sure):
        judged["confidence"] = round(sure, 6)
    if why:
        judged["reasoning"] = _mask_secrets(str(why), state)[:_MAX_REASONING]
    return judged


def _collect_facts(state: DialogueState, context: RuntimeContext) -> TurnFacts:
    """Facts about the turn for the journal. They hold no secrets."""
    turn = state["turn"]
    events = state["trace"][turn.get("trace_from", 0) :]
    ended: list[EndedFlow] = [
        {"flow_name": event["data"]["flow_name"], "result": event["event"].removeprefix("flow_")}
        for event in events
        if event["event"] in _END_EVENTS
    ]
    facts: TurnFacts = {
        "message_id": turn.get("message_id"),
        "message": mask_message(state, context.turn_trace.secrets)
        if state["user_message"] is not None
        else None,
        "source": turn.get("source", ""),
        **_note_confidence(state),
        "decisions": turn.get("decisions", []),
        "actions": turn.get("actions", []),
        "ended": ended,
        "steps": list(context.turn_trace.steps),
        "transitions": list(context.turn_trace.transitions),
        "responses": context.turn_trace.responses,
        "events": [
            {"event": event["event"], **event["data"]}
            for event in events
            if event["event"] != "action_called"
        ],
    }
    if usage := sum_usage(turn.get("usage"), *context.turn_trace.usage):
        facts["usage"] = usage
    return facts


_END_EVENTS = frozenset({"flow_completed", "flow_cancelled", "flow_abandoned", "flow_error"})
