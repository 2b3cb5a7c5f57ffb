"""What something is to be called: "please call it Kitchen", "name him Rex"."""

import re
from collections.abc import Sequence
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import normal, spoken

_CALLED: Final = re.compile(
    r"\b(?:(?:call|name|label|title|save|store|list) (?:it|this|that|him|her|them|this one|"
    r"that one)(?: as| under)?|"
    r"(?:it|this|that|he|she|they|this one)(?:'s|'re| is| are|'ll be| will be| should be)? "
    r"(?:to be )?(?:called|named|goes by))\s+"
    r"(?P<name>(?!(?:off|back|again|in|on|out|for|to|a|an|the|at|before|after|later|now|today|"
    r"tomorrow|when|if|and|please)\b)[^\s,;.!?][^,;.!?]*?)"
    r"(?=\s*(?:[,;.!?]|$|\b(?:please|and|but|then|thanks|i think|i guess)\b))",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"\b(?:names?|nickname|label|title|called|known as)\b")
# What is longer tells a story.
_WORDS: Final = 5


def called(message: str, slots: Sequence[SlotBrief]) -> dict[str, str]:
    """The name in a message, where one slot is for the name of something."""
    names = [slot for slot in slots if slot.kind.is_short_text and _is_name(slot)]
    found = _CALLED.search(message)
    if found is None or len(names) != 1 or len(found["name"].split()) > _WORDS:
        return {}
    return {names[0].name: found["name"]}


def _is_name(slot: SlotBrief) -> bool:
    told = f"{spoken(slot.name)} {normal(slot.description)}"
    return _NAME.search(told) is not None
