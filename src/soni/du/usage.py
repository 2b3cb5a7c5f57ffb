"""Usage of a language model whose call failed: it is billed all the same."""

from typing import Final

from soni.du.context import Usage

_USAGE_ATTRIBUTE: Final = "soni_usage"


def attach_usage(error: BaseException, usage: Usage) -> None:
    """Attach to an error what was used before it was raised."""
    error.__dict__[_USAGE_ATTRIBUTE] = usage


def find_usage(error: BaseException | None) -> Usage | None:
    """The usage attached to an error, or to one of the errors that caused it."""
    while error is not None:
        usage = error.__dict__.get(_USAGE_ATTRIBUTE)
        if isinstance(usage, Usage):
            return usage
        # A timeout replaces the cancellation that it caused, and that one carries the usage.
        error = error.__cause__ or error.__context__
    return None
