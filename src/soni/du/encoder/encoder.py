"""Sentences as vectors: what means the same points the same way."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from soni.du.encoder.sentence import Sentence
from soni.du.encoder.transformer import Transformer
from soni.du.encoder.weights import Floats, Weights, WeightsError
from soni.du.encoder.wordpiece import WordPiece

MODEL = Path(__file__).parent / "model"
WEIGHTS = "encoder.safetensors"
VOCABULARY = "vocab.txt"

# As many tokens as the model was trained with; what comes later is not read.
_TOKENS = 256

# More at once are not faster, and need more memory.
_BATCH = 32

_Read = tuple[list[int], list[list[int]], Floats, npt.NDArray[np.bool_]]


class Encoder:
    """A sentence model that needs neither network nor compiler. Safe in many threads."""

    def __init__(self, weights: Weights, vocabulary: Sequence[str]) -> None:
        self.version = weights.about["version"]
        self.wordpiece = WordPiece(vocabulary)
        self.transformer = Transformer(weights)

    @classmethod
    def load(cls, folder: Path = MODEL) -> "Encoder":
        """The model of a folder, by default the one Soni comes with."""
        try:
            words = (folder / VOCABULARY).read_text(encoding="utf-8")
        except OSError as error:
            raise WeightsError.unreadable(folder / VOCABULARY, error) from error
        # Not splitlines: other characters that end a line are words of the vocabulary.
        return cls(Weights.read(folder / WEIGHTS), words.rstrip("\n").split("\n"))

    def encode(self, texts: Sequence[str], *, tokens: int = _TOKENS) -> Floats:
        """One row for each text, of length 1: the product of two is their similarity."""
        vectors = np.empty((len(texts), self.transformer.width), dtype=np.float32)
        for places, _, hidden, seen in self._read(texts, tokens):
            vectors[places] = pool_tokens(hidden, seen)
        return vectors

    def sentences(self, texts: Sequence[str], *, tokens: int = _TOKENS) -> list[Sentence]:
        """Each text as one vector and as the vectors of its pieces."""
        made: dict[int, Sentence] = {}
        for places, ids, hidden, seen in self._read(texts, tokens):
            for place, vector, one, rows in zip(
                places, pool_tokens(hidden, seen), ids, hidden, strict=True
            ):
                # The marks of beginning and end are no words.
                words = rows[1 : len(one) - 1]
                words = words / np.linalg.norm(words, axis=1, keepdims=True)
                made[place] = Sentence(vector, tuple(one[1:-1]), words.astype(np.float16))
        return [made[place] for place in range(len(texts))]

    def _read(self, texts: Sequence[str], tokens: int) -> Iterator[_Read]:
        """Batches: the places of their texts, the pieces, what the model makes of them."""
        limit = min(tokens, self.transformer.reach)
        every = [self.wordpiece.ids(text, limit) for text in texts]
        for places in _batches([len(one) for one in every]):
            ids = [every[place] for place in places]
            longest = max(map(len, ids))
            padded = np.full((len(ids), longest), self.wordpiece.padding, dtype=np.int64)
            for row, one in zip(padded, ids, strict=True):
                row[: len(one)] = one
            seen = np.arange(longest) < np.array([[len(one)] for one in ids])
            yield places, ids, self.transformer(padded, seen), seen


def pool_tokens(hidden: Floats, seen: npt.NDArray[np.bool_]) -> Floats:
    """The mean of the tokens that are there, brought to length 1."""
    mean: Floats = (hidden * seen[..., None]).sum(axis=1) / seen.sum(axis=1, keepdims=True)
    mean /= np.linalg.norm(mean, axis=1, keepdims=True)
    return mean.astype(np.float32)


def _batches(lengths: list[int]) -> Iterator[list[int]]:
    """Texts of like length together, so that little is padded."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for start in range(0, len(order), _BATCH):
        yield order[start : start + _BATCH]
