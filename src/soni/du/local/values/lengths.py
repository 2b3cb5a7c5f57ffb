"""How long something takes, and not how often it is done or which day it is."""

import re
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.values.halves import GOES_ON
from soni.du.local.words.words import normal, spoken

_UNIT: Final = re.compile(
    r"(?:fortnight|week|day|night|hour|minute|second|quincena|semana|d[ií]a|noche|hora|minuto|"
    r"segundo)",
    re.IGNORECASE,
)
# "All week", "just the day": what makes a length of a unit that nothing counts.
_ALL_OF: Final = re.compile(
    r"\b(?:all|whole|full|entire|another|extra|additional|more|single|half|solid|"
    r"tod[oa](?: el| la)?|otr[oa]|medi[oa]|"
    r"(?:for|just|only|all|rest of|most of|por|durante) (?:the|el|la))\s+$",
    re.IGNORECASE,
)
_ALONE: Final = re.compile(
    r"\W*(?:(?:just|only|maybe|well|um+|uh+|it'?s|the|el|la|solo|sólo)\s+)*", re.IGNORECASE
)
_NOTHING_MORE: Final = re.compile(
    r"\s*(?:$|[,.;!?]|(?:please|is|will|would|should|or so|i|maybe|and)\b)", re.IGNORECASE
)
_OFTEN: Final = re.compile(r"\b(?:every|each|cada)\s+(?:other\s+|second\s+)?$", re.IGNORECASE)
_HOW_OFTEN: Final = re.compile(
    r"\b(?:every|often|intervals?|frequency|frecuencia|cada|intervalo|apart)\b"
)
_SECOND: Final = re.compile(r"(?:(?:an?|the|un|una|el)\s+)?(?:second|segund[oa])", re.IGNORECASE)
_LONG: Final = re.compile(r"\blong\s+$|\blarg[oa]\s+$", re.IGNORECASE)


def is_no_length(message: str, start: int, end: int, slot: SlotBrief) -> bool:
    """Whether a unit only says which ("the day"), or how often ("every two weeks")."""
    before = message[:start]
    if _LONG.search(before):
        return True
    # "A second car" is one more.
    if _SECOND.fullmatch(message, start, end) and not GOES_ON.match(message, end):
        return True
    told = f"{spoken(slot.name)} {normal(slot.description)}"
    if _OFTEN.search(before):
        return _HOW_OFTEN.search(told) is None
    if not _UNIT.fullmatch(message, start, end) or _ALL_OF.search(before):
        return False
    return not (_ALONE.fullmatch(before) and _NOTHING_MORE.match(message, end))
