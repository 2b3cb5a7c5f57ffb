"""All names that spans and metrics have outside of Soni.

Where OpenTelemetry's conventions for generative AI or for databases have a name, it is used.
They are written here and not imported: they move between packages while they are unfinished.
"""

from collections.abc import Mapping
from typing import Final

from soni.core.generation import TEXT_ACTIONS
from soni.core.telemetry import Fact, SpanKind

SCOPE: Final = "soni"
"""The instrumentation scope of all spans."""

OPERATION: Final = "gen_ai.operation.name"
TOOL_TYPE: Final = "gen_ai.tool.type"
INVOKE_AGENT: Final = "invoke_agent"
EXECUTE_TOOL: Final = "execute_tool"
CHAT: Final = "chat"

ATTRIBUTES: Final[Mapping[str, str]] = {
    "agent": "gen_ai.agent.name",
    "conversation": "gen_ai.conversation.id",
    "action": "gen_ai.tool.name",
    "model": "gen_ai.request.model",
    "input_tokens": "gen_ai.usage.input_tokens",
    "cached_tokens": "gen_ai.usage.cache_read.input_tokens",
    "output_tokens": "gen_ai.usage.output_tokens",
    "error": "error.type",
    "backend": "db.system.name",
    "operation": "db.operation.name",
    "outcome": "soni.outcome",
    "turn": "soni.turn.number",
    "input": "soni.turn.input",
    "replies": "soni.turn.replies",
    "waiting": "soni.turn.waiting",
    "tasks": "soni.turn.tasks",
    "source": "soni.understanding.source",
    "commands": "soni.understanding.commands",
    "confidence": "soni.understanding.confidence",
    "calls": "soni.model.calls",
    "command": "soni.command.type",
    "decision": "soni.command.decision",
    "flow": "soni.flow.name",
    "step": "soni.step.name",
    "type": "soni.step.type",
}
"""The attribute of each fact."""

_DATABASES: Final = {"postgres": "postgresql"}
"""Stores whose database has another name in the conventions."""


def name_span(kind: SpanKind, name: str) -> str:
    """What a span is called: its operation, then the name that the author or Soni gave."""
    if kind is SpanKind.TURN:
        return f"{INVOKE_AGENT} {name}"
    if kind is SpanKind.ACTION:
        return CHAT if name in TEXT_ACTIONS else f"{EXECUTE_TOOL} {name}"
    if kind is SpanKind.UNDERSTANDING:
        return "understand"
    return f"{kind.value} {name}"


def make_attributes(kind: SpanKind, name: str, facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """The attributes of a span: only facts that have a name here."""
    found = {ATTRIBUTES[fact]: value for fact, value in facts.items() if fact in ATTRIBUTES}
    subject = _SUBJECTS.get(kind)
    if subject is not None:
        found[ATTRIBUTES[subject]] = name
    if "backend" in facts:
        backend = str(facts["backend"])
        found[ATTRIBUTES["backend"]] = _DATABASES.get(backend, backend)
    operation = _find_operation(kind, name, facts)
    if operation is not None:
        found[OPERATION] = operation
    if operation == EXECUTE_TOOL:
        found[TOOL_TYPE] = "function"
    return found


_SUBJECTS: Final = {
    SpanKind.TURN: "agent",
    SpanKind.COMMAND: "command",
    SpanKind.STEP: "step",
    SpanKind.ACTION: "action",
    SpanKind.STORE: "operation",
}
"""The fact that the name of a span of this kind is."""


def _find_operation(kind: SpanKind, name: str, facts: Mapping[str, Fact]) -> str | None:
    if kind is SpanKind.TURN:
        return INVOKE_AGENT
    if kind is SpanKind.ACTION and name not in TEXT_ACTIONS:
        return EXECUTE_TOOL
    return CHAT if kind is SpanKind.ACTION or "model" in facts else None


TURNS: Final = "soni_turns"
TURN_SECONDS: Final = "soni_turn_seconds"
TURNS_IN_PROGRESS: Final = "soni_turns_in_progress"
UNDERSTANDINGS: Final = "soni_understandings"
UNDERSTANDING_SECONDS: Final = "soni_understanding_seconds"
COMMANDS: Final = "soni_commands"
STEPS: Final = "soni_steps"
ACTIONS: Final = "soni_actions"
ACTION_SECONDS: Final = "soni_action_seconds"
STORE_SECONDS: Final = "soni_store_seconds"
ERRORS: Final = "soni_errors"
MODEL_TOKENS: Final = "soni_model_tokens"
HANDOFFS: Final = "soni_handoffs"
