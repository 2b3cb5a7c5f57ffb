"""Recall: what the models say of a text is worked out once, while somebody wants that.

Nothing that people say is kept otherwise; fitting asks the same sentences over and over.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

T = TypeVar("T")

_KEPT: ContextVar[dict[Hashable, Any] | None] = ContextVar("_KEPT", default=None)


@contextmanager
def recalling() -> Iterator[None]:
    """In here, and in tasks and threads begun in here, nothing is worked out twice."""
    token = _KEPT.set({})
    try:
        yield
    finally:
        _KEPT.reset(token)


def recalled(key: Hashable, work: Callable[[], T]) -> T:
    """What was worked out for this key, or is now."""
    kept = _KEPT.get()
    if kept is None:
        return work()
    if key not in kept:
        kept[key] = work()
    return cast(T, kept[key])
