"""Recall: what the models say of a text is worked out once, while somebody wants that.

Nothing that people say is kept otherwise; fitting asks the same sentences over and over.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

T = TypeVar("T")

_KEPT: ContextVar[dict[str, Any] | None] = ContextVar("_KEPT", default=None)


@contextmanager
def keep_results() -> Iterator[None]:
    """In here, and in tasks and threads begun in here, nothing is worked out twice."""
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


def recall_or_compute(about: Any, work: Callable[[], T]) -> T:
    """What was worked out about a text, or a moment, or is now."""
    kept = _KEPT.get()
    if kept is None:
        return work()
    # A moment holds what cannot be a key itself.
    key = repr(about)
    if key not in kept:
        kept[key] = work()
    return cast(T, kept[key])
