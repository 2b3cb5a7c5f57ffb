"""Similarity of spelling: TF-IDF over words and runs of letters, robust against typos."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from zlib import crc32

import numpy as np
import numpy.typing as npt

from soni.du.encoder.weights import Floats

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
# Shorter runs of letters are in every word; longer ones break at every typo.
_RUN_LENGTHS = (3, 4)
# Nobody needs more words to say what they want, and time must not grow with a message.
_MAX_WORDS = 64
# Numbers of a sketch: as many again make no choice better.
SKETCH_SIZE = 256

Ints = npt.NDArray[np.intp]


class Spelling:
    """Groups of texts, and how much another text shares with the spelling of each.

    TF-IDF: rare words and runs of letters count for more; the measure is the cosine between a
    text and the sum of a group.
    """

    def __init__(
        self, texts: Sequence[str], groups: Sequence[int], weights: Sequence[float]
    ) -> None:
        counts = [_count_pieces(text) for text in texts]
        self._texts = len(texts)
        self._size = max(groups, default=-1) + 1
        every = dict.fromkeys(piece for one in counts for piece in one)
        self._places = {piece: place for place, piece in enumerate(every)}
        # Pieces of all texts one after the other: arrays are much faster than a row for each.
        self._rows = np.repeat(np.arange(len(counts)), [len(one) for one in counts])
        self._pieces = _make_ints(self._places[piece] for one in counts for piece in one)
        seen = np.bincount(self._pieces, minlength=len(every))
        self._rarities: Floats = 1 + np.log((1 + len(texts)) / (1 + seen))
        often = _make_ints(count for one in counts for count in one.values())
        self._values = _normalise_rows(
            (1 + np.log(often)) * self._rarities[self._pieces], self._rows
        )
        self._index_groups(np.asarray(groups, dtype=np.intp), np.asarray(weights))

    def _index_groups(self, groups: Ints, weights: Floats) -> None:
        pairs = self._pieces * self._size + groups[self._rows]
        found, place = np.unique(pairs, return_inverse=True)
        sums = np.bincount(place, weights[self._rows] * self._values).astype(np.float32)
        self._groups = found % max(1, self._size)
        self._shares = _normalise_rows(sums, self._groups).astype(np.float32)
        self._starts = np.searchsorted(found, np.arange(len(self._places) + 1) * self._size)

    def compare_spelling(self, text: str) -> Floats:
        """Of each group, from 0 to 1."""
        found = np.zeros(self._size, dtype=np.float32)
        for piece, value in self._weigh_pieces(_count_pieces(text)).items():
            place = self._places.get(piece)
            if place is not None:
                has = slice(self._starts[place], self._starts[place + 1])
                found[self._groups[has]] += np.float32(value) * self._shares[has]
        return found

    def make_sketch(self, text: str) -> Floats:
        """The text as a short row: the product of two is about their cosine."""
        found = np.zeros(SKETCH_SIZE, dtype=np.float32)
        for piece, value in self._weigh_pieces(_count_pieces(text)).items():
            place, sign = _hash_piece(piece)
            found[place] += sign * value
        return found

    def make_sketches(self) -> Floats:
        """A row for each of the texts."""
        drawn = np.array([_hash_piece(piece) for piece in self._places], dtype=np.intp).reshape(
            -1, 2
        )
        places, signs = drawn[self._pieces].T
        sums = np.bincount(
            self._rows * SKETCH_SIZE + places,
            signs * self._values,
            minlength=self._texts * SKETCH_SIZE,
        )
        return sums.reshape(self._texts, SKETCH_SIZE).astype(np.float32)

    def _weigh_pieces(self, counts: Mapping[str, int]) -> dict[str, float]:
        row = {
            piece: (1 + math.log(count)) * self._weigh_piece(piece)
            for piece, count in counts.items()
        }
        length = math.sqrt(sum(value * value for value in row.values()))
        return {piece: value / length for piece, value in row.items()}

    def _weigh_piece(self, piece: str) -> float:
        place = self._places.get(piece)
        return 1 + math.log(1 + self._texts) if place is None else float(self._rarities[place])


def _hash_piece(piece: str) -> tuple[int, int]:
    """Where a piece stands in a sketch, and whether it counts for or against."""
    # Not hash(), which differs from run to run.
    place, odd = divmod(crc32(piece.encode()), 2)
    return place % SKETCH_SIZE, -1 if odd else 1


def _make_ints(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.intp)


def _normalise_rows(values: Floats, rows: Ints) -> Floats:
    lengths: Floats = np.sqrt(np.bincount(rows, values * values))
    scaled: Floats = values / lengths[rows]
    return scaled


def _count_pieces(text: str) -> Counter[str]:
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text).casefold()
        if not unicodedata.combining(letter)
    )
    return Counter(_iter_pieces(_WORD.findall(plain)[:_MAX_WORDS]))


def _iter_pieces(words: Sequence[str]) -> Iterator[str]:
    for one, other in pairwise(words):
        yield f"{one} {other}"
    for word in words:
        yield word
        whole = f"<{word[:_MAX_WORDS]}>"
        for run in _RUN_LENGTHS:
            for start in range(len(whole) - run + 1):
                yield whole[start : start + run]
