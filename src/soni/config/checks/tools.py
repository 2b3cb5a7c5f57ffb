"""Actions that are tools of MCP servers, against what is known of the servers."""

from soni.config.assistant import Assistant
from soni.config.checks.actions import Call, find_calls
from soni.config.checks.report import Report
from soni.config.checks.scope import Scopes
from soni.config.definitions import ActionConfig
from soni.config.slot import SlotConfig
from soni.config.tool_action import ToolAction, get_tool_action
from soni.config.tool_lock import SYNC_REMEDY
from soni.config.tool_schema import TEXT_OUTPUT, ToolSchema

_STRUCTURED = frozenset({"array", "object"})
_SLOT_TYPES = {"array": "list", "object": "object"}


def check_servers(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """The servers: no secret stands in the file."""
    for name, server in assistant.config.settings.mcp.servers.items():
        for section, key in server.list_plain_secrets():
            path = ("settings", "mcp", "servers", name, section, key)
            remedy = f"write `{key}: {{env: VARIABLE}}` and set the variable"
            message = f"'{key}' looks like a secret, which must not stand in a file"
            report.add(path, message, code="E526", remedy=remedy, on="key", hide_source=True)


def check_tools(assistant: Assistant, scopes: Scopes, report: Report) -> None:
    """Every action that is a tool, and every step that calls one."""
    for name, contract in assistant.config.actions.items():
        if contract.mcp is None:
            continue
        tool = get_tool_action(assistant.functions.actions.get(name))
        if tool is None:
            message = f"'{name}' is a function in actions.py and a tool here"
            remedy = "remove `mcp`, or rename one of the two"
            report.add(("actions", name, "mcp"), message, code="E525", remedy=remedy, on="key")
        elif _check_tool_name(assistant, report, contract, tool):
            _check_contract(report, contract, tool)
    for call in find_calls(assistant):
        tool = get_tool_action(assistant.functions.actions.get(call.use.action))
        if tool is not None and tool.schema is not None:
            _check_tool_call(assistant, report, call, tool, tool.schema)


def _check_tool_name(
    assistant: Assistant, report: Report, contract: ActionConfig, tool: ToolAction
) -> bool:
    """Check that server and tool exist; whether there is a schema to check against."""
    path, use = ("actions", tool.name, "mcp"), tool.use
    servers = assistant.config.settings.mcp.servers
    if use.server not in servers:
        remedy = f"write it in the settings: `mcp: {{servers: {{{use.server}: ...}}}}`"
        report.add_unknown(
            (*path, "server"), "MCP server", use.server, servers, code="E521", remedy=remedy
        )
        return False
    if tool.schema is not None:
        return True
    names = assistant.config.tools.list_tool_names(use.server)
    if names is not None and use.tool not in names:
        report.add_unknown(
            (*path, "tool"), "tool", use.tool, names, code="E522", remedy=SYNC_REMEDY
        )
    elif contract.inputs is None:
        message = f"what {tool.describe_tool()} takes is not known"
        remedy = f"{SYNC_REMEDY}; or name the `inputs` of the action"
        report.add(path, message, code="E523", remedy=remedy, on="key")
    else:
        message = f"{tool.describe_tool()} was not asked for its schema: nothing is checked"
        report.add(path, message, code="W608", remedy=SYNC_REMEDY, on="key")
    return False


def _check_contract(report: Report, contract: ActionConfig, tool: ToolAction) -> None:
    schema, path = tool.schema, ("actions", tool.name)
    assert schema is not None  # there would be nothing to check against
    key = tool.use.idempotency_key
    if key is not None and key not in schema.input_properties and not schema.takes_others:
        known, at = schema.input_properties, (*path, "mcp", "idempotency_key")
        remedy = "name the input by which the tool knows a repetition, or remove the line"
        report.add_unknown(at, "input of the tool", key, known, code="E503", remedy=remedy)
    required = {each.name for each in tool.inputs if each.required}
    for index, word in enumerate(contract.inputs or ()):
        if word.endswith("?") and word[:-1] in required:
            message = f"{tool.describe_tool()} needs '{word[:-1]}', which is optional here"
            here = (*path, "inputs", index)
            report.add(here, message, code="E504", remedy=f"write '{word[:-1]}'")
    for index, output in enumerate(contract.outputs or ()):
        if not schema.has_output(output):
            outputs = [*(schema.output_properties or ()), TEXT_OUTPUT]
            remedy, here = "name one of its outputs", (*path, "outputs", index)
            report.add_unknown(
                here, "output of the tool", output, outputs, code="E524", remedy=remedy
            )


def _check_tool_call(
    assistant: Assistant, report: Report, call: Call, tool: ToolAction, schema: ToolSchema
) -> None:
    path = (*call.path, "call")
    signature = assistant.get_signature(tool.name)
    for needed in signature.inputs:
        if needed.name in call.use.inputs or not assistant.is_declared(needed.name):
            continue
        reason = _explain_input(schema, needed.name, assistant.get_slot_config(needed.name))
        if reason is not None:
            message = f"{tool.describe_tool()} takes {reason}"
            remedy = f"change the slot, or give '{needed.name}' in `inputs` as an expression"
            report.add(path, message, code="E528", remedy=remedy)
    for output in signature.outputs or ():
        target = call.use.map_outputs.get(output, output)
        types = schema.find_output_types(output) - {"null"}
        # A slot takes numbers and texts as its type reads them, but no list for a number.
        if not types or not types <= _STRUCTURED:
            continue
        kind = assistant.get_slot_type(target)
        if kind.json_type is not None and kind.json_type not in types:
            wanted = _SLOT_TYPES[min(types)]
            message = f"{tool.describe_tool()} returns {_name_types(types)} as '{output}'"
            remedy = f"declare the slot '{target}' with `type: {wanted}`"
            if assistant.config.actions[tool.name].outputs is None:
                remedy = f"{remedy}, or name only the `outputs` that you want"
            report.add(path, message, code="E528", remedy=remedy)


def _explain_input(schema: ToolSchema, name: str, slot: SlotConfig) -> str | None:
    """Why a slot's values do not fit an input of the tool; None: they do."""
    types, own = schema.find_input_types(name), slot.kind.json_type
    fits = own in types or (own == "integer" and "number" in types)
    if own is not None and types and not fits:
        return f"{_name_types(types)} for '{name}', but the slot has the type {slot.kind.kind}"
    values = schema.find_input_values(name)
    if slot.kind.has_values and values is not None:
        unknown = [value for value in slot.values if value not in values]
        if unknown:
            shown = ", ".join(str(value) for value in values)
            return f"{shown} for '{name}', but not '{unknown[0]}', which the slot has"
    return None


def _name_types(types: frozenset[str]) -> str:
    return " or ".join(sorted(types))
