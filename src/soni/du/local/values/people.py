"""Who somebody means: "pay Ann 20", "20 to Ann"."""

import re
from collections.abc import Sequence
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import normal, spoken

_PERSON: Final = re.compile(
    r"\b(?:who|whom|recipient|receiver|payee|person|beneficiary|guest|friend|quién|quien|"
    r"destinatari[oa]|beneficiari[oa])\b"
)
_NO_NAME: Final = (
    r"(?:another|more|only|just|about|around|exactly|me|you|it|him|her|them|us|a|an|the|my|our|your|some|any|all|back|from|to|on|in|at|for|"
    r"with|and|or|by|of|please|pls|money|cash|over|off|out|up|un|una|el|la|mi|desde|de|del|para|"
    r"con|por|y|en|partir|cuenta|account)"
)
_WORD: Final = rf"(?!{_NO_NAME}\b)[^\W\d_][^\W\d_'-]*"
_NAME: Final = rf"(?P<name>{_WORD}(?:\s+{_WORD}){{0,2}}?)"
_AMOUNT: Final = r"[€$£]?\d[\d.,]*(?:\s*(?:[€$£]|euros?|eur|dollars?|usd|pounds?|bucks?|pesos?))?"
_WHO: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:pay|send|give|transfer|wire|owe|lend|refund|tip)\s+{_NAME}\s+{_AMOUNT}",
        rf"{_AMOUNT}\s+(?:(?:over\s+)?to|for|a|para)\s+{_NAME}"
        r"(?=\s*(?:$|[,.;!?]|\b(?:from|on|for|please|pls|today|tomorrow|now|desde|de|por)\b))",
    )
)


def recipient(message: str, slots: Sequence[SlotBrief]) -> dict[str, str]:
    """The person beside an amount, where the flow has one slot for a person."""
    people = [slot for slot in slots if slot.kind.is_short_text and _is_person(slot)]
    if len(people) != 1:
        return {}
    matches = (pattern.search(message) for pattern in _WHO)
    return next(({people[0].name: match["name"]} for match in matches if match), {})


def _is_person(slot: SlotBrief) -> bool:
    return _PERSON.search(f"{spoken(slot.name)} {normal(slot.description)}") is not None
