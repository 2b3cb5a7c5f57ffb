"""All examples, their texts as numbers of rows, and what the shared layers make of their words."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from benchmarks.understanding.sgd.dialogues import dialogues, schema
from soni.du.encoder.encoder import Encoder
from soni.du.tagger.network import TUNED_LAYERS, VECTOR_SCALE
from tools.tagger.asides import said_aside
from tools.tagger.examples import Example, examples
from tools.tagger.invented import invented
from tools.tagger.remarks import remarked
from tools.tagger.variants import variants

TEXTS = ("slot_texts", "homes", "choice_texts", "flow_texts", "pair_texts")
WORKERS = 2

# So many messages to invented assistants, beside those of the data.
INVENTED = 0.3
# So many times each message that was written by hand.
REMARKED = 6
# And each that answers nothing.
ASIDE = 30


@dataclass
class Corpus:
    """Examples; `vectors` has a row for each text, `forms` other ways to write each text."""

    examples: list[Example]
    vectors: npt.NDArray[np.float32]
    forms: list[list[int]]
    hidden: npt.NDArray[np.float16]
    """After the shared layers: a row for each token of all examples, one after another."""

    offsets: npt.NDArray[np.int64]

    @classmethod
    def load(cls, encoder: Encoder, seed: int, every: int, cache: Path | None) -> Corpus:
        """Make the corpus, or take the one that was made with the same numbers."""
        kept = cache / f"corpus-{seed}-{every}.pickle" if cache else None
        if kept and kept.is_file():
            with kept.open("rb") as file:
                made: Corpus = pickle.load(file)
            return made
        made = cls.make(encoder, seed, every)
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with kept.open("wb") as file:
                pickle.dump(made, file, protocol=5)
        return made

    @classmethod
    def make(cls, encoder: Encoder, seed: int, every: int) -> Corpus:
        """From every so-manieth dialogue of train."""
        with ProcessPoolExecutor(WORKERS) as pool:
            parts = [pool.submit(_part, seed, every, worker) for worker in range(WORKERS)]
            by_hand = [pool.submit(_remarked, seed), pool.submit(_aside, seed)]
            found = _joined(parts)
            made_up = pool.submit(_invented, int(len(found) * INVENTED), seed)
            found += _joined([made_up, *by_hand])
        rows: dict[str, int] = {}
        for one in found:
            for name in TEXTS:
                texts = getattr(one, name)
                setattr(one, name, np.array([_row(rows, text) for text in texts], np.int32))
        varied = {row for one in found for row in (*one.slot_texts, *one.flow_texts, *one.homes)}
        named = list(rows)
        forms = [
            [_row(rows, form) for form in variants(text)] if row in varied else []
            for row, text in enumerate(named)
        ]
        forms += [[] for _ in range(len(rows) - len(forms))]
        vectors = _vectors(list(rows)) * VECTOR_SCALE
        offsets = np.cumsum([0, *(len(one.ids) for one in found)])
        return cls(found, vectors, forms, shared(encoder, found, offsets), offsets)


def shared(encoder: Encoder, found: Sequence[Example], offsets: Any) -> npt.NDArray[np.float16]:
    """What the layers that are not tuned make of each token."""
    from tools.tagger.network import Layer, precision

    layers = [Layer.like(known).eval() for known in encoder.transformer.layers[:-TUNED_LAYERS]]
    given = np.empty((offsets[-1], encoder.transformer.width), dtype=np.float16)
    order = np.argsort([len(one.ids) for one in found], kind="stable")
    for places in _batches(order, 128):
        longest = max(len(found[place].ids) for place in places)
        ids = np.zeros((len(places), longest), dtype=np.int64)
        for row, place in zip(ids, places, strict=True):
            row[: len(found[place].ids)] = found[place].ids
        seen = torch.from_numpy(np.arange(longest) < [[len(found[p].ids)] for p in places])
        hidden = torch.from_numpy(encoder.transformer.embed_tokens(ids))
        barred = torch.where(seen, 0.0, -1e4)[:, None, None]
        with torch.inference_mode(), precision():
            for layer in layers:
                hidden = layer(hidden, barred)
        for row, place in zip(hidden.half().numpy(), places, strict=True):
            given[offsets[place] : offsets[place + 1]] = row[: len(found[place].ids)]
    return given


def _part(seed: int, every: int, worker: int) -> list[Example]:
    services, wordpiece = schema("train"), Encoder.load().wordpiece
    return [
        one
        for number, dialogue in enumerate(dialogues("train"))
        if number % every == 0 and number // every % WORKERS == worker
        for one in examples(dialogue, services, wordpiece, seed)
    ]


def _invented(count: int, seed: int) -> list[Example]:
    return list(invented(count, Encoder.load().wordpiece, seed))


def _remarked(seed: int) -> list[Example]:
    return list(remarked(REMARKED, Encoder.load().wordpiece, seed))


def _aside(seed: int) -> list[Example]:
    return list(said_aside(ASIDE, Encoder.load().wordpiece, seed))


def _joined(parts: Sequence[Future[list[Example]]]) -> list[Example]:
    return [one for part in parts for one in part.result()]


def _vectors(texts: list[str]) -> npt.NDArray[np.float32]:
    """The sentence vectors of texts, by several processes."""
    parts = np.array_split(np.array(texts, dtype=object), WORKERS)
    with ProcessPoolExecutor(WORKERS) as pool:
        return np.concatenate(list(pool.map(_encoded, parts)))


def _encoded(texts: npt.NDArray[np.object_]) -> npt.NDArray[np.float32]:
    return Encoder.load().encode(list(texts), tokens=48)


def _row(rows: dict[str, int], text: str) -> int:
    return rows.setdefault(text, len(rows))


def _batches(order: Any, size: int) -> Iterator[Any]:
    for start in range(0, len(order), size):
        yield order[start : start + size]
