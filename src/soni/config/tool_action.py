"""ToolAction: an action that is a tool of an MCP server, as a function like any other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from soni.config.definitions import ActionConfig, McpTool
from soni.config.tool_lock import ToolLock
from soni.config.tool_schema import ToolSchema
from soni.decorators import Functions
from soni.steps import ActionInput

# `functools.wraps` copies it, so that a stub in a test is known as what it stands for.
_ATTRIBUTE: Final = "__soni_tool__"


@dataclass(frozen=True)
class ToolAction:
    """A tool in the place of a function."""

    name: str
    use: McpTool
    schema: ToolSchema | None
    """None: the server was not asked yet."""

    @property
    def inputs(self) -> tuple[ActionInput, ...]:
        """What the flow gives; the idempotency key is given by the runner."""
        known = self.schema.inputs if self.schema else ()
        return tuple(each for each in known if each.name != self.use.idempotency_key)

    @property
    def takes_any(self) -> bool:
        """Whether every input may be given, as far as is known."""
        return self.schema is None or self.schema.takes_others

    @property
    def outputs(self) -> tuple[str, ...] | None:
        """What it returns; None: that is not known."""
        known = self.schema.output_properties if self.schema else None
        return tuple(known) if known else None

    def list_optional_outputs(self, outputs: tuple[str, ...] | None) -> frozenset[str]:
        """Those of the outputs that may be missing."""
        if self.schema is None or not self.schema.output_properties:
            return frozenset()
        known = self.schema.output_properties
        return frozenset(
            name
            for name in outputs or ()
            if name in known and name not in self.schema.required_outputs
        )

    def describe_tool(self) -> str:
        """How messages call it."""
        return f"tool '{self.use.tool}' of server '{self.use.server}'"


def add_tools(
    functions: Functions, actions: Mapping[str, ActionConfig], lock: ToolLock
) -> Functions:
    """The functions, and one for each action that is a tool and has none."""
    tools = {
        name: _make_function(ToolAction(name, use, lock.find_tool(use.server, use.tool)))
        for name, contract in actions.items()
        if (use := contract.mcp) is not None and name not in functions.actions
    }
    if not tools:
        return functions
    return replace(functions, actions=MappingProxyType({**functions.actions, **tools}))


def get_tool_action(function: Callable[..., Any] | None) -> ToolAction | None:
    """The tool that a function calls; None: it is one of the author's."""
    found = getattr(function, _ATTRIBUTE, None)
    return found if isinstance(found, ToolAction) else None


def _make_function(tool: ToolAction) -> Callable[..., Any]:
    async def call_tool(*, ctx: Any, **inputs: Any) -> Any:
        return await ctx.call_tool(tool, inputs)

    call_tool.__name__ = tool.name
    setattr(call_tool, _ATTRIBUTE, tool)
    return call_tool
