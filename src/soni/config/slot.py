"""A slot's definition."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from soni.config.definitions import Config
from soni.core.texts import Text
from soni.slots import SlotType, slot_types


class Constraint(Config):
    """A condition that must hold while the slot has a value."""

    condition: str = Field(alias="if")
    message: Text

    model_config = ConfigDict(populate_by_name=True)


class SlotConfig(Config):
    """What a slot may hold and how it is asked."""

    type: str = "string"
    description: str = ""
    prompt: Text | None = None
    """The question that asks for it."""

    help: Text | None = None
    """The answer to "why do you need that?"."""

    examples: tuple[str, ...] = ()
    values: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """For a choice: value -> synonyms."""

    validator: str | None = None
    normalizer: str | None = None
    constraints: tuple[Constraint, ...] = ()
    default: Any = None
    required: bool = True
    sensitive: bool = False
    ask_before_filling: bool = False
    """Filled only by an answer to its question, never by the message that starts a flow."""

    scope: Literal["flow", "conversation"] = "flow"

    @property
    def kind(self) -> SlotType:
        """What its type does."""
        return slot_types()[self.type]

    @field_validator("type")
    @classmethod
    def _check_type(cls, kind: str) -> str:
        kinds = slot_types()
        if kind not in kinds:
            context = {"kind": kind, "available": sorted(kinds)}
            raise PydanticCustomError("slot_type", "unknown slot type '{kind}'", context)
        return kind

    @field_validator("values", mode="before")
    @classmethod
    def _normalise_values(cls, values: Any) -> Any:
        if isinstance(values, list | tuple) and not any(isinstance(v, list | dict) for v in values):
            return {_restore_word(value): () for value in values}
        if isinstance(values, Mapping):
            return {_restore_word(word): _normalise_synonyms(said) for word, said in values.items()}
        return values


def _restore_word(value: Any) -> Any:
    # YAML reads `3` or `yes` as a number or boolean, but the author meant a word.
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int | float) else value


def _normalise_synonyms(said: Any) -> Any:
    if said is None:
        return ()
    return [_restore_word(word) for word in (said if isinstance(said, list | tuple) else [said])]
