"""Values in the place of others: "Robert, not Bob"."""

import re
from typing import Any, Final

from soni.commands import Command
from soni.du.context import SlotBrief
from soni.du.local.answers.leads import whole
from soni.du.local.deeds.correction import LEAD, TAIL, correction, unled, value_of
from soni.du.local.deeds.denied import SPANISH_LEAD, THE
from soni.du.local.values.choices import chosen
from soni.du.local.values.finding import found
from soni.du.local.view import View
from soni.du.local.words.words import normal

# "The Nokia 6" for a Nokia 5.
_NAMED_THING: Final = re.compile(r"^(?:an?|the|my|our)\s+", re.IGNORECASE)
_NOT: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?P<new>.+?)[,;]?\s+(?:and\s+)?(?:not|instead of|rather than|no|en vez de|en lugar de)\s+"
        r"(?P<old>.+)",
        r"(?:did\s+)?(?:i\s+)?(?:said|say|wrote|write|typed|type|put|clicked)\s+(?P<old>.+?)"
        r"(?:[,;]?\s+but|\?)\s+(?:i\s+)?"
        r"(?:meant?|it'?s|should be)\s+(?P<new>.+)",
        r"(?:(?:the [\w ]{1,20}|it|that)(?:'?s| is| was)\s+)?(?:not|no)\s+"
        r"(?:(?:for|to|from|on|at)\s+)?(?P<old>.+?)"
        r"(?:[,;]?\s+(?:but|it'?s|make it|sino)|\s*[,;])\s+(?P<new>.+)",
        rf"{SPANISH_LEAD}(?P<old>.+?)\s+no(?:\s+(?:puedo|podemos|puede ser|quiero|es|era|"
        r"(?:me|nos) (?:viene|va|vale|sirve|encaja|cuadra|conviene|gusta)n?(?: (?:bien|nada))?))?"
        r"\s*[,;.]\s*(?P<new>.+)",
        rf"{SPANISH_LEAD}no\s+(?:puedo|podemos|puede ser|quiero|es|era|"
        r"(?:me|nos) (?:viene|va|vale) bien)\s+(?:con |para |por |en |a )?(?P<old>.+?)[,;.]?\s+"
        r"(?:sino|mejor|ponme|pon|que sea|pero|es|son|quiero|prefiero)\s+(?P<new>.+)",
        r"(?:en vez de|en lugar de)\s+(?P<old>.+?)[,;]\s*(?P<new>.+)",
        rf"{SPANISH_LEAD}cambi\w+\s+(?:{THE})?(?P<old>.+?)\s+por\s+(?:el |la |una? )?(?P<new>.+)",
    )
)


def replaced(message: str, view: View) -> list[Command]:
    """ "Robert, not Bob": the slot is the one that has the old value."""
    for pattern in _NOT:
        match = pattern.fullmatch(TAIL.sub("", message.strip()))
        if match is None:
            continue
        for slot in view.filled:
            if _is(match["old"], slot, view) or _is(unled(match["old"]), slot, view):
                value = _in_place_of(match["old"], LEAD.sub("", match["new"]), slot, view)
                if value is not None:
                    return [correction(slot, value, view)]
    return []


def _in_place_of(old: str, new: str, slot: SlotBrief, view: View) -> Any:
    """The new value: a number of a thing for another, a name without the article it comes with."""
    if slot.type != "choice":
        new = whole(new, view.language)
    if slot.type == "string":
        numbered = [word for word in new.split() if any(map(str.isdigit, word))]
        if len(numbered) == 1 and any(map(str.isdigit, old)) and " " not in str(view.value(slot)):
            return numbered[0]
        new = _NAMED_THING.sub("", new)
    return value_of(new, slot, view)


def _is(said: str, slot: SlotBrief, view: View) -> bool:
    """Whether the words are the slot's present value."""
    known = view.value(slot)
    if normal(str(known)) in (normal(said), normal(_NAMED_THING.sub("", said))):
        return True
    if slot.type == "choice":
        return known is not None and chosen(said, slot, view.lang) == str(known)
    return any(one.value == known for one in found(said, slot, view.env))
