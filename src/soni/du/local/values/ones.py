"""When "one" is a number, and when it stands for somebody or something."""

import re
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.mentions import counted
from soni.du.local.words.words import standing
from soni.language import Language

_ONE: Final = ("one", "uno", "una")
# Where a clause begins, and behind these, it is a number: "a table for one".
_NUMBER: Final = re.compile(
    r"(?:^|[,;:.!?(]|\b(?:for|just|only|exactly|and|plus|or|it'?s|para|solo|s[oó]lo|y))\s*$",
    re.IGNORECASE,
)
_NOUN: Final = re.compile(r"[\s-]+(?:(?:more|single|extra|other|m[áa]s)\s+)?([^\W\d_]+)")


def is_pronoun(value: str, message: str, slot: SlotBrief, lang: Language) -> bool:
    """Whether a "one" counts nothing of the slot's: "can one hire it", "could I get a new one"."""
    said = value.casefold()
    if slot.type not in ("integer", "number") or said not in _ONE:
        return False
    places = standing(said, message.casefold())
    return all(not _is_number(message, start, end, slot, lang) for start, end in places)


def _is_number(message: str, start: int, end: int, slot: SlotBrief, lang: Language) -> bool:
    noun = _NOUN.match(message, end)
    told = noun is not None and counted(noun[1], slot, lang)
    return told or _NUMBER.search(message[:start]) is not None
