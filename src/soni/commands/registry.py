"""CommandHandlerRegistry: which handler carries out which command."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from soni.commands.base import Command, CommandHandler
from soni.core.discovery import offers_of
from soni.core.errors import SoniError


class UnknownCommandError(SoniError):
    """A command type nobody handles."""


class CommandHandlerRegistry:
    """Commands by type name, each with its handler."""

    def __init__(self, handlers: Mapping[str, CommandHandler[Any]]) -> None:
        self._handlers = dict(handlers)

    @classmethod
    def discover(cls) -> "CommandHandlerRegistry":
        """All commands of this folder and of plugins (`soni.commands`)."""
        return cls(_discovered())

    def handler(self, command_type: str) -> CommandHandler[Any]:
        """The handler of a type."""
        if command_type not in self._handlers:
            raise UnknownCommandError(
                f"unknown command '{command_type}'; available: {', '.join(self)}"
            )
        return self._handlers[command_type]

    def parse(self, data: Mapping[str, Any] | Command) -> Command:
        """A command from its serialised form (tagged by `type`)."""
        if isinstance(data, Command):
            return data
        if not isinstance(data, Mapping):
            raise UnknownCommandError(f"not a command: {type(data).__name__}")
        return self.handler(str(data.get("type"))).command.model_validate(dict(data))

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._handlers))


@lru_cache(maxsize=1)
def _discovered() -> Mapping[str, CommandHandler[Any]]:
    what = "an instance of a CommandHandler that has a `command`"
    offers = offers_of("soni.commands", "HANDLER", "soni.commands", _is_handler, what)
    return {handler.command.__name__: handler for _, handler in offers}


def _is_handler(offer: object) -> bool:
    return isinstance(offer, CommandHandler) and hasattr(offer, "command")
