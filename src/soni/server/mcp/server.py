"""The MCP server of an assistant."""

from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final

from mcp.server import Server, ServerRequestContext
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp_types import CallToolRequestParams, ListToolsResult, PaginatedRequestParams
from starlette.types import Scope

from soni.server.conversations import Conversations
from soni.server.mcp.calls import ToolCalls
from soni.server.mcp.tools import REPLY, describe_tools
from soni.server.subjects import Subject

_SUBJECT: Final = "soni.subject"
_SESSION_HEADER: Final = "mcp-session-id"
INSTRUCTIONS: Final = (
    "Each tool begins a task of the user's. It asks the user for what is missing, and for consent "
    f"where that is needed; where it cannot ask, it says what it waits for, and `{REPLY}` goes on."
)


def identify_caller(scope: Scope, caller: Subject) -> None:
    """Note on a request who makes it. A session can be used only by who has opened it."""
    token = AccessToken(token="", client_id=caller.id, scopes=[], subject=caller.id)
    scope["user"] = AuthenticatedUser(token)
    scope[_SUBJECT] = caller


@dataclass(frozen=True)
class LocalClient:
    """The client of a process that it has started itself, and that nobody else can reach."""

    subject: Subject
    session: str


def make_server(talks: Conversations, local: LocalClient | None = None) -> Server[Any]:
    """The server; `local` is who talks where there are no requests with credentials."""
    calls = ToolCalls(talks)

    async def list_all(
        context: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=describe_tools(talks.runtime.assistant))

    async def call(context: ServerRequestContext[Any, Any], params: CallToolRequestParams) -> Any:
        if local is not None:
            return await calls.call(context, params, local.subject, local.session)
        request: Any = context.request
        session = request.headers.get(_SESSION_HEADER)
        return await calls.call(context, params, request.scope[_SUBJECT], session)

    return Server(
        "soni",
        version=version("soni"),
        instructions=INSTRUCTIONS,
        on_list_tools=list_all,
        on_call_tool=call,
    )
