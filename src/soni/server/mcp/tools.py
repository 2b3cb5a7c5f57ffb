"""Tools: each flow that users can start, and one to go on in words."""

from collections.abc import Mapping
from typing import Any, Final

from mcp_types import Tool, ToolAnnotations

from soni.config.assistant import Assistant
from soni.flow.voice import make_label
from soni.server.models import MAX_TEXT
from soni.server.slot_schema import Schema, make_slot_schema

REPLY: Final = "reply"
TEXT: Final = "text"
CONVERSATION: Final = "conversation_id"
_CONSENT: Final = (
    "Nothing that needs consent is done before the user has agreed: pass on what the user says, "
    "and never agree on their behalf."
)
_WAITING: Final[Schema] = {
    "type": ["object", "null"],
    "description": "What the assistant waits for; null: nothing",
    "properties": {
        "kind": {"type": "string"},
        "question": {"type": "string"},
        "slot": {"type": ["string", "null"]},
        "needs_consent": {"type": "boolean"},
        "answer": {"type": "object", "description": "A JSON Schema of the answer"},
    },
}
OUTPUT_SCHEMA: Final[Schema] = {
    "type": "object",
    "properties": {
        CONVERSATION: {"type": "string", "description": "To go on in the same conversation"},
        "replies": {"type": "array", "items": {"type": "object"}},
        "state": {"type": "string"},
        "waiting": _WAITING,
        "outputs": {"type": "object", "description": "What a flow that was completed gave"},
    },
    "required": [CONVERSATION, "replies", "state", "waiting", "outputs"],
}


def describe_tools(assistant: Assistant) -> list[Tool]:
    """All of them, in the order of the flows."""
    return [
        *(_make_flow_tool(assistant, *named) for named in map_flows(assistant).items()),
        _make_reply_tool(),
    ]


def map_flows(assistant: Assistant) -> dict[str, str]:
    """The name of each tool that starts a flow, and the flow."""
    flows = assistant.config.flows
    startable = [name for name in flows if flows[name].startable or name == assistant.only_flow]
    return {f"flow_{name}" if name == REPLY else name: name for name in startable}


def list_arguments(assistant: Assistant, flow: str) -> list[str]:
    """The slots that a tool takes: those that users say, and that may come with the wish."""
    plan = assistant.plans[flow]
    collecting = (planned.step for planned in plan.steps.values() if planned.step.collects)
    asked = [name for step in collecting for name in getattr(step, "slots", ())]
    names = dict.fromkeys((*asked, *assistant.config.flows[flow].inputs))
    return [name for name in names if name != CONVERSATION and _may_be_given(assistant, flow, name)]


def _may_be_given(assistant: Assistant, flow: str, name: str) -> bool:
    slot = assistant.get_slot_config(name)
    if slot.sensitive or slot.ask_before_filling or assistant.is_internal(name):
        return False
    return assistant.plans[flow].find_options_source(name) is None and not slot.kind.is_picked


def _make_flow_tool(assistant: Assistant, name: str, flow: str) -> Tool:
    config = assistant.config.flows[flow]
    language = assistant.config.settings.language
    properties: dict[str, Schema] = {
        each: make_slot_schema(assistant, each, language)
        for each in list_arguments(assistant, flow)
    }
    described = config.description or make_label(flow)
    needs_consent = any(
        planned.step.type == "confirm" for planned in assistant.plans[flow].steps.values()
    )
    return Tool(
        name=name,
        title=make_label(flow),
        description=f"{described} {_CONSENT}" if needs_consent else described,
        input_schema=_make_input_schema(properties),
        output_schema=OUTPUT_SCHEMA,
        annotations=ToolAnnotations(destructive_hint=needs_consent, idempotent_hint=False),
    )


def _make_reply_tool() -> Tool:
    text = {"type": "string", "minLength": 1, "maxLength": MAX_TEXT, "description": "The words"}
    return Tool(
        name=REPLY,
        title="Reply in words",
        description=f"Answer what the assistant has asked, in the user's own words. {_CONSENT}",
        input_schema={**_make_input_schema({TEXT: text}), "required": [TEXT]},
        output_schema=OUTPUT_SCHEMA,
        annotations=ToolAnnotations(destructive_hint=True, idempotent_hint=False),
    )


def _make_input_schema(properties: Mapping[str, Schema]) -> dict[str, Any]:
    conversation = {
        "type": "string",
        "description": "To go on in the conversation of an earlier result; leave it out otherwise",
    }
    return {
        "type": "object",
        "properties": {**properties, CONVERSATION: conversation},
        "additionalProperties": False,
    }
