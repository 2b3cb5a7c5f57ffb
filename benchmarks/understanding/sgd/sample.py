"""A few dialogues of many: the same ones every time, of all services and of each number of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256

from benchmarks.understanding.sgd.dialogues import Dialogue


def sample(found: Iterable[Dialogue], count: int) -> list[Dialogue]:
    """So many dialogues, turn about about one service and about several.

    Each is the one whose services were taken least so far; the first few of a sample are the
    sample of so many.
    """
    left = sorted(found, key=_rank)
    taken: list[Dialogue] = []
    uses: Counter[str] = Counter()
    while left and len(taken) < count:
        several = len(taken) % 2 == 1
        fitting = [each for each in left if (len(each.services) > 1) is several] or left
        # The first of those that are alike: by rank.
        next_one = min(fitting, key=lambda each: _used(each, uses))
        left.remove(next_one)
        taken.append(next_one)
        uses.update(next_one.services)
    return taken


def _rank(dialogue: Dialogue) -> bytes:
    # Not the byte that divides the halves alone: the whole digest, behind a word of its own.
    return sha256(f"sample {dialogue.id}".encode()).digest()


def _used(dialogue: Dialogue, uses: Counter[str]) -> float:
    return sum(uses[name] for name in dialogue.services) / len(dialogue.services)
