"""ToolSchema: what a tool of an MCP server takes and returns, by its JSON Schema."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from pydantic import Field

from soni.config.definitions import Config
from soni.steps import ActionInput

TEXT_OUTPUT: Final = "text"
"""The output that holds what a tool said in words."""

Schema = Mapping[str, Any]

_ALTERNATIVES: Final = ("anyOf", "oneOf")


class ToolSchema(Config):
    """A tool as its server describes it."""

    input_schema: dict[str, Any] = Field(default_factory=dict)
    output_schema: dict[str, Any] | None = None
    """None: it returns text, or something that is known only when it runs."""

    @cached_property
    def inputs(self) -> tuple[ActionInput, ...]:
        """What it takes."""
        required = _list_required(self.input_schema)
        return tuple(ActionInput(name, name in required) for name in self.input_properties)

    @cached_property
    def input_properties(self) -> dict[str, Schema]:
        """The schema of each input."""
        return _find_properties(self.input_schema)

    @cached_property
    def output_properties(self) -> dict[str, Schema] | None:
        """The schema of each output; None: they are not known."""
        return None if self.output_schema is None else _find_properties(self.output_schema)

    @cached_property
    def required_outputs(self) -> frozenset[str]:
        """The outputs that it always returns."""
        return frozenset(_list_required(self.output_schema or {}))

    @property
    def takes_others(self) -> bool:
        """Whether it says that it takes inputs beside those it names."""
        return _allows_others(self.input_schema)

    def has_output(self, name: str) -> bool:
        """Whether it may return this output."""
        known = self.output_properties
        if known is None or name == TEXT_OUTPUT or name in known:
            return True
        return _allows_others(self.output_schema or {})

    def find_input_types(self, name: str) -> frozenset[str]:
        """The JSON types of an input; none: any."""
        return _find_types(self.input_properties.get(name, {}), self.input_schema)

    def find_output_types(self, name: str) -> frozenset[str]:
        """The JSON types of an output; none: any."""
        known = self.output_properties or {}
        return _find_types(known.get(name, {}), self.output_schema or {})

    def find_input_values(self, name: str) -> tuple[Any, ...] | None:
        """The values that an input may have, if they are listed."""
        found = _resolve(self.input_properties.get(name, {}), self.input_schema).get("enum")
        return tuple(found) if isinstance(found, list) else None


def _find_properties(schema: Schema) -> dict[str, Schema]:
    found = _resolve(schema, schema).get("properties")
    if not isinstance(found, Mapping):
        return {}
    return {str(name): each if isinstance(each, Mapping) else {} for name, each in found.items()}


def _list_required(schema: Schema) -> list[str]:
    found = _resolve(schema, schema).get("required")
    return [str(name) for name in found] if isinstance(found, list) else []


def _allows_others(schema: Schema) -> bool:
    others = _resolve(schema, schema).get("additionalProperties")
    return others is True or isinstance(others, Mapping)


def _resolve(schema: Schema, whole: Schema) -> Schema:
    """What a `$ref` within the document refers to; anything else stays as it is."""
    reference = schema.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return schema
    found: Any = whole
    for part in reference[2:].split("/"):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _find_types(schema: Schema, whole: Schema) -> frozenset[str]:
    schema = _resolve(schema, whole)
    for key in _ALTERNATIVES:
        arms = schema.get(key)
        if isinstance(arms, list):
            found = [_find_own_types(_resolve(arm, whole)) for arm in arms if _is_schema(arm)]
            # An arm of any type makes the whole one of any type.
            return frozenset().union(*found) if found and all(found) else frozenset()
    return _find_own_types(schema)


def _find_own_types(schema: Schema) -> frozenset[str]:
    written = schema.get("type")
    names = written if isinstance(written, list) else [written]
    return frozenset(name for name in names if isinstance(name, str))


def _is_schema(value: Any) -> bool:
    return isinstance(value, Mapping)
