"""MCP: the flows as tools, over streamable HTTP."""

from fastapi import APIRouter, Response
from starlette.types import Receive, Scope, Send

from soni.server.access import Caller, Server
from soni.server.mcp.endpoint import McpEndpoint
from soni.server.subjects import Subject


class McpResponse(Response):
    """A response that the endpoint of MCP writes itself."""

    def __init__(self, endpoint: McpEndpoint, caller: Subject) -> None:
        super().__init__()
        self._endpoint = endpoint
        self._caller = caller

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request."""
        await self._endpoint.handle(self._caller, scope, receive, send)


router = APIRouter(tags=["mcp"])


# Its own protocol describes it, so the documentation of the API does not.
@router.api_route("/mcp", methods=["GET", "POST", "DELETE"], include_in_schema=False)
async def speak_mcp(caller: Caller, server: Server) -> McpResponse:
    """Messages of the Model Context Protocol."""
    return McpResponse(server.mcp, caller)
