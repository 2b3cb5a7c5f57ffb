"""Examples side by side, each time a little different: fewer slots, other words, missing facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from soni.du.tagger.moment import CHOICE_FLAGS, FLOW_FLAGS, SLOT_FLAGS
from soni.du.tagger.tagger import PAIR_FLAGS
from tools.tagger.corpus import Corpus
from tools.tagger.examples import Example

Dice = np.random.Generator

# Examples of like length go together, but not always the same ones.
POOL = 64

# Vectors of texts are of length 10; an author's own words may point elsewhere by as much.
NOISE = 0.12


def order(corpus: Corpus, size: int, dice: Dice) -> Iterator[npt.NDArray[np.int64]]:
    """The examples of an epoch in batches."""
    lengths = np.diff(corpus.offsets)
    shuffled = dice.permutation(len(lengths))
    batches = []
    for start in range(0, len(shuffled), size * POOL):
        pool = shuffled[start : start + size * POOL]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        batches += [pool[at : at + size] for at in range(0, len(pool), size)]
    for place in dice.permutation(len(batches)):
        yield batches[place]


class Batch:
    """Arrays for the network, and the answers."""

    def __init__(self, corpus: Corpus, places: npt.NDArray[np.int64], dice: Dice) -> None:
        self.corpus, self.dice = corpus, dice
        found = [corpus.examples[place] for place in places]
        kept = [self._kept(one) for one in found]
        flows = [self._kept_flows(one) for one in found]
        self.given: dict[str, Any] = self._tokens(places, found)
        self._slots(found, kept)
        self._flows(found, flows)
        self._choices(found, kept)
        self._pairs(found, kept)
        count, most = self.given["slots"].shape[1], self.given["flows"].shape[1]
        there = np.ones((len(found), count + most + 1), dtype=np.bool_)
        there[:, :count] = np.arange(count) < [[len(one)] for one in kept]
        there[:, count:-1] = np.arange(most) < [[len(one)] for one in flows]
        self.given["there"] = there
        self.given["turn"] = np.stack([one.turn_flags for one in found]).astype(np.float32)
        self.given["acts"] = np.stack([one.acts for one in found]).astype(np.float32)
        self.tensors = {name: torch.from_numpy(value) for name, value in self.given.items()}

    def _kept(self, one: Example) -> npt.NDArray[np.int64]:
        """What is said stays; of the rest some goes, so that small assistants are known too."""
        needed = (one.status > 0) | (one.requested > 0)
        needed[one.pair_slots[one.pair_gold > 0]] = True
        rate = self.dice.choice([0.0, 0.3, 0.6])
        kept: npt.NDArray[np.int64] = np.flatnonzero(
            needed | (self.dice.random(len(needed)) >= rate)
        )
        return kept

    def _kept_flows(self, one: Example) -> npt.NDArray[np.int64]:
        kept = self.dice.random(len(one.flow_texts)) >= self.dice.choice([0.0, 0.0, 0.5])
        if one.flow >= 0:
            kept[one.flow] = True
        return np.flatnonzero(kept)

    def _tokens(self, places: npt.NDArray[np.int64], found: list[Example]) -> dict[str, Any]:
        lengths = [len(one.ids) for one in found]
        longest = max(lengths)
        hidden = np.zeros((len(found), longest, self.corpus.hidden.shape[1]), np.float32)
        shapes = np.zeros((len(found), longest, found[0].shapes.shape[1]), np.float32)
        spoken = np.zeros((len(found), longest), np.bool_)
        for row, (place, one) in enumerate(zip(places, found, strict=True)):
            start, end = self.corpus.offsets[place : place + 2]
            hidden[row, : end - start] = self.corpus.hidden[start:end]
            shapes[row, : end - start] = one.shapes
            spoken[row, one.first : end - start - 1] = True
            if self.dice.random() < 0.3:
                # Many type without capitals.
                shapes[row, :, 3:5] = 0
        seen = np.arange(longest) < np.array(lengths)[:, None]
        return {"hidden": hidden, "shapes": shapes, "seen": seen, "spoken": spoken}

    def _texts(self, rows: npt.NDArray[Any], often: float) -> npt.NDArray[np.int64]:
        """Some texts in other words."""
        changed = rows.astype(np.int64)
        for place in np.flatnonzero(self.dice.random(len(rows)) < often):
            forms = self.corpus.forms[rows[place]]
            if forms:
                changed[place] = forms[self.dice.integers(len(forms))]
        return changed

    def _noisy(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Vectors of texts, in half of the moments a little off."""
        vectors = self.corpus.vectors[rows]
        moved = np.flatnonzero(self.dice.random(len(rows)) < 0.5)
        if len(moved):
            shape = (len(moved), *vectors.shape[1:])
            vectors[moved] += NOISE * self.dice.standard_normal(shape, dtype=np.float32)
        return vectors

    def _slots(self, found: list[Example], kept: list[npt.NDArray[np.int64]]) -> None:
        count, most = len(found), max(1, *map(len, kept))
        texts, homes = np.zeros((2, count, most), np.int64)
        flags = np.zeros((count, most, len(SLOT_FLAGS)), np.float32)
        status = np.full((count, most), -100, np.int64)
        requested = np.full((count, most), -1, np.float32)
        spans = np.full((2, count, most), -100, np.int64)
        for row, (one, mine) in enumerate(zip(found, kept, strict=True)):
            often = self.dice.choice([0.0, 0.0, 0.15, 0.3, 0.9])
            end = len(mine)
            texts[row, :end] = self._texts(one.slot_texts[mine], often)
            homes[row, :end] = self._texts(one.homes[mine], often)
            flags[row, :end] = one.slot_flags[mine]
            if self.dice.random() < 0.1:
                flags[row, :, self.dice.random(len(SLOT_FLAGS)) < 0.3] = 0
            status[row, :end] = one.status[mine]
            requested[row, :end] = one.requested[mine]
            for side in (0, 1):
                place = one.spans[mine, side].astype(np.int64)
                spans[side, row, :end] = np.where(place >= 0, place + one.first, -100)
        self.given |= {"slots": self._noisy(texts), "homes": self._noisy(homes)}
        self.given["slot_flags"] = flags
        self.given |= {"status": status, "requested": requested}
        self.given |= {"starts": spans[0], "ends": spans[1]}

    def _flows(self, found: list[Example], kept: list[npt.NDArray[np.int64]]) -> None:
        count, most = len(found), max(1, *map(len, kept))
        texts = np.zeros((count, most), np.int64)
        flags = np.zeros((count, most, len(FLOW_FLAGS)), np.float32)
        wanted = np.full(count, most, np.int64)
        for row, (one, mine) in enumerate(zip(found, kept, strict=True)):
            mine = self.dice.permutation(mine)
            texts[row, : len(mine)] = self._texts(
                one.flow_texts[mine], self.dice.choice([0.0, 0.0, 0.2, 0.6])
            )
            flags[row, : len(mine)] = one.flow_flags[mine]
            if self.dice.random() < 0.1:
                flags[row, :, self.dice.random(len(FLOW_FLAGS)) < 0.3] = 0
            if one.flow >= 0:
                wanted[row] = np.flatnonzero(mine == one.flow)[0]
        self.given |= {"flows": self._noisy(texts), "flow_flags": flags, "flow": wanted}

    def _choices(self, found: list[Example], kept: list[npt.NDArray[np.int64]]) -> None:
        """Only of slots whose value is said: the others teach nothing."""
        rows, slots, texts, flags, groups, gold = [], [], [], [], [], []
        for row, (one, mine) in enumerate(zip(found, kept, strict=True)):
            for at, slot in enumerate(mine):
                if one.choice[slot] < 0:
                    continue
                listed = np.flatnonzero(one.choice_slots == slot)
                gold.append(len(texts) + int(np.flatnonzero(listed == one.choice[slot])[0]))
                rows += [row] * len(listed)
                slots += [at] * len(listed)
                groups += [len(gold) - 1] * len(listed)
                texts += one.choice_texts[listed].tolist()
                flags += list(one.choice_flags[listed])
        width = len(CHOICE_FLAGS)
        self.given |= {
            "choice_rows": np.array(rows, np.int64),
            "choice_slots": np.array(slots, np.int64),
            "choices": self.corpus.vectors[np.array(texts, np.int64)],
            "choice_flags": np.array(flags, np.float32).reshape(len(rows), width),
            "choice_groups": np.array(groups, np.int64),
            "choice_gold": np.array(gold, np.int64),
        }

    def _pairs(self, found: list[Example], kept: list[npt.NDArray[np.int64]]) -> None:
        rows, slots, targets, sources, flags, gold = [], [], [], [], [], []
        for row, (one, mine) in enumerate(zip(found, kept, strict=True)):
            at = {int(slot): place for place, slot in enumerate(mine)}
            for n, slot in enumerate(one.pair_slots):
                if int(slot) in at:
                    rows.append(row)
                    slots.append(at[int(slot)])
                    targets.append(one.slot_texts[slot])
                    sources.append(one.pair_texts[n])
                    flags.append(one.pair_flags[n])
                    gold.append(one.pair_gold[n])
        vectors = self.corpus.vectors
        self.given |= {
            "pair_rows": np.array(rows, np.int64),
            "pair_slots": np.array(slots, np.int64),
            "pair_targets": vectors[np.array(targets, np.int64)],
            "pair_sources": vectors[np.array(sources, np.int64)],
            "pair_flags": np.array(flags, np.float32).reshape(len(rows), len(PAIR_FLAGS)),
            "pair_gold": np.array(gold, np.float32),
        }
