"""Share: how many of how many, and how sure that is."""

from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

_Z: Final = 1.959964
"""How many standard deviations to each side hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class Share:
    """A part of a whole."""

    count: int
    total: int

    @property
    def value(self) -> float | None:
        """The share itself; None: there is nothing to divide by."""
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the share of all such sentences lies, with 95 % confidence (Wilson's interval)."""
        if not self.total:
            return None
        share, n = self.count / self.total, self.total
        middle = share + _Z**2 / (2 * n)
        wide = _Z * sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
        whole = 1 + _Z**2 / n
        return round((middle - wide) / whole, 9), round((middle + wide) / whole, 9)

    def plain(self) -> dict[str, Any]:
        """As data."""
        return {"count": self.count, "total": self.total, "share": self.value}
