"""The tagger's network in numpy: tuned layers over tokens, heads over slots and flows."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from soni.du.encoder.transformer import Layer, Linear, Norm, run_layers
from soni.du.encoder.weights import Floats, Weights, softmax

TUNED_LAYERS = 3
"""The last layers of the sentence model, fine-tuned here; the ones before are shared."""

JOINT_LAYERS = 2
"""Layers of attention between slots and flows."""

PAIR_WIDTH = 128
ATTENTION_WIDTH = 64

# Sentence vectors have length 1: too small beside flags of 0 and 1.
VECTOR_SCALE = np.float32(10)

_PARTS = ("plain", "times", "value", "starts", "ends", "sought", "given")
_WIDTHS = (PAIR_WIDTH,) * 3 + (ATTENTION_WIDTH,) * 3 + (PAIR_WIDTH,)


@dataclass(frozen=True)
class MomentArrays:
    """A moment as arrays; texts are vectors."""

    slots: Floats
    homes: Floats
    slot_flags: Floats
    choices: Floats
    choice_flags: Floats
    choice_slots: npt.NDArray[np.int64]
    flows: Floats
    flow_flags: Floats
    flags: Floats


@dataclass(frozen=True)
class NetworkOutput:
    """The network's output: logits."""

    status: Floats
    """For each slot: none, dontcare, inform, requested."""

    starts: Floats
    ends: Floats
    choices: Floats
    flows: Floats
    """The last one is for none of them."""

    acts: Floats
    state: Floats
    """The hidden state of each slot, for carrying values over."""


class _Rows(Linear):
    """A linear layer that takes empty input: an assistant may have no slots, or no flows."""

    def __call__(self, hidden: Floats) -> Floats:
        if not hidden.size:
            return np.zeros((*hidden.shape[:-1], len(self.bias)), dtype=np.float32)
        return super().__call__(hidden)


class Network:
    """The layers of the tagger. Thread-safe."""

    def __init__(self, weights: Weights) -> None:
        names = (
            *("shape", "slot", "home", "slot_flags", "flow", "flow_flags", "turn", "first"),
            *("asks", "scales", "look", "kept", "slot_wide", "slot_out", "flow_wide", "flow_out"),
            *("turn_wide", "turn_out", "span_starts", "span_ends", "tokens"),
            *("choice", "choice_slot", "choice_flags", "choice_asks", "choice_wide", "choice_out"),
            *("pair_text", "pair_slot", "pair_wide", "pair_out"),
        )
        self._do = {name: _Rows.load(weights, name) for name in names}
        self._norms = {name: Norm.load(weights, name) for name in ("begun", "seen")}
        self._tuned = [Layer.load(weights, n) for n in range(TUNED_LAYERS)]
        self._together = [Layer.load(weights, TUNED_LAYERS + n) for n in range(JOINT_LAYERS)]

    def __call__(
        self, hidden: Floats, shapes: Floats, first: int, asked: MomentArrays
    ) -> NetworkOutput:
        """`hidden`: (tokens, width), after the shared layers; the user's begin at `first`."""
        do = self._do
        tokens = run_layers(self._tuned, hidden + do["shape"](shapes))
        joined = np.split(do["tokens"](tokens), np.cumsum(_WIDTHS)[:-1], axis=1)
        parts = dict(zip(_PARTS, joined, strict=True))
        begun = self._embed_targets(tokens, asked)
        pooled, starts, ends = self._attend_tokens(begun, parts)
        thought = self._norms["seen"](begun + do["kept"](pooled))
        thought = run_layers(self._together, thought)
        count = len(asked.slots)
        slots, flows, turn = np.split(thought, [count, len(thought) - 1])
        spans = slice(first, len(tokens) - 1)
        root = sqrt(ATTENTION_WIDTH)
        starts = starts[:count] + do["span_starts"](slots) @ parts["starts"].T / root
        ends = ends[:count] + do["span_ends"](slots) @ parts["ends"].T / root
        out = do["turn_out"](_relu(do["turn_wide"](turn)))[0]
        flow = do["flow_out"](_relu(do["flow_wide"](flows)))[:, 0]
        return NetworkOutput(
            status=do["slot_out"](_relu(do["slot_wide"](slots))),
            starts=starts[:, spans],
            ends=ends[:, spans],
            choices=self._score_choices(slots, parts, asked),
            flows=np.append(flow, out[0]),
            acts=out[1:],
            state=slots,
        )

    def score_carryover(
        self, targets: Floats, sources: Floats, state: Floats, flags: Floats
    ) -> Floats:
        """The logit of each pair: that the source's value is carried over to the target."""
        do = self._do
        one, other = do["pair_text"](targets), do["pair_text"](sources)
        given = [one * other, np.abs(one - other), do["pair_slot"](state), flags]
        scores: Floats = do["pair_out"](_relu(do["pair_wide"](np.concatenate(given, axis=1))))
        return scores[:, 0]

    def _embed_targets(self, tokens: Floats, asked: MomentArrays) -> Floats:
        do = self._do
        slots = do["slot"](asked.slots) + do["home"](asked.homes)
        slots += do["slot_flags"](asked.slot_flags)
        flows = do["flow"](asked.flows) + do["flow_flags"](asked.flow_flags)
        turn = do["turn"](asked.flags[None]) + do["first"](tokens[:1])
        return self._norms["begun"](np.concatenate([slots, flows, turn]))

    def _attend_tokens(
        self, begun: Floats, parts: dict[str, Floats]
    ) -> tuple[Floats, Floats, Floats]:
        do = self._do
        seen = parts["times"] * do["scales"](begun)[:, None]
        seen += parts["plain"]
        seen += do["asks"](begun)[:, None]
        np.maximum(seen, 0, out=seen)
        scores = do["look"](seen)
        heed = softmax(scores[..., 0])
        pooled = np.concatenate([heed @ parts["value"], (heed[:, None] @ seen)[:, 0]], axis=1)
        return pooled, scores[..., 1], scores[..., 2]

    def _score_choices(
        self, slots: Floats, parts: dict[str, Floats], asked: MomentArrays
    ) -> Floats:
        do = self._do
        choices = do["choice"](asked.choices) + do["choice_slot"](slots)[asked.choice_slots]
        choices = _relu(choices + do["choice_flags"](asked.choice_flags))
        heed = softmax(do["choice_asks"](choices) @ parts["sought"].T / sqrt(ATTENTION_WIDTH))
        found = heed @ parts["given"]
        joined = np.concatenate([choices, found, choices * found], axis=1)
        scores: Floats = do["choice_out"](_relu(do["choice_wide"](joined)))
        return scores[:, 0]


def _relu(given: Floats) -> Floats:
    positive: Floats = np.maximum(given, 0)
    return positive
