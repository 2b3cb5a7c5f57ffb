"""Budget: how many calls of a language model are left."""

from collections.abc import Iterator
from contextlib import contextmanager

from soni.core.errors import SoniError


class BudgetError(SoniError):
    """All calls are spent."""


class Budget:
    """Counts calls, and refuses the one too many before it is made."""

    def __init__(self, calls: int) -> None:
        self.calls = calls
        self.spent = 0
        self.refused = False
        """Whether more was wanted."""

        self._kept = 0

    @property
    def left(self) -> int:
        """The calls that may still be made."""
        return self.calls - self.spent - self._kept

    @contextmanager
    def keep_calls(self, calls: int) -> Iterator[None]:
        """In here so many calls are set aside for later, or more: `keep`."""
        self._kept = calls
        try:
            yield
        finally:
            self._kept, self.refused = 0, False

    def keep(self, calls: int) -> None:
        """Set aside so many, if they are more than before."""
        self._kept = max(self._kept, calls)

    def spend(self) -> None:
        """A call is about to be made."""
        if self.left <= 0:
            self.refused = True
            raise BudgetError(f"the budget of {self.calls} model calls is spent")
        self.spent += 1
