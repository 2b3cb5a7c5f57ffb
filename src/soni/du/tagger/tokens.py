"""Tokens: the tagger's texts as ids, the end of the system's and the start of the user's."""

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
import numpy.typing as npt

from soni.du.encoder.encoder import Encoder
from soni.du.encoder.weights import Floats
from soni.du.encoder.wordpiece import Piece, WordPiece
from soni.du.tagger.mentions import normalise_words
from soni.du.tagger.network import VECTOR_SCALE

MAX_SYSTEM_PIECES = 40
MAX_USER_PIECES = 72
SHAPE_NAMES = ("user", "begins", "digit", "capital", "capitals", "sign", "counted", "currency")

_MAX_TOKENS = 48
# About 50 MB: the names of every town that a large assistant may be asked about.
_MAX_TEXTS = 1 << 15

_CURRENCY = re.compile(r"[$€£¥]")


@dataclass(frozen=True)
class Tokens:
    """`[CLS] system [SEP] user [SEP]` as numbers."""

    ids: npt.NDArray[np.int64]
    shapes: Floats
    """Features that the vocabulary lacks: capitals, digits, whose words they are."""

    first: int
    """Where the user's pieces begin."""

    pieces: tuple[Piece, ...]
    """The user's, with their places in the message."""


def make_tokens(wordpiece: WordPiece, system: str, message: str) -> Tokens:
    """The end of what the system said, and the beginning of the message."""
    before = wordpiece.split_text(system)[-MAX_SYSTEM_PIECES:]
    pieces = wordpiece.split_text(message)[:MAX_USER_PIECES]
    first = len(before) + 2
    numbers = [
        wordpiece.start,
        *(piece.id for piece in before),
        wordpiece.stop,
        *(piece.id for piece in pieces),
        wordpiece.stop,
    ]
    shapes = np.zeros((len(numbers), len(SHAPE_NAMES)), dtype=np.float32)
    _fill_shapes(shapes[1 : first - 1], before, system)
    _fill_shapes(shapes[first:-1], pieces, message)
    shapes[first:-1, 0] = 1
    return Tokens(np.array(numbers, dtype=np.int64), shapes, first, tuple(pieces))


def _fill_shapes(shapes: Floats, pieces: Sequence[Piece], text: str) -> None:
    ended = -1
    for row, piece in zip(shapes, pieces, strict=True):
        said = text[piece.start : piece.end]
        row[1] = piece.start != ended
        row[2] = any(letter.isdigit() for letter in said)
        row[3] = said[:1].isupper()
        row[4] = len(said) > 1 and said.isupper()
        row[5] = not any(letter.isalnum() for letter in said)
        row[6] = normalise_words(said).strip().isdigit()
        row[7] = bool(_CURRENCY.search(said))
        ended = piece.end


class VectorCache:
    """An LRU cache of sentence vectors, scaled for the network. Thread-safe."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: OrderedDict[str, Floats] = OrderedDict()
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> Floats:
        """A row for each text."""
        if not texts:
            return np.zeros((0, self._encoder.transformer.width), dtype=np.float32)
        with self._lock:
            rows = {text: self._known[text] for text in texts if text in self._known}
        new = [text for text in dict.fromkeys(texts) if text not in rows]
        if new:
            vectors = self._encoder.encode(new, tokens=_MAX_TOKENS) * VECTOR_SCALE
            rows.update(zip(new, vectors, strict=True))
        self.add(rows)
        return np.array([rows[text] for text in texts], dtype=np.float32)

    def add(self, rows: Mapping[str, Floats]) -> None:
        """Take in texts that were encoded before, by the same model."""
        with self._lock:
            self._known.update(rows)
            for text in rows:
                self._known.move_to_end(text)
            while len(self._known) > _MAX_TEXTS:
                self._known.popitem(last=False)
