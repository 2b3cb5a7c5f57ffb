"""Telemetry: what a turn tells whoever watches it. By default nobody does, and nothing is done."""

import re
from collections.abc import Mapping
from enum import StrEnum
from types import TracebackType
from typing import Any, Final, Protocol, Self

Fact = str | int | float | bool
"""A name, a kind, a count or a decision. Never a value of a user's, nor a text."""


class SpanKind(StrEnum):
    """The parts of a turn that are told."""

    TURN = "turn"
    UNDERSTANDING = "understanding"
    COMMAND = "command"
    STEP = "step"
    ACTION = "action"
    STORE = "store"


class Span(Protocol):
    """A part of a turn, from `with` to the end of its block."""

    def note(self, **facts: Fact) -> None:
        """Add facts. `outcome` is `ok` at the end if it was not noted, or `failed`."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


class Telemetry(Protocol):
    """Is told when the parts of a turn begin and end."""

    def start(self, kind: SpanKind, name: str, **facts: Fact) -> Span:
        """A part that begins with `with`; its name is the author's or Soni's own."""

    def close(self) -> None:
        """Send what is left. It may block, so call it in a thread."""


class _NoSpan:
    """Tells nobody anything."""

    def note(self, **facts: Fact) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: Any) -> None:
        pass


_NO_SPAN: Final = _NoSpan()


class NoTelemetry:
    """Nobody watches: the same empty span for everything."""

    def start(self, kind: SpanKind, name: str, **facts: Fact) -> Span:
        """Nothing begins."""
        return _NO_SPAN

    def close(self) -> None:
        """Nothing is left."""


NO_TELEMETRY: Final = NoTelemetry()


_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")


def keep_name(text: str) -> str:
    """The text, if it is a name; a sentence, such as an author's kind of error, may hold values."""
    return text if _NAME.fullmatch(text) else "other"


def describe_usage(usage: Mapping[str, Any] | None) -> dict[str, Fact]:
    """The facts about what a language model took; none if none was asked."""
    if not usage:
        return {}
    return {
        "model": str(usage.get("model", "")),
        "calls": int(usage.get("calls") or 0),
        "input_tokens": int(usage.get("prompt_tokens") or 0),
        "cached_tokens": int(usage.get("cached_tokens") or 0),
        "output_tokens": int(usage.get("completion_tokens") or 0),
    }
