"""What a message has in common with each flow: meaning, spelling, and what tells flows apart."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from soni.du.context import FlowBrief
from soni.du.encoder.sentence import Read, Sentence
from soni.du.encoder.weights import Floats
from soni.du.local.flows.calibration import CENTROID, LOGISTIC
from soni.du.local.flows.logistic import fit_logistic
from soni.du.local.flows.spelling import Spelling
from soni.du.local.flows.typos import Typos
from soni.du.local.flows.wordings import Wordings

# A name or a description says less of what people say than an example does.
_NAME = _DESCRIPTION = 0.5
# How much letters count beside meaning where flows are told apart.
_LETTERS = np.float32(0.3)
# With fewer texts for a flow, a regression has nothing to learn from.
_ENOUGH = 2.0
# Texts times flows. Beyond it fitting would take a second.
_AFFORDABLE = 300_000
_WORDS = re.compile(r"[^\W_]+")
# "FindRestaurants" is two words.
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

PARTS = ("logistic", "spelling", "centroid", "nearest", "wordings")
NEAREST = PARTS.index("nearest")


class Likeness:
    """A set of flows, made ready to be compared with messages. Safe in many threads."""

    def __init__(self, flows: Sequence[FlowBrief], read: Read) -> None:
        rows = [(n, text, weight) for n, flow in enumerate(flows) for text, weight in _texts(flow)]
        self._texts = [text for _, text, _ in rows]
        self._flows = np.array([n for n, _, _ in rows], dtype=np.intp)
        self._weights = np.array([weight for _, _, weight in rows], dtype=np.float32)
        self._starts = np.searchsorted(self._flows, np.arange(len(flows)))
        sentences = read(self._texts)
        self._vectors = np.array([one.vector for one in sentences], dtype=np.float32)
        sums = np.add.reduceat(self._vectors * self._weights[:, None], self._starts)
        self._centroids = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        self.texts: Floats = np.add.reduceat(self._weights, self._starts)
        several = len(flows) > 1 and self.texts.mean() >= _ENOUGH
        self.way = LOGISTIC if several and len(rows) * len(flows) <= _AFFORDABLE else CENTROID
        # Their pieces are many: only as many texts as a regression can be fitted to are kept so.
        self._wordings = Wordings(sentences, self._flows) if self.way is LOGISTIC else None

    @property
    def size(self) -> int:
        """How many vectors are held."""
        return len(self._texts) + (self._wordings.size if self._wordings is not None else 0)

    def parts(self, said: Sentence, message: str) -> Floats:
        """A row for each flow, its columns as PARTS names them."""
        vector = said.vector
        told_apart = worded = np.zeros(len(self._centroids), dtype=np.float32)
        if self._wordings is not None:
            inputs = np.concatenate([vector, _LETTERS * self._spelling.sketch(message)])
            told_apart = inputs @ self._columns[:-1] + self._columns[-1]
            worded = self._wordings.likeness(said)
        spelt = self._spelling.likeness(message)
        like = self._centroids @ vector
        return np.stack([told_apart, spelt, like, self.nearest(vector), worded], axis=1)

    def nearest(self, vector: Floats) -> Floats:
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
        inputs = np.hstack([self._vectors, _LETTERS * self._spelling.sketches()])
        return fit_logistic(inputs, self._flows, shares)

    @cached_property
    def _spelling(self) -> Spelling:
        return Spelling(self._texts, self._flows.tolist(), self._weights.tolist())

    @cached_property
    def _typos(self) -> Typos:
        return Typos(self._texts)


def _texts(flow: FlowBrief) -> Iterator[tuple[str, float]]:
    """What is told of a flow, and how much each counts."""
    yield " ".join(_WORDS.findall(_HUMP.sub(" ", flow.name))).lower(), _NAME
    if flow.description:
        yield flow.description, _DESCRIPTION
    for example in flow.examples:
        yield example, 1.0
