"""The clock of a test: it moves only when it is told to."""

from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
"""A Monday morning: when tests that do not say begin."""


class FrozenClock:
    """Gives the same time until it is moved."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, by: timedelta) -> None:
        """Let time pass."""
        self.now += by
