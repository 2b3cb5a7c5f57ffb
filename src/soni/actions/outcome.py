"""Effects whose outcome is unknown: asking whether they were done, and recording the answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import structlog

from soni.actions.context import ActionContext
from soni.actions.mcp.servers import McpServers
from soni.config.assistant import Assistant
from soni.config.signature import CONTEXT_PARAMETER
from soni.core.errors import Refusal
from soni.core.jobs import JobError
from soni.core.storage import Effect
from soni.flow.plain import make_plain

_log = structlog.get_logger("soni.actions")

CHECK_SECONDS: Final = 30.0
"""How long finding out may take."""


@dataclass(frozen=True)
class Outcome:
    """What became of an effect."""

    done: bool | None
    """None: it is not known yet."""

    outputs: dict[str, Any] = field(default_factory=dict)


def make_cutoff(assistant: Assistant, now: float) -> float:
    """Effects begun before this time should have ended by now."""
    return now - assistant.config.settings.runtime.action_timeout


async def ask_outcome(
    assistant: Assistant, servers: McpServers, effect: Effect, user_id: str | None
) -> Outcome:
    """Call the function that the action's contract names."""
    contract = assistant.config.actions.get(effect.action)
    name = contract.check_outcome if contract else None
    function = assistant.functions.actions.get(name) if name else None
    if function is None:
        return Outcome(None)
    signature = assistant.get_signature(str(name))
    context = ActionContext(
        user_id=user_id or effect.conversation_id,
        conversation_id=effect.conversation_id,
        flow_id=None,
        idempotency_key=effect.key,
        slots=MappingProxyType({}),
        session=MappingProxyType({}),
        say=_stay_silent,
        logger=_log.bind(action=name, conversation_id=effect.conversation_id),
        call_tool=partial(servers.call, signature=signature, key=effect.key, seconds=CHECK_SECONDS),
    )
    wants = signature.wants_context
    asked = partial(function, **({CONTEXT_PARAMETER: context} if wants else {}))
    found = await assistant.invoker.invoke(asked, CHECK_SECONDS)
    return _read_outcome(str(name), found)


def make_result(assistant: Assistant, action: str, outcome: Outcome) -> dict[str, Any]:
    """What the ledger records, so that a message sent again meets it."""
    if not outcome.done:
        return _make_failure("not_done", "it was begun, and found not to have been done")
    declared = assistant.get_signature(action).outputs
    if declared is None:
        return {"outputs": outcome.outputs}
    if any(name not in outcome.outputs for name in declared):
        return _make_failure("outputs_unknown", "it was done, but what it returned is not known")
    return {"outputs": {name: outcome.outputs[name] for name in declared}}


def _read_outcome(name: str, found: Any) -> Outcome:
    done = found.get("done", ...) if isinstance(found, Mapping) else ...
    if done is not None and not isinstance(done, bool):
        raise JobError(
            f"'{name}' did not say what became of the effect. "
            "Return `{'done': True}`, `{'done': False}` or `{'done': None}`.",
            permanent=True,
        )
    try:
        outputs: dict[str, Any] = make_plain({key: found[key] for key in found if key != "done"})
    except Refusal as refused:
        raise JobError(
            f"'{name}' returned outputs that are no plain data", permanent=True
        ) from refused
    return Outcome(done, outputs)


def _make_failure(kind: str, message: str) -> dict[str, Any]:
    return {"error": {"type": kind, "message": message}}


def _stay_silent(text: str) -> None:
    """Nobody is there to be spoken to."""
