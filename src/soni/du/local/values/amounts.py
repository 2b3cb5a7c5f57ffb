"""Which of two amounts is which: "240k, and I have 30k as a deposit"."""

from collections.abc import Sequence

from soni.du.context import SlotBrief
from soni.du.local.values.finding import Found
from soni.du.local.words.words import content, normal, speak_name
from soni.language import Language


def separate_amounts(
    message: str, slots: Sequence[SlotBrief], amounts: Sequence[Found], lang: Language
) -> list[tuple[SlotBrief, Found]]:
    """Two amounts for two slots, where one is said beside the name of its slot."""
    if len(slots) != 2 or len(amounts) != 2:
        return []
    beside = [_beside(message, one, amounts, lang) for one in amounts]
    general = lang.words("amounts.general")
    own = [content(speak_name(slot.name), lang) - general for slot in slots]
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
    clause = lang.pattern("amounts.clause")
    before = clause.split(message[first : one.start])[-1]
    behind = clause.split(message[one.end : last])[0]
    return content(normal(f"{before} {behind}"), lang)
