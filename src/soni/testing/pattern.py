"""Regular expressions of tests, which an unlucky pattern must not keep running for ever."""

import json
import re
import subprocess
import sys
from typing import Final

from soni.core.errors import SoniError, clip

_SECONDS: Final = 5.0

_PROGRAM: Final = (
    "import json, re, sys\n"
    "pattern, text = json.load(sys.stdin)\n"
    "print(bool(re.search(pattern, text, re.MULTILINE)))\n"
)

_REPEATS: Final = frozenset("*+?{")


class PatternError(SoniError):
    """A regular expression that cannot be read, or that does not come to an end."""


def check_pattern(pattern: str) -> None:
    """Raise `PatternError` if this is not a regular expression."""
    try:
        re.compile(pattern)
    except re.error as error:
        raise PatternError(f"this is not a regular expression: {error.msg}") from error
    except (RecursionError, OverflowError) as error:
        raise PatternError("this regular expression is too large") from error


def is_found(pattern: str, text: str) -> bool:
    """Whether a text has a match, in any of its lines."""
    if _REPEATS.isdisjoint(pattern):
        return re.search(pattern, text, re.MULTILINE) is not None
    # A search cannot be interrupted from inside: Python waits for it. A process can be ended.
    try:
        ended = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _PROGRAM],
            input=json.dumps([pattern, text]),
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise PatternError(
            f"`{clip(pattern)}` was not searched to the end within {_SECONDS:g} seconds: "
            "repeat nothing that itself repeats, such as `(a+)+`"
        ) from None
    return ended.stdout.strip() == "True"
