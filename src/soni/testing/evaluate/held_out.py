"""Which half of a set of sentences is for tuning, and which is set apart for measuring."""

from hashlib import sha256
from typing import Literal

Half = Literal["held-out", "tuning"]


def is_held_out(sentence: str) -> bool:
    """Whether a sentence belongs to the half that nobody looks at while tuning.

    It does if the SHA-256 of the sentence, in UTF-8, is an odd number. So the sentence alone
    decides, for good: neither its place nor the other sentences do, nor who asks.
    """
    return sha256(sentence.encode("utf-8")).digest()[-1] % 2 == 1


def belongs(sentence: str, half: Half | None) -> bool:
    """Whether a sentence is of that half; None: all are."""
    return half is None or is_held_out(sentence) == (half == "held-out")
