"""Writes tests as YAML, in the form that an author would use."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic.fields import FieldInfo

from soni.commands import CommandHandlerRegistry
from soni.config.dump import Path, dump_yaml
from soni.testing.case import Case, Expect, TurnCase
from soni.testing.fields import read_entry


def render_test_file(tests: Sequence[Mapping[str, Any]]) -> str:
    """The text of a test file. Each test is shaped like a `Case`, and reads back as the same.

    Fields of commands with default values are left out, and so are keys that are null, except in
    `expect`, where null is an expectation.
    """
    return dump_yaml({"tests": [_order_case(test) for test in tests]}, _is_block_style)


def shorten_command(command: Any, *, bare: bool) -> Any:
    """A command without the fields that have their defaults; `bare`: a name alone if none is left.

    Among expected commands a name alone matches any fields, so `bare` is wrong there.
    """
    name, fields = read_entry(command)
    registry = CommandHandlerRegistry.discover()
    if fields is None or name not in registry:
        return command
    known = registry.get_handler(name).command.model_fields
    told = {key: value for key, value in fields.items() if not _is_default(known.get(key), value)}
    return name if bare and not told else {name: told}


def _is_default(field: FieldInfo | None, value: Any) -> bool:
    if field is None or field.is_required():
        return False
    default = field.get_default(call_default_factory=True, validated_data={})
    # 1 and True are equal.
    return bool(value == default) and isinstance(value, bool) == isinstance(default, bool)


def _is_block_style(path: Path) -> bool:
    # tests, 0, turns, 0, expect, key
    if len(path) == 3:
        return path[2] == "turns"
    if len(path) == 5:
        return path[4] == "expect"
    return len(path) in (1, 2, 4)


def _order_case(test: Mapping[str, Any]) -> dict[str, Any]:
    case = {
        key: value
        for key, value in _order_fields(test, Case).items()
        if value is not None and not _is_default(Case.model_fields.get(key), value)
    }
    return {**case, "turns": [_order_turn(turn) for turn in test["turns"]]}


def _order_turn(turn: Mapping[str, Any]) -> dict[str, Any]:
    told = {key: value for key, value in _order_fields(turn, TurnCase).items() if value is not None}
    if "commands" in told:
        told["commands"] = [shorten_command(command, bare=True) for command in told["commands"]]
    expect = _order_fields(told.pop("expect", {}), Expect)
    if "commands" in expect:
        commands = (shorten_command(command, bare=False) for command in expect["commands"])
        expect["commands"] = list(commands)
    return {**told, "expect": expect} if expect else told


def _order_fields(
    given: Mapping[str, Any], model: type[Case | TurnCase | Expect]
) -> dict[str, Any]:
    known = [key for key in model.model_fields if key in given]
    return {key: given[key] for key in (*known, *(key for key in given if key not in known))}
