"""Finding: one line of what `soni doctor` says."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from soni.config.soni_config import SoniConfig


class Status(StrEnum):
    """How good a finding is."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True)
class Finding:
    """What was looked at, how it is, and what to do about it. Never a key or a password."""

    topic: str
    status: Status
    message: str
    remedy: str = ""


Check = Callable[[SoniConfig], Iterable[Finding]]
"""Looks at one thing. It runs in a thread and may take its time: whoever asks does not wait."""


def accept(topic: str, message: str) -> Finding:
    """All is well."""
    return Finding(topic, Status.OK, message)


def warn(topic: str, message: str, remedy: str) -> Finding:
    """It works, but somebody may be surprised."""
    return Finding(topic, Status.WARNING, message, remedy)


def refuse(topic: str, message: str, remedy: str) -> Finding:
    """It does not work."""
    return Finding(topic, Status.PROBLEM, message, remedy)
