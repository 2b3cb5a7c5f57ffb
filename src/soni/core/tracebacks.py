"""Tracebacks for the log: where an author's code failed, and none of the values it worked with."""

import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_OWN_CODE: Final = str(Path(__file__).parents[1])
_MAX_FRAMES: Final = 30


def format_traceback(error: BaseException) -> str:
    """The frames outside of Soni, the oldest cause first, without messages: these have values."""
    return "\n".join(
        "".join(traceback.format_list(frames)) + type(each).__name__
        for each in _list_chain(error)
        if (frames := list(_iter_frames(each)))
    )


def _list_chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain:
        chain.insert(0, current)
        hidden = None if current.__suppress_context__ else current.__context__
        current = current.__cause__ or hidden
    return chain


def _iter_frames(error: BaseException) -> Iterator[traceback.FrameSummary]:
    for frame in traceback.extract_tb(error.__traceback__)[-_MAX_FRAMES:]:
        if not frame.filename.startswith(_OWN_CODE):
            yield frame
