"""understand: a message becomes commands. The only node that asks for an interpretation."""

from functools import partial
from typing import Any, Final

import structlog
from langgraph.runtime import Runtime

from soni.commands.output import emit_replies, respond, voice_of
from soni.commands.situation import Situation
from soni.core.constants import ConversationState, FlowContextState
from soni.core.invocation import BusyError, FunctionExit, InvocationTimeout
from soni.core.records import HandoffTicket, NLUResult, Reply, TurnFacts
from soni.core.state import Updates
from soni.core.telemetry import Fact, SpanKind, describe_usage, keep_name
from soni.core.types import DialogueState, Metadata, Overwrite, RuntimeContext, StateUpdate
from soni.du.context import DialogueContext
from soni.du.scripted import ScriptError
from soni.du.usage import find_usage
from soni.flow.stack import tasks_of

_log = structlog.get_logger("soni.understand")
_FAILED: Final = "understanding failed"
_FAILED_SOURCE: Final = "failed"


async def understand(state: DialogueState, runtime: Runtime[RuntimeContext]) -> StateUpdate:
    """Open the turn, then understand its message."""
    context = runtime.context
    updates = Updates(state, await _open_turn(state, context))
    if updates.state["metadata"].get("handoff"):
        return updates.merged
    updates.add(_expire_session(updates.state, context))
    updates.add(context.move(updates.state["conversation_state"], ConversationState.UNDERSTANDING))
    updates.add(await _read_message(updates.state, context))
    return updates.merged


async def _open_turn(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    turn = state["turn_count"] + 1
    facts, stack = state["turn"], state["flow_stack"]
    opening = [*_make_welcome({**state, "turn_count": turn}, context), *facts.get("say", [])]
    said = await emit_replies({"replies": opening}, context)
    return {
        "turn_count": turn,
        "commands": [],
        "nlu_result": None,
        "_need_input": False,
        "turn": {
            "trace_from": len(state["trace"]),
            "private": Situation(state, context).asks_in_private,
            "task": tasks_of(stack)[-1][0]["flow_id"] if stack else None,
        },
        "metadata": {**_change_handoff(state), **_note_origin(facts)},
        "replies": Overwrite(said["replies"]),
    }


def _change_handoff(state: DialogueState) -> Metadata:
    """What a person of the desk does: take the conversation, or give it back."""
    facts, ticket = state["turn"], state["metadata"].get("handoff")
    if facts.get("release"):
        return {"handoff": None}
    if ticket is not None and "claim" in facts:
        claimed: HandoffTicket = {**ticket, "claimed_by": facts["claim"]}
        if "claim_name" in facts:
            claimed["claimed_name"] = facts["claim_name"]
        return {"handoff": claimed}
    return {}


def _note_origin(facts: TurnFacts) -> Metadata:
    return {"forked_from": facts["forked_from"]} if "forked_from" in facts else {}


def _make_welcome(state: DialogueState, context: RuntimeContext) -> list[Reply]:
    if state["turn_count"] > 1 or context.assistant.get_response("welcome") is None:
        return []
    return [{"text": voice_of(state, context).render_response("welcome")}]


def _expire_session(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Abandon the open tasks if the session timed out before this message."""
    last = state["metadata"].get("last_activity")
    timeout = context.config.settings.conversation.session_timeout
    # A released conversation was with a person, so the user's silence is no timeout.
    released = state["turn"].get("release")
    if last is None or released or context.now() - last <= timeout:
        return {}
    return abandon_tasks(state, context)


def abandon_tasks(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Archive every open task as abandoned, and go idle."""
    updates = Updates(state, {"_pending_prompt": None, "waiting_for_slot": None})
    for _ in tasks_of(state["flow_stack"]):
        abandoned = FlowContextState.ABANDONED.value
        gone = context.flow_manager.pop_task(updates.state, abandoned, "Session timed out")
        updates.add(gone.updates())
    updates.add(context.move(state["conversation_state"], ConversationState.IDLE))
    return updates.merged


async def _read_message(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    facts, message = state["turn"], state["user_message"]
    given = facts.get("given")
    most = context.config.settings.limits.max_commands
    if given is not None:
        kept: NLUResult = {"commands": given[:most], "unread": len(given[most:]), "source": "given"}
        return {"nlu_result": kept, **_clear_failures(state)}
    if message is None:
        return {"nlu_result": {"commands": [], "source": "api"}}
    limit = context.config.settings.limits.max_message_chars
    if len(message) > limit:
        said = respond("message_too_long", state, context, limit=str(limit))
        nothing: NLUResult = {"commands": [], "source": "refused"}
        heard: StateUpdate = {"nlu_result": nothing, "user_message": message[:limit]}
        return {**await emit_replies(said, context), **heard}
    return await _ask_provider(message, state, context)


async def _ask_provider(message: str, state: DialogueState, context: RuntimeContext) -> StateUpdate:
    with context.telemetry.start(SpanKind.UNDERSTANDING, "message") as span:
        updates = await _interpret_message(message, state, context)
        span.note(**_describe_result(updates))
        return updates


def _describe_result(updates: StateUpdate) -> dict[str, Fact]:
    result = updates["nlu_result"]
    assert result is not None
    source = result.get("source", "")
    return {
        "outcome": "failed" if source == _FAILED_SOURCE else "ok",
        "source": keep_name(source),
        "commands": len(result["commands"]),
        "confidence": result.get("confidence") or 0.0,
        **describe_usage(result.get("usage")),
    }


async def _interpret_message(
    message: str, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    called: StateUpdate = {"last_nlu_call": context.now()}
    seconds, invoke = context.config.settings.nlu.timeout, context.assistant.invoker.invoke
    moment: DialogueContext | None = None
    try:
        # The scope and the provider each get the full limit: a provider plans with all of it.
        moment = await invoke(partial(context.scope_manager.build, state, context), seconds)
        asked = partial(
            context.nlu_provider.understand,
            user_message=message,
            history=list(state["messages"]),
            context=moment,
        )
        output = await invoke(asked, seconds)
        return {"nlu_result": _read_output(output, context), **called, **_clear_failures(state)}
    except ScriptError:
        # A scripted test without commands for this message must fail, not pass as misunderstood.
        raise
    except Exception as error:
        # A failing provider must never break a conversation.
        kind = _name_failure(error)
        _log.warning("understanding_failed", error=kind)
        heard, moved = _read_without_provider(message, moment, error), StateUpdate()
        if not heard["commands"]:
            moved = context.move(state["conversation_state"], ConversationState.ERROR)
        return {
            "nlu_result": heard,
            **called,
            **moved,
            **record_failure(f"{_FAILED}: {kind}", context),
        }


def _read_without_provider(
    message: str, moment: DialogueContext | None, error: Exception
) -> NLUResult:
    """What is left of a message that the provider failed on.

    A plain answer to the open question needs no model, so it is understood on a busy machine, too.
    """
    # Lazy: the offline rules are many modules, and another provider needs none until it fails.
    from soni.du.local.exact import read_plain_answer

    late = isinstance(error, TimeoutError | BusyError)
    plain = read_plain_answer(message, moment) if late and moment is not None else None
    commands = [plain.model_dump(mode="json")] if plain is not None else []
    heard: NLUResult = {
        "commands": commands,
        "source": "rules" if commands else "failed",
        "confidence": 1.0 if commands else 0.0,
    }
    if (usage := find_usage(error)) is not None:
        heard["usage"] = usage.model_dump(mode="json")
    return heard


def _read_output(output: Any, context: RuntimeContext) -> NLUResult:
    """The provider's answer as plain data, with no more commands than a message may have."""
    most = context.config.settings.limits.max_commands
    kept = output.model_copy(update={"commands": output.commands[:most]})
    result: NLUResult = kept.model_dump(mode="json")
    result["unread"] = len(output.commands) - len(kept.commands)
    return result


def _name_failure(error: Exception) -> str:
    if isinstance(error, FunctionExit):
        return error.kind
    return "TimeoutError" if isinstance(error, InvocationTimeout) else type(error).__name__


def _clear_failures(state: DialogueState) -> StateUpdate:
    """Clear the record of earlier failed understanding. Failures of flows stay."""
    is_over = str(state["metadata"].get("error")).startswith(_FAILED)
    return {"metadata": {"error": None, "error_at": None}} if is_over else {}


def record_failure(message: str, context: RuntimeContext) -> StateUpdate:
    """Updates that record what went wrong."""
    now = context.now()
    return {
        "metadata": {"error": message, "error_at": now},
        "trace": [{"event": "error", "timestamp": now, "data": {"error": message}}],
    }
