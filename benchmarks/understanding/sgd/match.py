"""Whether a value is right, as the data's official evaluation has it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

# From here on a value counts as the one that was meant.
AGREES = 0.9


def score(slot: Mapping[str, Any], right: Sequence[str], value: str) -> float:
    """1 for a right value: exactly for one of a list, else as alike as the words are."""
    if slot["is_categorical"]:
        return float(value == right[0])
    return max(alike(each, value) for each in right)


def alike(one: str, other: str) -> float:
    """The fuzzy token-sort ratio: how alike the sorted words of two texts are."""
    return _ratio(_tokens(one), _tokens(other))


def _tokens(text: str) -> str:
    return " ".join(sorted(re.sub(r"\W|_", " ", text.lower()).split()))


@lru_cache(maxsize=65536)
def _ratio(one: str, other: str) -> float:
    """Twice the longest common subsequence over both lengths, in hundredths as the original."""
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    row = [0] * (len(other) + 1)
    for sign in one:
        before = 0
        for at, same in enumerate(other, 1):
            kept, row[at] = row[at], before + 1 if sign == same else max(row[at], row[at - 1])
            before = kept
    return round(200 * row[-1] / (len(one) + len(other))) / 100
