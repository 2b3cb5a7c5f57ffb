"""Phone numbers that no country has: whoever says one is told so by the slot's type."""

import re
from collections.abc import Iterator
from typing import Final

from soni.language import Language

# Groups of digits; "+44 (0)20 7946 0233", "07700 900 188", "555-0132".
_RUN: Final = re.compile(
    r"(?<![\w.,/:#$€£-])(?<!\d )(?:\+\s?|\()?\d(?:[\s().-]{0,2}\d){6,14}(?![\w/:%-]|[., ]\d)"
)
_OTHER: Final = re.compile(
    r"\d{4}([-.])\d{1,2}\1\d{1,2}|\d{1,2}([-.])\d{1,2}\2(?:\d{4}|\d{2})|"
    r"\d{1,3}(?:([.,])\d{3})(?:\3\d{3})*"
)
# A number that begins otherwise may be of anything, unless somebody is to call it.
_OPENING: Final = re.compile(r"[+(0]")


def find_phone_spans(
    message: str, lang: Language, *, asked: bool = False
) -> Iterator[tuple[int, int]]:
    """Where a message has so many digits as a phone number (`asked`: nothing else was)."""
    called = lang.pattern("phones.called")
    for run in _RUN.finditer(message):
        own = _OPENING.match(run[0]) or called.search(message[: run.start()])
        if (own or asked) and not _OTHER.fullmatch(run[0]):
            yield run.span()
