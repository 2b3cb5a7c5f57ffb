"""Features of likeness between a message and each flow: meaning, spelling, a regression."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from soni.du.context import FlowBrief
from soni.du.encoder.sentence import EncodeTexts, Sentence
from soni.du.encoder.weights import Floats
from soni.du.local.flows.calibration import CENTROID, LOGISTIC, fit_logistic
from soni.du.local.flows.spelling import Spelling

_WORD = re.compile(r"[^\W\d_]+")
# Of three letters, any two words are alike.
_MIN_LENGTH = 4


class Typos:
    """The words that flows are told with, and how people may miss them by a letter."""

    def __init__(self, texts: Iterable[str]) -> None:
        words = {word for text in texts for word in _WORD.findall(text.casefold())}
        self._words = {word for word in words if len(word) >= _MIN_LENGTH}
        # Every word is found by what is left of it when a letter is left out.
        self._left: defaultdict[str, set[str]] = defaultdict(set)
        for word in self._words:
            for rest in _iter_deletions(word):
                self._left[rest].add(word)

    def correct_message(self, message: str, known: Callable[[str], bool]) -> str:
        """The message with words that are not known replaced by the only word they can be."""

        def right(found: re.Match[str]) -> str:
            word = found[0].casefold()
            if len(word) < _MIN_LENGTH or word in self._words or known(word):
                return found[0]
            near = {one for rest in _iter_deletions(word) for one in self._left.get(rest, ())}
            meant = {one for one in near if _is_one_letter_off(word, one)}
            return meant.pop() if len(meant) == 1 else found[0]

        return _WORD.sub(right, message)


# What every text has still says a little.
_MIN_RARITY = 0.05
_COMMON_RARITY = 0.1


class PieceIndex:
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

    def measure_likeness(self, said: Sentence) -> Floats:
        """Of each flow, about 0 to 1."""
        found = np.zeros(self._count, dtype=np.float32)
        if said.pieces and len(self._flows):
            near = np.maximum.reduceat(
                said.words.astype(np.float32) @ self._words.T, self._starts, axis=1
            )
            weights = np.array(
                [self._weigh_piece(piece) for piece in said.pieces], dtype=np.float32
            )
            found[self._flows] = weights @ near / weights.sum()
        return found

    def _weigh_piece(self, piece: int) -> float:
        return max(_MIN_RARITY, _COMMON_RARITY + math.log(self._texts / (1 + self._seen[piece])))


# A name or a description says less of what people say than an example does.
_NAME = _DESCRIPTION = 0.5
# How much letters count beside meaning where flows are told apart.
_LETTER_WEIGHT = np.float32(0.3)
# With fewer texts for a flow, a regression has nothing to learn from.
_MIN_TEXTS = 2.0
# Texts times flows. Beyond it fitting would take a second.
_MAX_FIT_SIZE = 300_000
_WORDS = re.compile(r"[^\W_]+")
# "FindRestaurants" is two words.
_CAMEL_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

FEATURES = ("logistic", "spelling", "centroid", "nearest", "wordings")
NEAREST_COLUMN = FEATURES.index("nearest")


class FlowLikeness:
    """A set of flows, prepared for comparison with messages. Thread-safe."""

    def __init__(self, flows: Sequence[FlowBrief], read: EncodeTexts) -> None:
        rows = [
            (n, text, weight)
            for n, flow in enumerate(flows)
            for text, weight in iter_flow_texts(flow)
        ]
        self._texts = [text for _, text, _ in rows]
        self._flows = np.array([n for n, _, _ in rows], dtype=np.intp)
        self._weights = np.array([weight for _, _, weight in rows], dtype=np.float32)
        self._starts = np.searchsorted(self._flows, np.arange(len(flows)))
        sentences = read(self._texts)
        self._vectors = np.array([one.vector for one in sentences], dtype=np.float32)
        sums = np.add.reduceat(self._vectors * self._weights[:, None], self._starts)
        self._centroids = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        self.texts: Floats = np.add.reduceat(self._weights, self._starts)
        several = len(flows) > 1 and self.texts.mean() >= _MIN_TEXTS
        self.way = LOGISTIC if several and len(rows) * len(flows) <= _MAX_FIT_SIZE else CENTROID
        # Their pieces are many: only as many texts as a regression can be fitted to are kept so.
        self._wordings = PieceIndex(sentences, self._flows) if self.way is LOGISTIC else None

    @property
    def size(self) -> int:
        """How many vectors are held."""
        return len(self._texts) + (self._wordings.size if self._wordings is not None else 0)

    def compute_features(self, said: Sentence, message: str) -> Floats:
        """A row for each flow, its columns as PARTS names them."""
        vector = said.vector
        told_apart = worded = np.zeros(len(self._centroids), dtype=np.float32)
        if self._wordings is not None:
            inputs = np.concatenate([vector, _LETTER_WEIGHT * self._spelling.make_sketch(message)])
            told_apart = inputs @ self._columns[:-1] + self._columns[-1]
            worded = self._wordings.measure_likeness(said)
        spelt = self._spelling.compare_spelling(message)
        like = self._centroids @ vector
        return np.stack([told_apart, spelt, like, self.compare_nearest(vector), worded], axis=1)

    def compare_nearest(self, vector: Floats) -> Floats:
        """Of each flow, the similarity of the text that is most like the message."""
        found: Floats = np.maximum.reduceat(self._vectors @ vector, self._starts)
        return found

    def correct_typos(self, message: str, known: Callable[[str], bool]) -> str:
        """The message with typos in the flows' words put right."""
        return self._typos.correct_message(message, known)

    @cached_property
    def _columns(self) -> Floats:
        # Each flow as likely as the next, however many examples its author thought of.
        shares: Floats = self._weights / self.texts[self._flows] / np.float32(len(self.texts))
        inputs = np.hstack([self._vectors, _LETTER_WEIGHT * self._spelling.make_sketches()])
        return fit_logistic(inputs, self._flows, shares)

    @cached_property
    def _spelling(self) -> Spelling:
        return Spelling(self._texts, self._flows.tolist(), self._weights.tolist())

    @cached_property
    def _typos(self) -> Typos:
        return Typos(self._texts)


def iter_flow_texts(flow: FlowBrief) -> Iterator[tuple[str, float]]:
    """The texts that a flow is known by, and how much each counts."""
    yield " ".join(_WORDS.findall(_CAMEL_BOUNDARY.sub(" ", flow.name))).lower(), _NAME
    if flow.description:
        yield flow.description, _DESCRIPTION
    for example in flow.examples:
        yield example, 1.0


def _iter_deletions(word: str) -> Iterator[str]:
    yield word
    for place in range(len(word)):
        yield word[:place] + word[place + 1 :]


def _is_one_letter_off(one: str, other: str) -> bool:
    """Whether a letter is missing, too many, another, or has changed places with the next."""
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
