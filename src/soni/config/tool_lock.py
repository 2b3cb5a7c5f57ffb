"""ToolLock: the schemas of the tools that an assistant uses, kept beside its YAML.

`soni mcp sync` writes the file. Checks, tests and replays read it and need no server.
"""

import json
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, ValidationError

from soni.config.definitions import Config
from soni.config.tool_schema import ToolSchema
from soni.core.errors import Problem

LOCK_FILE: Final = "mcp.lock.json"
SYNC_REMEDY: Final = "run `soni mcp sync`, which asks the servers and writes mcp.lock.json"
MAX_LOCK_BYTES: Final = 5_000_000
_VERSION: Final = 1


class LockedServer(Config):
    """A server as it was when it was last asked."""

    tools: dict[str, ToolSchema] = Field(default_factory=dict)
    """The tools that the assistant uses."""

    others: tuple[str, ...] = ()
    """The names of its other tools."""


class ToolLock(Config):
    """What is known of the servers' tools."""

    version: Literal[1] = _VERSION
    servers: dict[str, LockedServer] = Field(default_factory=dict)

    def find_tool(self, server: str, tool: str) -> ToolSchema | None:
        """A tool's schema; None: it is not known."""
        locked = self.servers.get(server)
        return locked.tools.get(tool) if locked else None

    def list_tool_names(self, server: str) -> list[str] | None:
        """All tools that a server had; None: it was never asked."""
        locked = self.servers.get(server)
        return sorted({*locked.tools, *locked.others}) if locked else None

    def to_json(self) -> str:
        """The content of the file; the same tools always give the same."""
        content = self.model_dump(mode="json", exclude_none=True)
        return json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


class LockError(Exception):
    """The file cannot be used; holds the problem."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.problem = Problem(message, SYNC_REMEDY, file=LOCK_FILE, code="E527")


def read_lock(folder: Path) -> ToolLock:
    """The file in an assistant's folder; an empty one if there is none. Raises `LockError`."""
    file = folder / LOCK_FILE
    if not file.is_file():
        return ToolLock()
    try:
        if file.stat().st_size > MAX_LOCK_BYTES:
            raise LockError(f"this file is larger than {MAX_LOCK_BYTES:,} bytes")
        return ToolLock.model_validate(json.loads(file.read_text("utf-8")))
    except OSError as error:
        raise LockError(f"this file cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError, ValidationError):
        raise LockError("this file is not what `soni mcp sync` writes") from None
