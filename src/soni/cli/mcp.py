"""soni mcp: tools of MCP servers for an assistant, and its flows as tools for others."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import typer

from soni.actions.mcp.servers import McpServers
from soni.cli.options import Folder, FolderOrHere, Json, log_to_stderr, write_file
from soni.config.soni_config import SoniConfig
from soni.config.tool_lock import LOCK_FILE
from soni.config.tool_schema import ToolSchema
from soni.core.errors import ActionError, ConfigError, SoniError

# What is only wrong because the servers were not asked, or were asked long ago.
_CURABLE: Final = frozenset(
    {"E503", "E504", "E505", "E506", "E522", "E523", "E524", "E527", "E528"}
)

_Answer = TypeVar("_Answer")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    mcp = typer.Typer(no_args_is_help=True, help="Tools of MCP servers, and flows as such tools.")
    mcp.command("sync")(sync)
    mcp.command("tools")(list_tools)
    mcp.command("serve")(serve)
    app.add_typer(mcp, name="mcp")


def sync(
    path: FolderOrHere = Path(),
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if it would change.")
    ] = False,
) -> None:
    """Ask the servers for the tools that the assistant uses, and write mcp.lock.json.

    Checks, tests and replays read the file and need no server. Keep it with the YAML.
    """
    from soni.cli.text import print_text, report_errors

    log_to_stderr()
    config = _load_unlocked(path)
    with report_errors():
        lock = asyncio.run(_ask_servers(config, McpServers.make_lock))
    assert config.folder is not None  # it was loaded from one
    file = config.folder / LOCK_FILE
    changed = not file.is_file() or file.read_text("utf-8", "replace") != lock.to_json()
    count = sum(len(server.tools) for server in lock.servers.values())
    if check:
        print_text(f"{file.name} {'is out of date' if changed else 'is up to date'}")
        raise typer.Exit(1 if changed else 0)
    if changed:
        write_file(file, lock.to_json())
    print_text(f"{file.name} {'written' if changed else 'is up to date'}: {count} in use")


def list_tools(
    path: Folder,
    server: Annotated[str | None, typer.Argument(help="Only this server.")] = None,
    as_json: Json = False,
) -> None:
    """List the tools that the servers have now, with their inputs and outputs."""
    from soni.cli.text import print_text, report_errors

    log_to_stderr()
    config = _load_unlocked(path)
    servers = config.settings.mcp.servers
    with report_errors():
        if server is not None and server not in servers:
            available = ", ".join(servers) or "none"
            raise SoniError(f"there is no MCP server '{server}'; available: {available}")
        wanted = list(servers) if server is None else [server]
        found = {
            name: asyncio.run(_ask_servers(config, partial(McpServers.list_tools, server=name)))
            for name in wanted
        }
    for name, tools in found.items():
        for tool, schema in sorted(tools.items()):
            about = {"server": name, "tool": tool, **schema.model_dump(exclude_none=True)}
            print_text(json.dumps(about) if as_json else f"{name}: {format_tool(tool, schema)}")


def format_tool(name: str, schema: ToolSchema) -> str:
    """`price(product, quantity?) -> price, note?`."""
    inputs = ", ".join(each.name + ("" if each.required else "?") for each in schema.inputs)
    known = schema.output_properties
    outputs = (
        "text"
        if known is None
        else ", ".join(
            output + ("" if output in schema.required_outputs else "?") for output in known
        )
    )
    return f"{name}({inputs}) -> {outputs}"


def serve(path: Folder) -> None:
    """Offer the flows as tools to the MCP client that starts this, over its pipes.

    For clients elsewhere: soni serve DIR, at /mcp.
    """
    missing = [name for name in ("mcp", "fastapi") if find_spec(name) is None]
    if missing:
        raise SoniError(f"this needs {' and '.join(missing)}: pip install 'soni[server,mcp]'")
    from soni.cli.text import report_errors
    from soni.server.mcp.stdio import serve_stdio

    log_to_stderr()
    with report_errors():
        asyncio.run(serve_stdio(path))


def _load_unlocked(path: Path) -> SoniConfig:
    """The assistant, whatever is wrong with what is known of its tools."""
    from soni.cli.check import report_problems
    from soni.config.load import examine_assistant

    with report_problems():
        examined = examine_assistant(path)
        errors = [each for each in examined.errors if each.code not in _CURABLE]
        if examined.config is None or errors:
            raise ConfigError(errors)
        return examined.config


async def _ask_servers(
    config: SoniConfig, ask: Callable[[McpServers], Coroutine[Any, Any, _Answer]]
) -> _Answer:
    # The author is watching: what a server says about its failure belongs to them.
    servers = McpServers(config, stderr=True)
    try:
        return await ask(servers)
    except ActionError as error:
        raise SoniError(error.message) from None
    finally:
        await servers.close()
