"""Tagger: the slots a message fills, the flow it starts, what it requests, its acts."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from soni.du.encoder.encoder import MODEL_FOLDER, Encoder
from soni.du.encoder.transformer import run_layers
from soni.du.encoder.weights import Floats, Weights, WeightsError, softmax
from soni.du.tagger.mentions import (
    format_words,
    holds_value,
    normalise_author_text,
    normalise_words,
)
from soni.du.tagger.moment import CHOICE_FLAGS, FLOW_FLAGS, SLOT_FLAGS, Moment, MomentSlot, Source
from soni.du.tagger.network import TUNED_LAYERS, MomentArrays, Network, NetworkOutput
from soni.du.tagger.reading import Reading, SlotReading, Span
from soni.du.tagger.tokens import Tokens, VectorCache, make_tokens

PAIR_FLAGS = (
    *("same_name", "same_text", "same_kind", "current", "others", "offered", "told"),
    *("said", "required", "requested", "filled", "same_flow", "recent", "only"),
)


_WHERE = PAIR_FLAGS[3:7]


class Pair(NamedTuple):
    """A slot and a source, by their indexes in the moment."""

    slot: int
    source: int
    flags: tuple[float, ...]


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


def find_pairs(moment: Moment, flow: str, message: str) -> list[Pair]:
    """The pairs with a value of the slot's kind; the message is normalised."""
    return [
        pair
        for place, slot in enumerate(moment.slots)
        if flow in slot.flows
        for pair in _iter_pairs(place, slot, moment, flow, message)
    ]


def _iter_pairs(
    place: int, slot: MomentSlot, moment: Moment, flow: str, message: str
) -> Iterator[Pair]:
    fitting = [n for n, source in enumerate(moment.sources) if may_carry(slot, source)]
    different = {format_words(moment.sources[n].value) for n in fitting}
    requested, required, filled = slot.flags[0], slot.flags[7], slot.flags[5]
    for order, number in enumerate(fitting):
        source = moment.sources[number]
        flags = (
            source.name == slot.name,
            source.text == slot.text,
            source.kind == slot.kind,
            *(source.where == where for where in _WHERE),
            holds_value(message, format_words(source.value)),
            required,
            requested,
            filled,
            source.flow == flow or source.flow in slot.flows,
            1 / (1 + order),
            len(different) == 1,
        )
        yield Pair(place, number, tuple(map(float, flags)))


def may_carry(slot: MomentSlot, source: Source) -> bool:
    """Whether the value is of the slot's kind."""
    if isinstance(source.value, list | tuple | dict):
        return False
    value = format_words(source.value)
    if slot.kind == "choice":
        return any(normalise_author_text(choice.value) == value for choice in slot.choices)
    if slot.kind == "boolean":
        return source.name == slot.name
    counted = value.strip().isdigit() and source.kind == "choice"
    given = ("number" if counted else "text") if source.kind == "choice" else source.kind
    return given == slot.kind
