"""What is told of work that takes a while."""

from typing import Protocol


class Progress(Protocol):
    """Somebody who watches."""

    def stage(self, name: str, total: int) -> None:
        """Something begins that has so many parts."""
        ...

    def advance(self) -> None:
        """A part is done."""
        ...

    def note(self, text: str) -> None:
        """Something was found out."""
        ...
