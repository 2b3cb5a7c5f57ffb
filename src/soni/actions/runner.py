"""ActionRunner: calls a function with a timeout and retries, under the effects ledger.

The ledger is written before and after the call and outside the turn's transaction: whatever
happens to the process, an effect whose result is known is not repeated, and one whose result is
unknown is repeated only if its author said that is harmless.
"""

import asyncio
import hashlib
import json
from collections.abc import Mapping
from copy import deepcopy
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import structlog

from soni.actions.context import ActionContext, Speech
from soni.actions.mcp.servers import McpServers
from soni.config.assistant import Assistant
from soni.config.signature import CONTEXT_PARAMETER
from soni.core.calls import ActionCall
from soni.core.errors import CANCELLED, OUTCOME_UNKNOWN, TIMEOUT, ActionError, NeedSlot, Refusal
from soni.core.invocation import BusyError, FunctionExit, InvocationTimeout
from soni.core.storage import Effect, Ledger
from soni.core.tracebacks import format_traceback
from soni.flow.plain import make_encodable, make_plain

_log = structlog.get_logger("soni.actions")

_MAX_ERROR_CHARS: Final = 2000


class LedgeredRunner:
    """Runs the actions of one assistant."""

    def __init__(self, assistant: Assistant, ledger: Ledger, servers: McpServers) -> None:
        self._assistant = assistant
        self._ledger = ledger
        self._servers = servers
        self._default_timeout = assistant.config.settings.runtime.action_timeout

    async def run(self, call: ActionCall) -> dict[str, Any]:
        """The action's outputs, or `ActionError`, or `NeedSlot`; never runs twice by itself."""
        digest = _hash_inputs(call.inputs)
        known = await self._begin_effect(call, digest)
        repeatable = self._assistant.get_signature(call.action).repeatable
        if known is not None:
            recorded = _get_recorded_result(known, repeatable)
            if recorded is not None:
                _tell(call, "ledger", "known before")
                return recorded
        try:
            # Checked after the retries: an action that succeeded is not repeated for a bad result.
            result = await self._run_attempts(call, digest, repeatable)
            outputs = self._check_action_outputs(call.action, result)
        except NeedSlot as need:
            await self._ledger.finish(
                call.key, digest, call.conversation_id, {"need": need.slot_name}
            )
            raise
        except ActionError as error:
            # Where nobody knows whether it was done, the ledger entry stays open.
            if error.outcome_known:
                failure = {"type": error.type, "message": error.message}
                await self._ledger.finish(
                    call.key, digest, call.conversation_id, {"error": failure}
                )
            # What is harmless to do again leaves nobody in doubt.
            error.outcome_known = error.outcome_known or repeatable
            raise
        await self._finish_effect(call, digest, {"outputs": outputs})
        return outputs

    async def _begin_effect(self, call: ActionCall, digest: str) -> Effect | None:
        return await self._ledger.begin(call.key, digest, call.conversation_id, action=call.action)

    async def _finish_effect(self, call: ActionCall, digest: str, result: dict[str, Any]) -> None:
        await self._ledger.finish(call.key, digest, call.conversation_id, result)

    async def _run_attempts(self, call: ActionCall, digest: str, repeatable: bool) -> Any:
        retry = call.retry
        attempts = retry.max_attempts if retry else 1
        delay = retry.delay if retry else 0.0
        is_open = False
        for attempt in range(1, attempts + 1):
            try:
                return await self._run_once(call)
            except ActionError as error:
                # An attempt that may have done it is not undone by a later one that did not.
                is_open = is_open or not (error.outcome_known or repeatable)
                again = retry is not None and (not retry.retry_on or error.type in retry.retry_on)
                if attempt == attempts or not again:
                    error.outcome_known = error.outcome_known and not is_open
                    raise
                name = call.action
                _log.warning("action_retried", action=name, error=error.type, attempt=attempt)
                _tell(call, "attempts", attempt + 1)
                await asyncio.sleep(delay)
                delay *= retry.backoff
                # Another process may have the conversation by now: then this raises.
                await self._begin_effect(call, digest)
        raise AssertionError("unreachable: the last attempt returns or raises")

    async def _run_once(self, call: ActionCall) -> Any:
        function = self._assistant.functions.actions.get(call.action)
        if function is None:
            raise ActionError("unknown_action", f"no action is named '{call.action}'")
        timeout = call.timeout or self._default_timeout
        speech = Speech(call.say)
        prepared = partial(function, **self._build_arguments(call, speech, timeout))
        try:
            return await self._assistant.invoker.invoke(prepared, timeout)
        except ActionError as error:
            raise _make_storable_error(error.type, error.message, error.outcome_known) from error
        except NeedSlot:
            raise
        except BusyError as error:
            raise ActionError("busy", f"it was not called: {error}") from error
        except InvocationTimeout as error:
            _log.warning("action_left_behind", action=call.action, seconds=timeout)
            raise ActionError(TIMEOUT, str(error)) from error
        except TimeoutError as error:
            raise _make_storable_error(TIMEOUT, _get_message(error)) from error
        except asyncio.CancelledError as error:
            if _is_cancelled():
                raise
            raise ActionError(CANCELLED, "something it waited for was cancelled") from error
        except Exception as error:
            kind = error.kind if isinstance(error, FunctionExit) else type(error).__name__
            _log.warning("action_failed", action=call.action, error=kind)
            _log.debug("action_traceback", action=call.action, stack=format_traceback(error))
            raise _make_storable_error(kind, _get_message(error)) from error
        finally:
            speech.end()

    def _build_arguments(self, call: ActionCall, speech: Speech, timeout: float) -> dict[str, Any]:
        signature = self._assistant.get_signature(call.action)
        # Copies, so that a function cannot change the slots through its arguments.
        arguments = deepcopy({**dict.fromkeys(signature.nullable), **call.inputs})
        if signature.wants_context:
            arguments[CONTEXT_PARAMETER] = ActionContext(
                user_id=call.user_id,
                conversation_id=call.conversation_id,
                flow_id=call.flow_id,
                idempotency_key=call.key,
                slots=MappingProxyType(deepcopy(dict(call.slots))),
                session=MappingProxyType(dict(call.session)),
                say=speech,
                logger=_log.bind(action=call.action, conversation_id=call.conversation_id),
                call_tool=partial(
                    self._servers.call, signature=signature, key=call.key, seconds=timeout
                ),
            )
        return arguments

    def _check_action_outputs(self, action: str, result: Any) -> dict[str, Any]:
        try:
            return self._make_outputs(action, result)
        except Refusal as refused:
            reason = str(refused)
        except Exception as error:
            # Objects of the author's may raise anything when they are read.
            reason = f"it could not be read: {type(error).__name__}"
        _log.warning("action_result_refused", action=action, reason=reason)
        raise ActionError("bad_output", reason)

    def _make_outputs(self, action: str, result: Any) -> dict[str, Any]:
        signature = self._assistant.get_signature(action)
        declared = signature.outputs
        if declared is not None and len(declared) == 1 and not isinstance(result, Mapping):
            result = {declared[0]: result}
        result = {} if result is None else result
        if not isinstance(result, Mapping):
            raise Refusal(text=f"'{action}' returned {type(result).__name__}, no dict")
        optional = signature.optional_outputs
        missing = [name for name in declared or () if name not in result and name not in optional]
        if missing:
            raise Refusal(text=f"'{action}' did not return {', '.join(missing)}")
        kept = result
        if declared is not None:
            kept = {name: result[name] for name in declared if name in result}
        limits = self._assistant.config.settings.limits
        outputs: dict[str, Any] = make_plain(kept, limits.max_output_chars)
        return outputs


def _tell(call: ActionCall, name: str, fact: Any) -> None:
    if call.note is not None:
        call.note(name, fact)


def _make_storable_error(kind: str, message: str, outcome_known: bool | None = None) -> ActionError:
    """An error that can be stored, and said."""
    kind, message = (make_encodable(text)[:_MAX_ERROR_CHARS] for text in (kind, message))
    return ActionError(kind, message, outcome_known=outcome_known)


def _get_message(error: Exception) -> str:
    try:
        return str(error)
    except Exception:  # it is the author's class
        return ""


def _is_cancelled() -> bool:
    """Whether the turn itself was cancelled, and not something that the action awaited."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _get_recorded_result(effect: Effect, repeatable: bool) -> dict[str, Any] | None:
    """The recorded result of an effect. None: it may run (again)."""
    if effect.state != "finished" or effect.result is None:
        if repeatable:
            return None
        raise ActionError(
            OUTCOME_UNKNOWN, "it was begun before, and whether it was done is not known"
        )
    if "need" in effect.result:
        raise NeedSlot(effect.result["need"])
    if "error" in effect.result:
        error = effect.result["error"]
        raise ActionError(error["type"], error["message"], outcome_known=True)
    outputs: dict[str, Any] = effect.result["outputs"]
    return outputs


def _hash_inputs(inputs: Mapping[str, Any]) -> str:
    text = json.dumps(dict(inputs), sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
