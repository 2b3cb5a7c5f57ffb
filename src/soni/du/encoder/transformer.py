"""The transformer: token ids in, one vector for each token out."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from soni.du.encoder.weights import Floats, Weights, scale_rows, softmax

# As the model was trained; the shapes of its tensors do not tell it.
HEADS = 12
_EPSILON = 1e-12

# Added to the attention scores of padding, so that nothing attends to it.
_MASKED_SCORE = -1e9


@dataclass(frozen=True)
class Linear:
    """A linear layer."""

    matrix: Floats
    bias: Floats

    @classmethod
    def load(cls, weights: Weights, name: str) -> "Linear":
        """Load it transposed: short sentences are multiplied twice as fast."""
        return cls(np.ascontiguousarray(weights.dequantise(name).T), weights[f"{name}.bias"])

    def __call__(self, hidden: Floats) -> Floats:
        # One product for all texts of a batch.
        given: Floats = hidden.reshape(-1, len(self.matrix)) @ self.matrix
        given += self.bias
        return given.reshape(*hidden.shape[:-1], -1)


@dataclass(frozen=True)
class Norm:
    """Layer normalisation."""

    weight: Floats
    bias: Floats

    @classmethod
    def load(cls, weights: Weights, name: str) -> "Norm":
        """The norm of that name."""
        return cls(weights[f"{name}.weight"], weights[f"{name}.bias"])

    def __call__(self, hidden: Floats) -> Floats:
        given: Floats = hidden - hidden.mean(axis=-1, keepdims=True)
        variance = np.square(given).mean(axis=-1, keepdims=True)
        given *= 1 / np.sqrt(variance + np.float32(_EPSILON))
        given *= self.weight
        given += self.bias
        return given


@dataclass(frozen=True)
class Layer:
    """Self-attention and a feed-forward network, each with its residual and norm."""

    attention: Linear
    """Query, key and value, side by side."""

    joined: Linear
    joined_norm: Norm
    wide: Linear
    narrow: Linear
    narrow_norm: Norm

    @classmethod
    def load(cls, weights: Weights, number: int) -> "Layer":
        """The layer of that number, from 0."""
        at = f"layer.{number}"
        return cls(
            Linear.load(weights, f"{at}.attention"),
            Linear.load(weights, f"{at}.joined"),
            Norm.load(weights, f"{at}.joined_norm"),
            Linear.load(weights, f"{at}.wide"),
            Linear.load(weights, f"{at}.narrow"),
            Norm.load(weights, f"{at}.narrow_norm"),
        )

    def __call__(self, hidden: Floats, barred: Floats) -> Floats:
        looked = self.joined(_attend(self.attention(hidden), barred))
        looked += hidden
        hidden = self.joined_norm(looked)
        thought = self.narrow(_gelu(self.wide(hidden)))
        thought += hidden
        return self.narrow_norm(thought)


class Transformer:
    """The embeddings and the layers of the model. Thread-safe."""

    def __init__(self, weights: Weights) -> None:
        # Embeddings stay quantised in the mapped file, since a sentence needs few of them.
        self._words = weights["words"]
        self._scales = weights["words.scale"]
        # Texts are never pairs, so the first segment's embedding is added to every position.
        self._positions = weights.dequantise("positions") + weights["first_part"]
        self._norm = Norm.load(weights, "words_norm")
        self.layers = tuple(Layer.load(weights, n) for n in range(int(weights.about["layers"])))

    @property
    def max_tokens(self) -> int:
        """The most tokens in a text."""
        return len(self._positions)

    @property
    def width(self) -> int:
        """The dimension of a vector."""
        return int(self._positions.shape[1])

    def embed_tokens(self, ids: npt.NDArray[np.int64]) -> Floats:
        """The embeddings of tokens: (texts, tokens, width)."""
        given = scale_rows(self._words[ids], self._scales[ids])
        given += self._positions[: ids.shape[1]]
        return self._norm(given)

    def __call__(self, ids: npt.NDArray[np.int64], seen: npt.NDArray[np.bool_]) -> Floats:
        """The hidden states after all layers; `seen` is false for padding."""
        hidden = self.embed_tokens(ids)
        barred = np.where(seen, 0, _MASKED_SCORE).astype(np.float32)[:, None, None, :]
        for layer in self.layers:
            hidden = layer(hidden, barred)
        return hidden


def run_layers(layers: Sequence[Layer], hidden: Floats) -> Floats:
    """The hidden states of one text after these layers: (tokens, width)."""
    hidden, barred = hidden[None], np.zeros(1, dtype=np.float32)
    for layer in layers:
        hidden = layer(hidden, barred)
    read: Floats = hidden[0]
    return read


def _attend(three: Floats, barred: Floats) -> Floats:
    texts, tokens, width = three.shape
    width //= 3
    split = three.reshape(texts, tokens, 3, HEADS, width // HEADS)
    query, key, value = split.transpose(2, 0, 3, 1, 4)
    scores = query @ key.swapaxes(-1, -2)
    scores *= 1 / sqrt(width // HEADS)
    scores += barred
    mixed: Floats = softmax(scores) @ value
    return mixed.transpose(0, 2, 1, 3).reshape(texts, tokens, width)


def _gelu(given: Floats) -> Floats:
    """The tanh approximation, within 0.0005 of the exact value: numpy has no erf."""
    inner = given * given
    inner *= 0.044715
    inner += 1
    inner *= given
    inner *= sqrt(2 / np.pi)
    np.tanh(inner, out=inner)
    inner += 1
    inner *= given
    inner *= 0.5
    return inner
