"""What somebody does with a short message, whatever the assistant is about."""

from collections.abc import Mapping
from pathlib import Path

from soni.du.encoder.softmax import softmax
from soni.du.encoder.weights import Floats, Weights

FILE = Path(__file__).parent / "model" / "acts.safetensors"

ACTS = (
    *("affirm", "deny", "cancel", "resume", "human", "repeat", "skip", "pause", "ask", "chat"),
    *("foreign", "other"),
)


class Acts:
    """Tells the acts apart by a sentence's vector. tools/acts.py makes its numbers."""

    def __init__(self, weights: Weights) -> None:
        self.version = weights.about["version"]
        self._matrix, self._bias = weights["matrix"], weights["bias"]

    @classmethod
    def load(cls, file: Path = FILE) -> "Acts":
        """The numbers Soni comes with."""
        return cls(Weights.read(file))

    def of(self, vector: Floats) -> Mapping[str, float]:
        """How likely each act is."""
        likely = softmax(vector @ self._matrix + self._bias)
        return dict(zip(ACTS, likely.tolist(), strict=True))
