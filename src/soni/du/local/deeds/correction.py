"""A new value as people lead to it, and the command that it becomes."""

import re
from typing import Any, Final

from soni.commands import Command, CorrectSlot
from soni.du.context import SlotBrief
from soni.du.local.answers.answers import answered
from soni.du.local.answers.leads import whole
from soni.du.local.tagged.names import without_article
from soni.du.local.values.codes import coded
from soni.du.local.view import View

CUE: Final = re.compile(
    r"\b(?:i meant|i mean|more like|make (?:it|that)|instead|actually|rather|should be|"
    r"change (?:it|that)|"
    r"better|correction|sorry|typo|misspelt|mistyped|wait|not .+ but|"
    r"quise decir|quería decir|mejor|en realidad|"
    r"que sean?|perd[óo]n|en vez|más bien|me equivoqu[ée]|me he equivocado|cámbi\w+|cambia\w*|"
    r"corrijo|digo|ponme)\b",
    re.IGNORECASE,
)
LEAD: Final = re.compile(
    r"^(?:(?:no|sorry|wait|actually|oh|oops|well|perd[óo]n|espera|mejor|en realidad)[,.\s]+)*"
    r"(?:(?:i meant(?: to say)?|i mean|i said|make (?:it|that)|change (?:it|that) to|it should be|"
    r"it'?s|it is|that'?s|should be|let'?s make it|quise decir|quería decir|digo|que sean?|"
    r"(?:please )?(?:send|give|put|book|set) (?:it|that|this|them)|"
    r"es|son|mejor|ponlo|hazlo|ponme(?:lo|la)?|pon|apunta|anota|prefiero|quiero|sino|pero)\s+)*"
    r"(?:a nombre de\s+|(?:to|for|from|at|in|on|al?|para|desde|en|con|por)\s+)?",
    re.IGNORECASE,
)
# From the beginning of a run of signs: from each of them it would take long over many.
TAIL: Final = re.compile(
    r"(?<![\s,])[\s,]+(?:instead|rather|please|then|sorry|my bad|"
    r"(?:it was )?(?:a |my )?(?:typo|mistake|slip)|"
    r"i (?:misread|mistyped|misspelt|misheard|got|mixed)(?: (?:it|that|them))?(?: wrong| up)?|"
    r"por favor|mejor|en su lugar)[.!]*$|(?<![.!\s])[.!\s]+$",
    re.IGNORECASE,
)

# "La 4821-LKM" is 4821-LKM.
_ARTICLE: Final = re.compile(r"^(?:el|la)\s+(?=\S*\d)", re.IGNORECASE)


def value_of(said: str, slot: SlotBrief, view: View) -> Any:
    """What the words give to the slot; None: nothing."""
    text = TAIL.sub("", said.strip())
    if slot.type in ("string", "text"):
        return (
            coded(text, slot, view.lang)
            or without_article(_ARTICLE.sub("", whole(text, view.language)))
            or None
        )
    if slot.type in ("list", "object"):
        return text
    return answered(text, slot, view)


def correction(slot: SlotBrief, value: Any, view: View) -> Command:
    """The slot with another value, in the flow that it is of."""
    names = [other.flow for other in view.context.expected_slots if other.name == slot.name]
    elsewhere = slot.flow if slot.flow != view.context.current_flow or len(names) > 1 else None
    return CorrectSlot(slot_name=slot.name, new_value=value, flow_name=elsewhere)


def unled(message: str) -> str:
    """A correction without the words that only say that it is one."""
    return TAIL.sub("", LEAD.sub("", message.strip()))


def cued(message: str) -> bool:
    """Whether the words say that something is to be another way."""
    return CUE.search(message) is not None
