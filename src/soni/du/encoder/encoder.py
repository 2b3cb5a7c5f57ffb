"""Sentences as vectors: what means the same points the same way."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

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
        limit = min(tokens, self.transformer.reach)
        ids = [self.wordpiece.ids(text, limit) for text in texts]
        vectors = np.empty((len(ids), self.transformer.width), dtype=np.float32)
        for places in _batches([len(one) for one in ids]):
            vectors[places] = self._batch([ids[place] for place in places])
        return vectors

    def _batch(self, ids: list[list[int]]) -> Floats:
        longest = max(map(len, ids))
        padded = np.full((len(ids), longest), self.wordpiece.padding, dtype=np.int64)
        for row, one in zip(padded, ids, strict=True):
            row[: len(one)] = one
        lengths = np.array([[len(one)] for one in ids])
        seen = np.arange(longest) < lengths
        return pooled(self.transformer(padded, seen), seen)


def pooled(hidden: Floats, seen: npt.NDArray[np.bool_]) -> Floats:
    """The mean of the tokens that are there, brought to length 1."""
    mean: Floats = (hidden * seen[..., None]).sum(axis=1) / seen.sum(axis=1, keepdims=True)
    mean /= np.linalg.norm(mean, axis=1, keepdims=True)
    return mean.astype(np.float32)


def _batches(lengths: list[int]) -> Iterator[list[int]]:
    """Texts of like length together, so that little is padded."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for start in range(0, len(order), _BATCH):
        yield order[start : start + _BATCH]
