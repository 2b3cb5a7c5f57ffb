"""The error shared by the small notations an author writes: expressions and templates."""

from __future__ import annotations

from soni.core.errors import SoniError


class NotationError(SoniError, ValueError):
    """A text that cannot be read or worked out: why, where in it, and what to write instead."""

    def __init__(self, reason: str, *, offset: int | None = None, remedy: str | None = None):
        super().__init__(reason)
        self.reason = reason
        self.offset = offset
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.reason}; {self.remedy}" if self.remedy else self.reason
