"""Counters of bounded size: none grows with the number of turns."""

import math
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Final

CAPACITY: Final = 500


class TopCounter:
    """Counts texts with bounded memory (the space-saving algorithm).

    A text that occurs more often than one in `CAPACITY` times is never lost.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._counts: Counter[str] = Counter()
        self.total = 0

    def add(self, text: str) -> None:
        """One more."""
        self.total += 1
        if text not in self._counts and len(self._counts) >= self._capacity:
            rarest = min(self._counts, key=self._counts.__getitem__)
            # The new text takes over the count, so that a frequent text that comes late is kept.
            self._counts[text] = self._counts.pop(rarest)
        self._counts[text] += 1

    def list_most(self, limit: int) -> list[tuple[str, int]]:
        """The most frequent first; those of one count in the order of their letters."""
        ordered = sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))
        return ordered[:limit]


class Histogram:
    """Positive numbers by size, each kept to within five percent."""

    _BASE: Final = 1.1
    _LEAST, _MOST = 1e-6, 1e6

    def __init__(self) -> None:
        self._buckets: Counter[int] = Counter()
        self.total = 0

    def add(self, number: float) -> None:
        """One more."""
        held = min(max(number, self._LEAST), self._MOST) if math.isfinite(number) else self._MOST
        self._buckets[math.floor(math.log(held, self._BASE))] += 1
        self.total += 1

    def compute_percentile(self, share: float) -> float | None:
        """The percentile for `share`; None if there are no numbers."""
        bucket = _find_percentile(self._buckets, share)
        return None if bucket is None else float(self._BASE ** (bucket + 0.5))

    def iter_bars(self, groups: int = 24) -> Iterator[tuple[float, int]]:
        """At most so many groups: the upper bound of each, and its count."""
        if not self._buckets:
            return
        first, last = min(self._buckets), max(self._buckets)
        width = max(1, math.ceil((last - first + 1) / groups))
        for start in range(first, last + 1, width):
            count = sum(self._buckets[at] for at in range(start, start + width))
            yield self._BASE ** (start + width), count


class IntegerHistogram:
    """Whole numbers, exactly, up to a largest one."""

    MOST: Final = 200

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()

    def add(self, number: int) -> None:
        """One more."""
        self.counts[min(number, self.MOST)] += 1

    def compute_percentile(self, share: float) -> int | None:
        """The percentile for `share`."""
        return _find_percentile(self.counts, share)


def _find_percentile(counts: Counter[int], share: float) -> int | None:
    rest = math.ceil(share * counts.total())
    for number in sorted(counts):
        rest -= counts[number]
        if rest <= 0:
            return number
    return None


class Timeline:
    """Counts per day; per two days, four, eight, ... when there are too many."""

    MOST: Final = 120

    def __init__(self) -> None:
        self.days = 1
        """How many days are counted together."""

        self._counts: Counter[int] = Counter()

    def add(self, day: date) -> None:
        """One more."""
        self._counts[day.toordinal() // self.days] += 1
        while self._counts and max(self._counts) - min(self._counts) >= self.MOST:
            self.days *= 2
            merged: Counter[int] = Counter()
            for at, count in self._counts.items():
                merged[at // 2] += count
            self._counts = merged

    def iter_bars(self) -> Iterator[tuple[date, int]]:
        """The first day of each group, empty ones in between included, and how many."""
        if self._counts:
            for at in range(min(self._counts), max(self._counts) + 1):
                yield date.fromordinal(max(1, at * self.days)), self._counts[at]
