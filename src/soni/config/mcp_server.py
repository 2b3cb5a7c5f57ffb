"""MCP servers in the settings: how each is reached."""

import os
import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal, Self

from pydantic import Field, model_validator

from soni.config.definitions import URL_PATTERN, Config
from soni.core.errors import SoniError

_SECRET_NAME: Final = re.compile(
    r"auth|cookie|credential|(?:^|[-_])key|key$|passphrase|password|secret|token", re.IGNORECASE
)
_STDIO_KEYS: Final = ("args", "env", "stderr")


class EnvironmentValue(Config):
    """A value that stands in the environment, because it is secret or differs by machine."""

    env: str = Field(min_length=1)
    """The environment variable."""

    prefix: str = ""
    """What stands before it, such as `Bearer `."""

    def read(self) -> str:
        """The value, or `SoniError` if the variable is not set."""
        found = os.environ.get(self.env)
        if found is None:
            raise SoniError(f"environment variable {self.env} is not set")
        return self.prefix + found


Value = str | EnvironmentValue


class McpServerConfig(Config):
    """One server: a command that is started, or an address."""

    command: str | None = Field(default=None, min_length=1)
    """The program; it speaks MCP over its input and output."""

    args: tuple[str, ...] = ()
    env: dict[str, Value] = Field(default_factory=dict)
    """Its environment, beside PATH and HOME; it sees no other variable of this process."""

    stderr: Literal["discard", "inherit"] = "discard"
    """What becomes of its error output, which may hold what users said."""

    url: str | None = Field(default=None, pattern=URL_PATTERN)
    """The address of its streamable HTTP."""

    headers: dict[str, Value] = Field(default_factory=dict)
    connect_timeout: float = Field(default=10, gt=0, le=600)
    """Seconds until it counts as unreachable."""

    max_calls: int = Field(default=16, ge=1, le=1000)
    """How many calls may be under way at the same time; others wait."""

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        if (self.command is None) == (self.url is None):
            raise ValueError("a server has either `command` or `url`")
        for key in ("headers",) if self.url is None else _STDIO_KEYS:
            if key in self.model_fields_set:
                raise ValueError(f"`{key}` is for servers with `{self._name_other()}`")
        return self

    def _name_other(self) -> str:
        return "url" if self.url is None else "command"

    def list_plain_secrets(self) -> Iterator[tuple[str, str]]:
        """The section and the name of values that look secret and are written out."""
        for section, values in (("env", self.env), ("headers", self.headers)):
            for name, value in values.items():
                if isinstance(value, str) and _SECRET_NAME.search(name):
                    yield section, name


class Mcp(Config):
    """Model Context Protocol: the servers whose tools are actions."""

    servers: dict[str, McpServerConfig] = Field(default_factory=dict, max_length=100)


def resolve_values(values: Mapping[str, Value]) -> dict[str, str]:
    """The values, those of the environment filled in."""
    return {
        name: value.read() if isinstance(value, EnvironmentValue) else value
        for name, value in values.items()
    }
