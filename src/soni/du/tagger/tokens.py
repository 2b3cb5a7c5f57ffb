"""A moment's texts as the network reads them: the system's last words, then the user's."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from soni.du.encoder.weights import Floats
from soni.du.encoder.wordpiece import Piece, WordPiece
from soni.du.tagger.mentions import normalise_words

SYSTEM = 40
USER = 72
SHAPES = ("user", "begins", "digit", "capital", "capitals", "sign", "counted", "currency")

_CURRENCY = re.compile(r"[$€£¥]")


@dataclass(frozen=True)
class Tokens:
    """`[CLS] system [SEP] user [SEP]` as numbers."""

    ids: npt.NDArray[np.int64]
    shapes: Floats
    """What the model's vocabulary does not tell: capitals, digits, whose words they are."""

    first: int
    """Where the user's pieces begin."""

    pieces: tuple[Piece, ...]
    """The user's, with their places in the message."""


def tokens_of(wordpiece: WordPiece, system: str, message: str) -> Tokens:
    """The end of what the system said, and the beginning of the message."""
    before = wordpiece.pieces(system)[-SYSTEM:]
    pieces = wordpiece.pieces(message)[:USER]
    first = len(before) + 2
    numbers = [
        wordpiece.start,
        *(piece.id for piece in before),
        wordpiece.stop,
        *(piece.id for piece in pieces),
        wordpiece.stop,
    ]
    shapes = np.zeros((len(numbers), len(SHAPES)), dtype=np.float32)
    _shape(shapes[1 : first - 1], before, system)
    _shape(shapes[first:-1], pieces, message)
    shapes[first:-1, 0] = 1
    return Tokens(np.array(numbers, dtype=np.int64), shapes, first, tuple(pieces))


def _shape(shapes: Floats, pieces: Sequence[Piece], text: str) -> None:
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
