"""How much of what is said flows have words for, each word by its sense in its sentence."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from soni.du.encoder.sentence import Sentence
from soni.du.encoder.weights import Floats

# What every text has still says a little.
_LEAST = 0.05
_COMMON = 0.1


class Wordings:
    """The pieces of all texts of some flows. Each piece of a message looks for the one most like it
    among those of a flow; rare pieces count for more.
    """

    def __init__(self, texts: Sequence[Sentence], flows: npt.NDArray[np.intp]) -> None:
        """`flows` has for each text the place of its flow, in order."""
        self._seen = Counter(piece for text in texts for piece in set(text.pieces))
        self._texts = len(texts)
        rows = [text.words.astype(np.float32) for text in texts]
        self._words = np.concatenate(rows)
        of = np.repeat(flows, [len(row) for row in rows])
        self._flows, self._starts = np.unique(of, return_index=True)
        self._count = int(flows.max()) + 1

    @property
    def size(self) -> int:
        """How many pieces there are."""
        return len(self._words)

    def likeness(self, said: Sentence) -> Floats:
        """Of each flow, about 0 to 1."""
        found = np.zeros(self._count, dtype=np.float32)
        if said.pieces and len(self._flows):
            near = np.maximum.reduceat(
                said.words.astype(np.float32) @ self._words.T, self._starts, axis=1
            )
            weights = np.array([self._rarity(piece) for piece in said.pieces], dtype=np.float32)
            found[self._flows] = weights @ near / weights.sum()
        return found

    def _rarity(self, piece: int) -> float:
        return max(_LEAST, _COMMON + math.log(self._texts / (1 + self._seen[piece])))
