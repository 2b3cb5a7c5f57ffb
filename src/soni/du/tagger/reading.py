"""Reading: the tagger's output, as probabilities and spans."""

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
    """The tagger's output for a message."""

    slots: tuple[SlotReading, ...]
    flows: Mapping[str | None, float]
    """The probability that the user wants to start each flow; None: no flow. They sum to 1."""

    acts: Mapping[str, float]
    """The probability of each dialogue act, independent of the others: affirm, deny, ..."""

    state: Floats = field(
        default_factory=lambda: np.zeros((0, 0), np.float32), repr=False, compare=False
    )
    """The hidden state of each of the moment's slots, for carrying values over."""

    def restrict_to_start(self, flow: str | None) -> "Reading":
        """The reading if this flow starts, and no other.

        A slot that several flows have gets the best reading of any of them.
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
