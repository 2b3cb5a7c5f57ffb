"""Yes or no for what a sentence names: no denial, no no."""

import re
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import content, normal, spoken

_DENIED: Final = re.compile(
    r"\b(?:no|not|cannot|never|none|nobody|nothing|without|neither|nor|nope|nah|hardly|barely|"
    r"stop(?:ped)?|skip|drop|leave|except|false|isnt|dont|doesnt|wont|cant|didnt|aint)\b|n't\b"
)
# "Drivable" is what still drives.
_ROOT: Final = 4


def is_so(slot: SlotBrief, text: str) -> bool:
    """Whether a sentence names what a yes-or-no slot is about, and denies nothing."""
    said = normal(text)
    if slot.type != "boolean" or _DENIED.search(said):
        return False
    named = {word[:_ROOT] for word in content(spoken(slot.name)) if len(word) >= _ROOT}
    return bool(named & {word[:_ROOT] for word in content(said)})
