"""What a tool takes and returns, read from JSON Schemas of all sorts."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from soni.config.mcp_server import McpServerConfig
from soni.config.tool_lock import LockedServer, LockError, ToolLock, read_lock
from soni.config.tool_schema import ToolSchema

SIZE = {"$defs": {"Size": {"type": "string", "enum": ["small", "large"]}}}


def test_inputs_are_the_properties_and_some_are_required() -> None:
    tool = ToolSchema(
        input_schema={"properties": {"a": {}, "b": {"type": "integer"}}, "required": ["b"]}
    )
    assert [(each.name, each.required) for each in tool.inputs] == [("a", False), ("b", True)]
    assert not tool.takes_others


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"type": "string"}, {"string"}),
        ({"type": ["string", "null"]}, {"string", "null"}),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, {"integer", "null"}),
        ({"oneOf": [{"$ref": "#/$defs/Size"}, {"type": "number"}]}, {"string", "number"}),
        ({"$ref": "#/$defs/Size"}, {"string"}),
        ({"anyOf": [{"type": "integer"}, {}]}, set()),
        ({"$ref": "#/$defs/Nothing"}, set()),
        ({"$ref": "https://shop.example/schema"}, set()),
        ({}, set()),
    ],
)
def test_types_are_found_behind_references_and_alternatives(
    schema: dict[str, object], types: set[str]
) -> None:
    tool = ToolSchema(input_schema={**SIZE, "properties": {"size": schema}})
    assert tool.find_input_types("size") == types


def test_listed_values_are_found_behind_a_reference() -> None:
    tool = ToolSchema(input_schema={**SIZE, "properties": {"size": {"$ref": "#/$defs/Size"}}})
    assert tool.find_input_values("size") == ("small", "large")
    assert tool.find_input_values("other") is None


def test_a_schema_that_is_nonsense_says_nothing() -> None:
    tool = ToolSchema(
        input_schema={"properties": ["a"], "required": "a", "additionalProperties": 1},
        output_schema={"$ref": "#/properties/0/x", "properties": 7},
    )
    assert (tool.inputs, tool.output_properties, tool.takes_others) == ((), {}, False)


def test_outputs_are_known_only_by_an_output_schema() -> None:
    assert ToolSchema().has_output("anything")
    known = {"properties": {"price": {"type": "number"}}}
    assert not ToolSchema(output_schema=known).has_output("cost")
    assert ToolSchema(output_schema=known).has_output("text")
    assert ToolSchema(output_schema={**known, "additionalProperties": True}).has_output("cost")


def test_a_lock_is_read_as_it_was_written(tmp_path: Path) -> None:
    tool = ToolSchema(
        input_schema={"properties": {"a": {"default": None}}}, output_schema={"title": None}
    )
    lock = ToolLock(servers={"shop": LockedServer(tools={"price": tool}, others=("order",))})
    (tmp_path / "mcp.lock.json").write_text(lock.to_json(), encoding="utf-8")
    assert read_lock(tmp_path) == lock
    assert lock.list_tool_names("shop") == ["order", "price"]
    assert lock.list_tool_names("maps") is None


@pytest.mark.parametrize("text", ["", "[]", '{"version": 2}', "[" * 100_000, '{"servers": 3}'])
def test_a_lock_that_is_none_is_a_problem(text: str, tmp_path: Path) -> None:
    (tmp_path / "mcp.lock.json").write_text(text, encoding="utf-8")
    with pytest.raises(LockError, match="soni mcp sync"):
        read_lock(tmp_path)


def test_a_lock_has_a_size(tmp_path: Path) -> None:
    (tmp_path / "mcp.lock.json").write_bytes(b" " * 5_000_001)
    with pytest.raises(LockError, match="larger than"):
        read_lock(tmp_path)


@pytest.mark.parametrize(
    "server",
    [
        {},
        {"command": "a", "url": "https://a.example"},
        {"command": "a", "headers": {}},
        {"url": "https://a.example", "args": ["b"]},
        {"url": "https://a.example", "env": {"A": "b"}},
        {"url": "file:///etc/passwd"},
    ],
)
def test_a_server_is_started_or_reached(server: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        McpServerConfig.model_validate(server)


def test_names_of_secrets_are_recognised() -> None:
    names = ["Authorization", "X-Api-Key", "apikey", "COOKIE", "DB_PASSWORD", "token", "KEY_ID"]
    server = McpServerConfig(url="https://a.example", headers=dict.fromkeys(names, "x"))
    assert [name for _, name in server.list_plain_secrets()] == names
    plain = McpServerConfig(url="https://a.example", headers={"X-Tenant": "a", "Monkey-Bars": "b"})
    assert list(plain.list_plain_secrets()) == []
