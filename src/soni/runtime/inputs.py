"""What applications hand to the runtime, checked before anything happens: ids, texts, context."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic_core import to_jsonable_python

from soni.commands import Command
from soni.core.errors import InvalidInputError, Refusal, clip
from soni.flow.plain import make_encodable, make_plain

MAX_ID_CHARS: Final = 500


def check_id(name: str, value: Any) -> str:
    """The id, or `InvalidInputError`: stores use it as a key, whatever it is."""
    if not isinstance(value, str):
        raise InvalidInputError(name, _ID, _describe(value))
    if not value:
        raise InvalidInputError(name, _ID, "an empty one")
    if len(value) > MAX_ID_CHARS:
        raise InvalidInputError(name, _ID, f"one of {len(value):,}")
    if "\0" in value or make_encodable(value) != value:
        raise InvalidInputError(name, _ID, "one with a sign that no text has")
    return value


_ID: Final = f"a text of 1 to {MAX_ID_CHARS} characters, without NUL and lone surrogates"


def require_text(name: str, value: Any) -> str:
    """What somebody said, or `InvalidInputError`."""
    if not isinstance(value, str):
        raise InvalidInputError(name, "a text", _describe(value))
    return value


def copy_named(name: str, given: Any) -> dict[str, Any]:
    """A mapping of names, or `InvalidInputError`; empty if nothing was given."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InvalidInputError(name, "a mapping of names", _describe(given))
    if unnamed := [key for key in given if not isinstance(key, str)]:
        raise InvalidInputError(name, "names as keys", _describe(unnamed[0]))
    return dict(given)


def copy_context(context: Any) -> dict[str, Any]:
    """The caller's context, or `InvalidInputError` if it is not plain data by name."""
    copied = copy_named("context", context)
    for name, value in copied.items():
        try:
            make_plain(value)
        except Refusal as refused:
            wanted = "plain data: texts, numbers, true and false, dates, lists and mappings"
            found = f"something else ({refused})"
            raise InvalidInputError(f"context['{clip(name)}']", wanted, found) from refused
    kept: dict[str, Any] = replace_surrogates(copied)
    return kept


def dump_commands(commands: Any) -> list[Any]:
    """Commands as plain data, or `InvalidInputError`. Whether they make sense is not seen here."""
    if isinstance(commands, str | bytes) or not isinstance(commands, Sequence):
        raise InvalidInputError("commands", "a list of commands", _describe(commands))
    try:
        return [_dump_command(command) for command in commands]
    except (ValueError, RecursionError) as error:
        found = f"something else ({str(error)[:200]})"
        raise InvalidInputError("commands", "plain data in each command", found) from error


def _dump_command(command: Any) -> Any:
    if isinstance(command, Command):
        command = command.model_dump(mode="json")
    elif isinstance(command, Mapping):
        command = to_jsonable_python(dict(command))
    return replace_surrogates(command)


def replace_surrogates(value: Any) -> Any:
    """Replace lone surrogates, as broken clients send them, with `?`."""
    if isinstance(value, str):
        return make_encodable(value)
    if isinstance(value, list | tuple):
        return [replace_surrogates(item) for item in value]
    if isinstance(value, Mapping):
        return {replace_surrogates(key): replace_surrogates(item) for key, item in value.items()}
    return value


def _describe(value: Any) -> str:
    return "nothing" if value is None else f"a value of type {type(value).__name__}"
