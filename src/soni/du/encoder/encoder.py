"""Encoder: sentences as vectors; similar meanings have a high cosine."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from soni.du.encoder.sentence import Sentence
from soni.du.encoder.transformer import Transformer
from soni.du.encoder.weights import Floats, Weights, WeightsError
from soni.du.encoder.wordpiece import WordPiece

MODEL_FOLDER = Path(__file__).parent / "model"
WEIGHTS_FILE = "encoder.safetensors"
VOCABULARY_FILE = "vocab.txt"

# The model was trained with so many tokens; a longer text is cut.
_MAX_TOKENS = 256

# Larger batches are not faster, and need more memory.
_BATCH_SIZE = 32

_Batch = tuple[list[int], list[list[int]], Floats, npt.NDArray[np.bool_]]


class Encoder:
    """The sentence model that comes with Soni, in numpy. Thread-safe.

    Example:

        vectors = Encoder.load().encode(["book a table", "reserve a table"])
        similarity = vectors[0] @ vectors[1]
    """

    def __init__(self, weights: Weights, vocabulary: Sequence[str]) -> None:
        self.version = weights.about["version"]
        self.wordpiece = WordPiece(vocabulary)
        self.transformer = Transformer(weights)

    @classmethod
    def load(cls, folder: Path = MODEL_FOLDER) -> "Encoder":
        """Load the model of a folder, by default the one that comes with Soni."""
        try:
            words = (folder / VOCABULARY_FILE).read_text(encoding="utf-8")
        except OSError as error:
            raise WeightsError.for_unreadable_file(folder / VOCABULARY_FILE, error) from error
        # Not splitlines: the vocabulary has words that are line separators to Python.
        return cls(Weights.read(folder / WEIGHTS_FILE), words.rstrip("\n").split("\n"))

    def encode(self, texts: Sequence[str], *, tokens: int = _MAX_TOKENS) -> Floats:
        """A unit vector for each text: the product of two is their similarity."""
        vectors = np.empty((len(texts), self.transformer.width), dtype=np.float32)
        for places, _, hidden, seen in self._encode_batches(texts, tokens):
            vectors[places] = pool_tokens(hidden, seen)
        return vectors

    def encode_sentences(
        self, texts: Sequence[str], *, tokens: int = _MAX_TOKENS
    ) -> list[Sentence]:
        """For each text its vector and the vectors of its pieces."""
        made: dict[int, Sentence] = {}
        for places, ids, hidden, seen in self._encode_batches(texts, tokens):
            for place, vector, one, rows in zip(
                places, pool_tokens(hidden, seen), ids, hidden, strict=True
            ):
                # Without [CLS] and [SEP].
                words = rows[1 : len(one) - 1]
                words = words / np.linalg.norm(words, axis=1, keepdims=True)
                made[place] = Sentence(vector, tuple(one[1:-1]), words.astype(np.float16))
        return [made[place] for place in range(len(texts))]

    def _encode_batches(self, texts: Sequence[str], tokens: int) -> Iterator[_Batch]:
        """Batches: the indexes of their texts, the token ids, the hidden states, the mask."""
        limit = min(tokens, self.transformer.max_tokens)
        every = [self.wordpiece.encode_text(text, limit) for text in texts]
        for places in _iter_batches([len(one) for one in every]):
            ids = [every[place] for place in places]
            longest = max(map(len, ids))
            padded = np.full((len(ids), longest), self.wordpiece.padding, dtype=np.int64)
            for row, one in zip(padded, ids, strict=True):
                row[: len(one)] = one
            seen = np.arange(longest) < np.array([[len(one)] for one in ids])
            yield places, ids, self.transformer(padded, seen), seen


def pool_tokens(hidden: Floats, seen: npt.NDArray[np.bool_]) -> Floats:
    """The mean of the tokens without padding, as a unit vector."""
    mean: Floats = (hidden * seen[..., None]).sum(axis=1) / seen.sum(axis=1, keepdims=True)
    mean /= np.linalg.norm(mean, axis=1, keepdims=True)
    return mean.astype(np.float32)


def _iter_batches(lengths: list[int]) -> Iterator[list[int]]:
    """Indexes in batches of similar length, so that little is padded."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for start in range(0, len(order), _BATCH_SIZE):
        yield order[start : start + _BATCH_SIZE]
