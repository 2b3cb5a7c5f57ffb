"""What a language model used although nothing came of it: that has to be paid too."""

from typing import Final

from soni.du.context import Usage

_KEY: Final = "soni_usage"


def charge(error: BaseException, usage: Usage) -> None:
    """Let an error carry what was used before it came."""
    error.__dict__[_KEY] = usage


def find_usage(error: BaseException | None) -> Usage | None:
    """What was used before an error, or before the one that it stands for, came."""
    while error is not None:
        usage = error.__dict__.get(_KEY)
        if isinstance(usage, Usage):
            return usage
        # A timeout stands for the cancellation that was its work.
        error = error.__cause__ or error.__context__
    return None
