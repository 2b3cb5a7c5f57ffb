"""How a command describes itself to a language model that has to produce it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class NameSet(StrEnum):
    """Which names a field may hold. The actual names depend on the state of the conversation."""

    STARTABLE = "startable"
    """Flows that may start now."""

    PAUSED = "paused"
    """Flows that wait below the active one."""

    SLOTS = "slots"
    """Slots that may be filled now."""

    FILLED = "filled"
    """Slots of open flows that have a value."""

    CONFIRMED = "confirmed"
    """Slots whose values the open question shows."""


class Precondition(StrEnum):
    """A precondition of a command, or of one of its fields."""

    TASK = "task"
    """A flow is open."""

    PAUSED = "paused"
    """A flow waits below the active one."""

    SLOT_ASKED = "slot asked"
    """The open question asks for a slot."""

    YES_OR_NO = "yes or no"
    """Yes or no answers the open question."""


@dataclass(frozen=True)
class NluField:
    """Marks a field that understanding has to fill. Other optional fields are left alone.

    A model that must follow a schema tends to fill every field of it.
    """

    names: NameSet | None = None
    """The field holds names of this set. If the set is empty, the command is not offered."""

    needs: Precondition | None = None
    at_least: int = 1
    """How many names a list must have."""


@dataclass(frozen=True)
class CommandExample:
    """An example of how people say a command, from an assistant that sends parcels."""

    words: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    asked: str = ""
    """The question that it answers."""
