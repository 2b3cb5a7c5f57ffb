"""What the tagger makes of a message: how likely each thing is, and where it stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from soni.du.encoder.weights import Floats


class Span(NamedTuple):
    """A part of the user's message, in characters: `message[start:end]`."""

    start: int
    end: int
    probability: float


@dataclass(frozen=True)
class SlotReading:
    """What the message says of one slot of one flow."""

    flow: str
    name: str
    none: float
    dontcare: float
    inform: float
    requested: float
    """The user asks what its value is."""

    spans: tuple[Span, ...] = ()
    """Where its value stands, the likeliest first; empty for a choice or a boolean."""

    values: Mapping[str, float] = field(default_factory=dict)
    """Which value is meant, if one is: for a choice by its name, for a boolean "true", "false"."""


@dataclass(frozen=True)
class Reading:
    """A message read against the slots and flows of its moment."""

    slots: tuple[SlotReading, ...]
    flows: Mapping[str | None, float]
    """Which flow the user wants to start; None is none. They sum to 1."""

    acts: Mapping[str, float]
    """What the user does, each by itself: affirm, deny, select, thank, bye, ..."""

    state: Floats = field(
        default_factory=lambda: np.zeros((0, 0), np.float32), repr=False, compare=False
    )
    """What is thought of each of the moment's slots, for values that a flow takes over."""

    def restrict_to_start(self, flow: str | None) -> "Reading":
        """As if this flow starts, and no other.

        What several flows ask for was said, whichever of them it was read for.
        """
        best: dict[str, SlotReading] = {}
        for slot in self.slots:
            if slot.name not in best or slot.inform > best[slot.name].inform:
                best[slot.name] = slot
        slots = tuple(
            replace(best[one.name], flow=one.flow) if one.flow == flow else one
            for one in self.slots
        )
        return replace(self, slots=slots, flows={flow: 1.0})
