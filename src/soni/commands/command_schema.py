"""What a command tells of itself to whoever has to produce it: a language model reads this."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Names(StrEnum):
    """Names that a field may hold; which ones there are depends on the moment."""

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


class Need(StrEnum):
    """What must be the case for a command, or one of its fields, to make sense."""

    TASK = "task"
    """A flow is open."""

    PAUSED = "paused"
    """A flow waits below the active one."""

    SLOT_ASKED = "slot asked"
    """The open question asks for a slot."""

    YES_OR_NO = "yes or no"
    """Yes or no answers the open question."""


@dataclass(frozen=True)
class Told:
    """Marks a field that understanding has to fill; optional fields without it are left alone.

    A model that must follow a schema fills everything that the schema has, asked or not.
    """

    names: Names | None = None
    """The field holds names of this sort; without one of them there is nothing to say."""

    needs: Need | None = None
    at_least: int = 1
    """How many names a list must have."""


@dataclass(frozen=True)
class Said:
    """How people say a command: an example, from an assistant that sends parcels."""

    words: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    asked: str = ""
    """The question that it answers."""
