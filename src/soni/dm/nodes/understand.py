"""understand: a message becomes commands. The only node that asks for an interpretation."""

import asyncio
from typing import Any, Final

import structlog
from langgraph.runtime import Runtime

from soni.commands.rewording import spoken
from soni.commands.situation import Situation
from soni.commands.speech import respond, voice_of
from soni.core.constants import ConversationState, FlowContextState
from soni.core.state import apply_updates, merge_updates, with_memory
from soni.core.types import DialogueState, Overwrite, RuntimeContext
from soni.du.charge import charged
from soni.du.scripted import ScriptError
from soni.flow.stack import tasks_of

_log = structlog.get_logger("soni.understand")
_FAILED: Final = "understanding failed"


async def understand(state: DialogueState, runtime: Runtime[RuntimeContext]) -> dict[str, Any]:
    """Open the turn, then understand its message."""
    context = runtime.context
    opened = await _open_turn(state, context)
    state = apply_updates(state, opened)
    if state["metadata"].get("handoff"):
        return opened
    expired = _expire_session(state, context)
    updates = merge_updates(opened, expired)
    state = apply_updates(state, expired)
    moved = context.move(state["conversation_state"], ConversationState.UNDERSTANDING)
    updates = merge_updates(updates, moved)
    return merge_updates(updates, await _understood(apply_updates(state, moved), context))


async def _open_turn(state: DialogueState, context: RuntimeContext) -> dict[str, Any]:
    turn = state["turn_count"] + 1
    facts = dict(state["turn"])
    released = {"handoff": None} if facts.get("release") else {}
    updates: dict[str, Any] = {
        "turn_count": turn,
        "commands": [],
        "nlu_result": None,
        "_need_input": False,
        "flow_stack": [with_memory(flow) for flow in state["flow_stack"]],
        "turn": {
            "trace_from": len(state["trace"]),
            "private": Situation(state, context).asks_in_private,
            "task": tasks_of(state["flow_stack"])[-1][0]["flow_id"]
            if state["flow_stack"]
            else None,
        },
        "metadata": released,
    }
    opening = [*_welcome({**state, "turn_count": turn}, context), *facts.get("say", [])]
    said = await spoken({"replies": opening}, context)
    updates["replies"] = Overwrite(said["replies"])
    return updates


def _welcome(state: DialogueState, context: RuntimeContext) -> list[dict[str, Any]]:
    if state["turn_count"] > 1 or context.assistant.response("welcome") is None:
        return []
    return [{"text": voice_of(state, context).response("welcome")}]


def _expire_session(state: DialogueState, context: RuntimeContext) -> dict[str, Any]:
    """Tasks left open for too long are abandoned before the message is read."""
    last = state["metadata"].get("last_activity")
    timeout = context.config.settings.conversation.session_timeout
    # Whoever had the conversation until now is no reason to give its tasks up.
    released = state["turn"].get("release")
    if last is None or released or context.now() - last <= timeout:
        return {}
    return abandon(state, context)


def abandon(state: DialogueState, context: RuntimeContext) -> dict[str, Any]:
    """Archive every open task as abandoned, and go idle."""
    updates: dict[str, Any] = {"_pending_prompt": None, "waiting_for_slot": None}
    for _ in tasks_of(state["flow_stack"]):
        gone = context.flow_manager.pop_task(
            apply_updates(state, updates), FlowContextState.ABANDONED.value, "Session timed out"
        )
        updates = merge_updates(updates, gone.updates())
    return merge_updates(updates, context.move(state["conversation_state"], ConversationState.IDLE))


async def _understood(state: DialogueState, context: RuntimeContext) -> dict[str, Any]:
    facts, message = state["turn"], state["user_message"]
    if facts.get("given") is not None:
        return {"nlu_result": {"commands": facts["given"], "source": "given"}, **_mended(state)}
    if message is None:
        return {"nlu_result": {"commands": [], "source": "api"}}
    limit = context.config.settings.limits.max_message_chars
    if len(message) > limit:
        said = await spoken(respond("message_too_long", state, context, limit=str(limit)), context)
        nothing = {"commands": [], "source": "refused"}
        return {**said, "nlu_result": nothing, "user_message": message[:limit]}
    return await _interpreted(message, state, context)


async def _interpreted(
    message: str, state: DialogueState, context: RuntimeContext
) -> dict[str, Any]:
    called = {"last_nlu_call": context.now()}
    seconds = context.config.settings.nlu.timeout
    try:
        # Each has its own time: a provider that saves some of it for a last resort counts on all.
        async with asyncio.timeout(seconds):
            moment = await context.scope_manager.build(state, context)
        async with asyncio.timeout(seconds):
            output = await context.nlu_provider.understand(
                user_message=message, history=list(state["messages"]), context=moment
            )
        return {"nlu_result": output.model_dump(mode="json"), **called, **_mended(state)}
    except ScriptError:
        # A test that says nothing for a message must not pass for one that was not understood.
        raise
    except Exception as error:
        # Understanding may be wrong or away; that must never break a conversation.
        _log.warning("understanding_failed", error=type(error).__name__)
        usage = charged(error)
        paid = {"usage": usage.model_dump(mode="json")} if usage is not None else {}
        nothing = {"commands": [], "source": "failed", "confidence": 0.0, **paid}
        return {
            "nlu_result": nothing,
            **called,
            **context.move(state["conversation_state"], ConversationState.ERROR),
            **failure(f"{_FAILED}: {type(error).__name__}", context),
        }


def _mended(state: DialogueState) -> dict[str, Any]:
    """That nobody understood an earlier message is over once one is; what a flow met is not."""
    is_over = str(state["metadata"].get("error")).startswith(_FAILED)
    return {"metadata": {"error": None, "error_at": None}} if is_over else {}


def failure(message: str, context: RuntimeContext) -> dict[str, Any]:
    """Updates that record what went wrong."""
    now = context.now()
    return {
        "metadata": {"error": message, "error_at": now},
        "trace": [{"event": "error", "timestamp": now, "data": {"error": message}}],
    }
