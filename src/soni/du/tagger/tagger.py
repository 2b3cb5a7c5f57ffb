"""Tagger: the slots a message fills, the flow it starts, what it requests, its acts."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from soni.du.encoder.encoder import MODEL_FOLDER, Encoder
from soni.du.encoder.transformer import run_layers
from soni.du.encoder.weights import Floats, Weights, WeightsError, softmax
from soni.du.tagger.mentions import normalise_words
from soni.du.tagger.moment import CHOICE_FLAGS, FLOW_FLAGS, SLOT_FLAGS, Moment
from soni.du.tagger.network import TUNED_LAYERS, MomentArrays, Network, NetworkOutput
from soni.du.tagger.pairs import PAIR_FLAGS, find_pairs
from soni.du.tagger.reading import Reading, SlotReading, Span
from soni.du.tagger.tokens import Tokens, VectorCache, make_tokens

TAGGER_FILE = "tagger.safetensors"

# The most pieces of a value, and the most spans for a slot.
_MAX_VALUE_PIECES = 24
_MAX_GUESSES = 3

# Spans are computed only for slots that are at least this likely to be filled.
_MIN_INFORM = 0.03


class Tagger:
    """Tags messages for any assistant, by the names and descriptions it has. Thread-safe."""

    def __init__(self, encoder: Encoder, weights: Weights) -> None:
        _check_version(weights)
        self.version = weights.about["version"]
        self.acts = tuple(weights.about["acts"].split())
        self.thresholds: Mapping[str, float] = {
            name: float(number)
            for name, number in (pair.split("=") for pair in weights.about["thresholds"].split())
        }
        self._encoder = encoder
        self._network = Network(weights)
        self.vectors = VectorCache(encoder)
        """Only texts by the assistant's author: users' words are not cached."""

    @classmethod
    def load(cls, encoder: Encoder, folder: Path = MODEL_FOLDER) -> "Tagger":
        """Load the tagger of a folder, by default the one that comes with Soni."""
        return cls(encoder, Weights.read(folder / TAGGER_FILE))

    def read(self, moment: Moment) -> Reading:
        """Tag a message."""
        tokens = make_tokens(self._encoder.wordpiece, moment.system, moment.message)
        shared = self._encoder.transformer
        hidden = shared.embed_tokens(tokens.ids[None])[0]
        hidden = run_layers(shared.layers[:-TUNED_LAYERS], hidden)
        answer = self._network(hidden, tokens.shapes, tokens.first, self._embed_moment(moment))
        flows: list[str | None] = [*(flow.name for flow in moment.flows), None]
        return Reading(
            slots=tuple(_iter_slots(moment, tokens, answer)),
            flows=dict(zip(flows, map(float, softmax(answer.flows)), strict=True)),
            acts=dict(zip(self.acts, map(float, _sigmoid(answer.acts)), strict=True)),
            state=answer.state,
        )

    def find_carried_values(
        self, moment: Moment, reading: Reading, flow: str
    ) -> dict[str, tuple[Any, float]]:
        """The known value most likely carried over to each slot of a starting flow."""
        found = find_pairs(moment, flow, normalise_words(moment.message))
        if not found:
            return {}
        slots = [pair.slot for pair in found]
        sources = [moment.sources[pair.source] for pair in found]
        scores = self._network.score_carryover(
            self.vectors.encode([moment.slots[place].text for place in slots]),
            self.vectors.encode([source.text for source in sources]),
            reading.state[slots],
            np.array([pair.flags for pair in found], dtype=np.float32),
        )
        best: dict[str, tuple[Any, float]] = {}
        for place, source, likely in zip(slots, sources, map(float, _sigmoid(scores)), strict=True):
            name = moment.slots[place].name
            if likely > best.get(name, (None, 0.0))[1]:
                best[name] = source.value, likely
        return best

    def _embed_moment(self, moment: Moment) -> MomentArrays:
        of = self.vectors.encode
        choices = [(n, choice) for n, slot in enumerate(moment.slots) for choice in slot.choices]
        return MomentArrays(
            slots=of([slot.text for slot in moment.slots]),
            homes=of([slot.home for slot in moment.slots]),
            slot_flags=_make_rows([slot.flags for slot in moment.slots], len(SLOT_FLAGS)),
            choices=of([choice.text for _, choice in choices]),
            choice_flags=_make_rows([choice.flags for _, choice in choices], len(CHOICE_FLAGS)),
            choice_slots=np.array([n for n, _ in choices], dtype=np.int64),
            flows=of([flow.text for flow in moment.flows]),
            flow_flags=_make_rows([flow.flags for flow in moment.flows], len(FLOW_FLAGS)),
            flags=np.array(moment.flags, dtype=np.float32),
        )


def _check_version(weights: Weights) -> None:
    """Refuse weights that were trained with other flags than `Moment` has."""
    told = (len(SLOT_FLAGS), len(FLOW_FLAGS), len(PAIR_FLAGS))
    if weights.about.get("flags") != " ".join(map(str, told)):
        raise WeightsError(
            f"{TAGGER_FILE} belongs to another version of Soni. Install Soni anew, "
            "or run `python -m tools.tagger` in a checkout."
        )


def _iter_slots(moment: Moment, tokens: Tokens, answer: NetworkOutput) -> Iterator[SlotReading]:
    status = softmax(answer.status[:, :3])
    requested = _sigmoid(answer.status[:, 3])
    place = 0
    for n, slot in enumerate(moment.slots):
        chosen = answer.choices[place : place + len(slot.choices)]
        place += len(slot.choices)
        names = [choice.value for choice in slot.choices]
        values = dict(zip(names, map(float, softmax(chosen)), strict=True))
        open_ = not slot.choices and status[n, 2] > _MIN_INFORM and tokens.pieces
        spans = _find_spans(answer.starts[n], answer.ends[n], tokens) if open_ else ()
        none, dontcare, inform = map(float, status[n])
        asked = float(requested[n])
        for flow in slot.flows:
            yield SlotReading(flow, slot.name, none, dontcare, inform, asked, spans, values)


def _find_spans(starts: Floats, ends: Floats, tokens: Tokens) -> tuple[Span, ...]:
    """The likeliest pairs of a start and an end."""
    both = np.outer(softmax(starts), softmax(ends))
    likely = np.triu(both) - np.triu(both, _MAX_VALUE_PIECES)
    best = np.argsort(likely, axis=None)[::-1][:_MAX_GUESSES]
    found = []
    for first, last in zip(*np.unravel_index(best, likely.shape), strict=True):
        start, end = tokens.pieces[first].start, tokens.pieces[last].end
        found.append(Span(start, end, float(likely[first, last])))
    return tuple(span for span in found if span.probability > 0)


def _make_rows(rows: Sequence[tuple[float, ...]], width: int) -> Floats:
    return np.array(rows, dtype=np.float32).reshape(len(rows), width)


def _sigmoid(scores: Floats) -> Floats:
    likely: Floats = np.reciprocal(1 + np.exp(-scores.clip(-60, 60)))
    return likely
