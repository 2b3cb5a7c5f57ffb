"""Slot schemas: what a slot takes, as JSON Schema for programs that fill it."""

from typing import Any, Final

from soni.config.assistant import Assistant
from soni.core.texts import list_variations

Schema = dict[str, Any]

_FORMATS: Final = {"email": "email", "day": "date"}
"""What measures or addresses have a format of JSON Schema that their slots take."""


def make_slot_schema(assistant: Assistant, name: str, language: str) -> Schema:
    """A slot as a plain value. Many types take words as well, so those are texts."""
    slot = assistant.get_slot_config(name)
    schema: Schema = _make_type(assistant, name)
    if slot.values:
        schema["enum"] = list(slot.values)
    described = slot.description
    if not described and slot.prompt is not None:
        described = list_variations(slot.prompt, language)[0]
    if described:
        schema["description"] = described
    return schema


def _make_type(assistant: Assistant, name: str) -> Schema:
    kind = assistant.get_slot_type(name)
    if kind.is_polar:
        return {"type": "boolean"}
    if kind.is_number:
        return {"type": "integer" if kind.dimension == "count" else "number"}
    expected = _FORMATS.get(kind.dimension or "")
    return {"type": "string", "format": expected} if expected else {"type": "string"}
