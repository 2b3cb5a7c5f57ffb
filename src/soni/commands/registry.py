"""CommandHandlerRegistry: finds the handler of a command."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from soni.commands.base import Command, CommandHandler
from soni.core.discovery import find_offers
from soni.core.errors import SoniError


class UnknownCommandError(SoniError):
    """A command type that has no handler."""


class CommandHandlerRegistry:
    """The handlers of all commands, by type name."""

    def __init__(self, handlers: Mapping[str, CommandHandler[Any]]) -> None:
        self._handlers = dict(handlers)

    @classmethod
    def discover(cls) -> "CommandHandlerRegistry":
        """All commands of this folder and of plugins (`soni.commands`)."""
        return cls(_discover_handlers())

    def get_handler(self, command_type: str) -> CommandHandler[Any]:
        """The handler of a type."""
        if command_type not in self._handlers:
            raise UnknownCommandError(
                f"unknown command '{command_type}'; available: {', '.join(self)}"
            )
        return self._handlers[command_type]

    def parse(self, data: Mapping[str, Any] | Command) -> Command:
        """A command from its serialised form, tagged by `type`.

        `{"type": "set_slot", "slot": "name", "value": "Ann"}` is read as well: the type in snake
        case, and short names of fields.
        """
        if isinstance(data, Command):
            return data
        if not isinstance(data, Mapping):
            raise UnknownCommandError(f"not a command: {type(data).__name__}")
        name = self._expand_name(str(data.get("type")))
        model = self.get_handler(name).command
        return model.model_validate({**_expand_fields(data, model), "type": name})

    def _expand_name(self, name: str) -> str:
        camel = "".join(part.capitalize() for part in name.split("_"))
        return camel if name not in self._handlers and camel in self._handlers else name

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._handlers))


_SHORT_FIELDS: Final = {
    "slot": ("slot_name", "slot_to_change"),
    "flow": ("flow_name",),
    "flows": ("flow_names",),
    "value": ("new_value",),
}
"""Short names of fields, each with the names that it stands for."""


def _expand_fields(data: Mapping[str, Any], model: type[Command]) -> dict[str, Any]:
    """The fields under their full names. A field given twice is left for the model to refuse."""
    known = model.model_fields
    full = {}
    for key, value in data.items():
        long = () if key in known else _SHORT_FIELDS.get(key, ())
        meant = next((name for name in long if name in known and name not in data), key)
        full[meant] = value
    return full


@lru_cache(maxsize=1)
def _discover_handlers() -> Mapping[str, CommandHandler[Any]]:
    what = "an instance of a CommandHandler that has a `command`"
    offers = find_offers("soni.commands", "HANDLER", "soni.commands", _is_handler, what)
    return {handler.command.__name__: handler for _, handler in offers}


def _is_handler(offer: object) -> bool:
    return isinstance(offer, CommandHandler) and hasattr(offer, "command")
