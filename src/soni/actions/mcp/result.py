"""The result of a tool as the outputs of an action."""

from collections.abc import Iterator, Mapping
from typing import Any

from mcp_types import CallToolResult, EmbeddedResource, TextContent, TextResourceContents

from soni.config.tool_schema import TEXT_OUTPUT
from soni.core.errors import ActionError

TOOL_ERROR = "tool_error"
"""The type of the error with which a tool answered."""


def read_result(result: CallToolResult, outputs: tuple[str, ...] | None) -> Any:
    """What an action returns; raises `ActionError` if the tool says that it failed.

    What a tool returns is data. It is written to slots and never read as a template.
    """
    text = "\n".join(_list_texts(result))
    if result.is_error:
        raise ActionError(TOOL_ERROR, text or "the tool failed and did not say why")
    found = result.structured_content
    if found is None:
        # The one output that an author names takes the text, whatever its name is.
        return text if outputs is not None and len(outputs) == 1 else {TEXT_OUTPUT: text}
    wants_text = TEXT_OUTPUT in (outputs or ())
    if isinstance(found, Mapping) and wants_text and TEXT_OUTPUT not in found:
        return {**found, TEXT_OUTPUT: text}
    return found if isinstance(found, Mapping) or len(outputs or ()) == 1 else {"result": found}


def _list_texts(result: CallToolResult) -> Iterator[str]:
    for block in result.content:
        if isinstance(block, TextContent):
            yield block.text
            continue
        resource = block.resource if isinstance(block, EmbeddedResource) else None
        if isinstance(resource, TextResourceContents):
            yield resource.text
