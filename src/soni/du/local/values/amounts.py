"""Which of two amounts is which: "240k, and I have 30k as a deposit"."""

import re
from collections.abc import Sequence
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.values.finding import Found
from soni.du.local.words.words import content, normal, spoken
from soni.language import Language

_CLAUSE: Final = re.compile(r"[,;.!?](?!\d)|\b(?:and|but|with|y|pero|con)\b", re.IGNORECASE)
# Words for amounts in general tell nothing of which one it is.
_ANY: Final = frozenset({"amount", "sum", "money", "total", "price", "cost", "value", "importe"})


def told_apart(
    message: str, slots: Sequence[SlotBrief], amounts: Sequence[Found], lang: Language
) -> list[tuple[SlotBrief, Found]]:
    """Two amounts for two slots, where one is said beside the name of its slot."""
    if len(slots) != 2 or len(amounts) != 2:
        return []
    beside = [_beside(message, one, amounts, lang) for one in amounts]
    own = [content(spoken(slot.name), lang) - _ANY for slot in slots]
    named = [
        (at, which)
        for at, words in enumerate(beside)
        for which, name in enumerate(own)
        if name and name <= words
    ]
    if len(named) != 1 and sorted(named) not in ([(0, 0), (1, 1)], [(0, 1), (1, 0)]):
        return []
    at, which = named[0]
    return [(slots[which], amounts[at]), (slots[1 - which], amounts[1 - at])]


def _beside(message: str, one: Found, amounts: Sequence[Found], lang: Language) -> frozenset[str]:
    """The words of its clause, without those that belong to the other amount."""
    first = max((other.end for other in amounts if other.end <= one.start), default=0)
    last = min((other.start for other in amounts if other.start >= one.end), default=len(message))
    before = _CLAUSE.split(message[first : one.start])[-1]
    behind = _CLAUSE.split(message[one.end : last])[0]
    return content(normal(f"{before} {behind}"), lang)
