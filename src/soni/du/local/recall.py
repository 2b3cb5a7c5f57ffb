"""Recall: an opt-in cache of what the models say of a text.

What users say is not cached otherwise; optimising asks for the same sentences many times.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

from soni.core.deadline import stop_if_late

T = TypeVar("T")

_RESULTS: ContextVar[dict[str, Any] | None] = ContextVar("_KEPT", default=None)


@contextmanager
def keep_results() -> Iterator[None]:
    """Cache results in this context, and in tasks and threads started in it."""
    token = _RESULTS.set({})
    try:
        yield
    finally:
        _RESULTS.reset(token)


def recall_or_compute(about: Any, work: Callable[[], T]) -> T:
    """The cached result for a text or a moment, or a new one."""
    # Between two runs of a model is where reading can stop when nobody waits for it any more.
    stop_if_late()
    kept = _RESULTS.get()
    if kept is None:
        return work()
    # A moment holds what cannot be a key itself.
    key = repr(about)
    if key not in kept:
        kept[key] = work()
    return cast(T, kept[key])
