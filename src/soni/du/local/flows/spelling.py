"""How alike texts are letter by letter: what a misspelt word still has of the right one."""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from zlib import crc32

import numpy as np
import numpy.typing as npt

from soni.du.encoder.weights import Floats

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
# Shorter runs of letters are in every word; longer ones break at every typo.
_RUNS = (3, 4)
# Nobody needs more words to say what they want, and time must not grow with a message.
_WORDS = 64
# Numbers of a sketch: as many again make no choice better.
SKETCH = 256

Places = dict[str, tuple[npt.NDArray[np.intp], Floats]]


class Spelling:
    """Groups of texts, and how much another text shares with the spelling of each.

    The usual measure for it: words and runs of letters counted for more the rarer they are, and
    the cosine between a text and the sum of a group.
    """

    def __init__(
        self, texts: Sequence[str], groups: Sequence[int], weights: Sequence[float]
    ) -> None:
        counts = [_counts(text) for text in texts]
        self._seen = Counter(piece for one in counts for piece in one)
        self._texts = len(texts)
        sums: defaultdict[int, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
        for group, weight, one in zip(groups, weights, counts, strict=True):
            for piece, value in self._row(one).items():
                sums[group][piece] += weight * value
        self._size = max(groups, default=-1) + 1
        self._places = _places({group: _of_length_1(row) for group, row in sums.items()})

    def likeness(self, text: str) -> Floats:
        """Of each group, from 0 to 1."""
        found = np.zeros(self._size, dtype=np.float32)
        for piece, value in self._row(_counts(text)).items():
            if piece in self._places:
                groups, shares = self._places[piece]
                found[groups] += np.float32(value) * shares
        return found

    def sketch(self, text: str) -> Floats:
        """The text as a short row: the product of two is about their cosine."""
        found = np.zeros(SKETCH, dtype=np.float32)
        for piece, value in self._row(_counts(text)).items():
            # Not hash(), which differs from run to run.
            place, odd = divmod(crc32(piece.encode()), 2)
            found[place % SKETCH] += -value if odd else value
        return found

    def _row(self, counts: Mapping[str, int]) -> dict[str, float]:
        return _of_length_1(
            {piece: (1 + math.log(count)) * self._rarity(piece) for piece, count in counts.items()}
        )

    def _rarity(self, piece: str) -> float:
        return 1 + math.log((1 + self._texts) / (1 + self._seen[piece]))


def _of_length_1(row: Mapping[str, float]) -> dict[str, float]:
    length = math.sqrt(sum(value * value for value in row.values()))
    return {piece: value / length for piece, value in row.items()}


def _places(rows: Mapping[int, Mapping[str, float]]) -> Places:
    """Of each piece, the groups that have it, and how much."""
    found: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for group, row in rows.items():
        for piece, value in row.items():
            found[piece].append((group, value))
    return {
        piece: (np.array([g for g, _ in has]), np.array([v for _, v in has], dtype=np.float32))
        for piece, has in found.items()
    }


def _counts(text: str) -> Counter[str]:
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text).casefold()
        if not unicodedata.combining(letter)
    )
    return Counter(_pieces(_WORD.findall(plain)[:_WORDS]))


def _pieces(words: Sequence[str]) -> Iterator[str]:
    for one, other in pairwise(words):
        yield f"{one} {other}"
    for word in words:
        yield word
        whole = f"<{word[:_WORDS]}>"
        for run in _RUNS:
            for start in range(len(whole) - run + 1):
                yield whole[start : start + run]
