"""Which slot is not right, without a new value for it: "the date is wrong", "no, the recipient"."""

import re
from collections.abc import Sequence
from typing import Final

from soni.commands import Command, DenyConfirmation
from soni.du.context import SlotBrief
from soni.du.local.lexical.mentions import named_slot as translated_slot
from soni.du.local.view import View
from soni.du.local.words.mentions import named_slot
from soni.du.local.words.words import normal

# A slot is called by a word or two; what is longer says something else.
_NAME_WORDS: Final = 3

_ANYTHING: Final = frozenset(
    {
        "it",
        "that",
        "this",
        "there",
        "something",
        "everything",
        "all",
        "which",
        "what",
        "eso",
        "esto",
    }
)

THE: Final = r"(?:the|my|its|this|that|el|la|mi|los|las)\s+"
SPANISH_LEAD: Final = (
    r"(?:(?:no|perd[óo]n[ae]?|disculp[ae]|lo siento|espera|oye|mira|ah|[au]y|en realidad|por favor|"
    r"bueno|mejor)[,.!\s]+)*"
)
_SLOT: Final = rf"(?:{THE})?(?P<slot>[\w' -]+?)"
_VERY: Final = r"(?:(?:quite|really|all|a bit|a little|totally|completely|just|still)\s+)*"
_BAD: Final = (
    r"(?:wrong|incorrect|off|mistaken|a mistake|a typo|mixed up|messed up|muddled up|switched|"
    r"weird|strange|odd|not (?:right|correct|ok(?:ay)?|what \w+ (?:said|wanted|meant|asked for)))"
)
_GOOD: Final = r"(?:right|correct|ok(?:ay)?|what (?:i|we) (?:said|wanted|meant|asked for))"
_WANTS: Final = (
    r"(?:please\s+|let me\s+|(?:can|could|may) (?:i|we|you)\s+|(?:i|we)(?:'d like| would like|"
    r" want| need| wanted|'d rather have| have)(?: to)?\s+(?:have\s+)?)*"
)
_WRONG: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_SLOT}(?:'s|\s+(?:is|are|was|were|looks?|seems?|sounds?|must be))\s+{_VERY}{_BAD}[.!]*",
        rf"{_SLOT}\s+(?:isn'?t|aren'?t|wasn'?t|weren'?t|(?:is|are|was|were) not|"
        r"(?:can'?t|cannot|can not|couldn'?t|won'?t) (?:possibly )?be|"
        r"(?:doesn'?t|don'?t|does not|do not) (?:look|seem|sound|feel))\s+"
        rf"{_VERY}{_GOOD}[.!]*",
        r"(?:i think |i guess |looks like )?(?:you|i|we)(?:'ve| have)?\s+"
        rf"(?:got|put|have|had|wrote|took)\s+{_SLOT}\s+{_VERY}"
        r"(?:wrong|mixed up|messed up|muddled up|down wrong|backwards|confused)[.!]*",
        r"(?:i think |i guess |looks like )?(?:you|i|we)(?:'ve| have)?\s+"
        r"(?:(?:mixed|messed|muddled|screwed) up|confused|misheard|misread|mistook)\s+"
        rf"{_SLOT}[.!]*",
        r"(?:you|i|we)(?:'ve| have)?\s+(?:got|put|have|had|wrote|took|gave you)\s+the wrong\s+"
        r"(?P<slot>[\w' -]+?)[.!]*",
        r"(?:there(?:'s| is| must be)\s+)?(?:something|an error|a mistake|a typo)"
        r"(?:'s|\s+(?:is|looks?|seems?))?\s*(?:wrong|off|weird|not right)?\s+"
        rf"(?:with|in|about)\s+{_SLOT}[.!]*",
        rf"(?:that|this|it)(?:(?:'s| is| was) not|\s+isn'?t|\s+wasn'?t)\s+{_SLOT}\s+"
        r"(?:that )?(?:i|we) (?:wanted|said|meant|asked for|ordered|chose|gave you|told you)[.!]*",
        rf"{_WANTS}(?:(?:change|correct|update|edit|fix|redo)\s+(?:{THE})?|another\s+|"
        r"(?:a|some) (?:different|other)\s+)(?P<slot>(?!.*\b(?:to|as|into|for|from|with|at)\b)"
        r"[\w' -]+?)[.!]*",
        rf"{_SLOT}\s+(?:est[áa]n?|es|son)\s+"
        r"(?:mal(?: escrit[oa]| puest[oa])?|incorrect[oa]s?|equivocad[oa]s?|err[óo]ne[oa]s?)[.!]*",
        rf"{_SLOT}\s+no (?:est[áa]n?|es|son|(?:me|nos) (?:va|viene|cuadra|encaja)n?)\s+"
        r"(?:bien|as[íi]|correct[oa]s?)[.!]*",
        rf"{SPANISH_LEAD}(?:(?:est[áa]n?|es|son) (?:mal|incorrect[oa]s?|equivocad[oa]s?)|"
        r"no (?:est[áa]n? bien|es correct[oa])|hay (?:un error|un fallo|algo mal) (?:en|con)|"
        r"me (?:he )?equivo(?:qu[ée]|cado) (?:con|en|de|al (?:decir|poner|dar|escribir))|"
        r"(?:he puesto|he dicho|he dado|he escrito|puse|dije|di) mal|"
        r"(?:quiero|quisiera|quer[íi]a|necesito|puedo|hay que|me gustaría) "
        rf"(?:cambiar|corregir|modificar))\s+(?:{THE}|lo del? )?(?P<slot>[\w' -]+?)[.!]*",
    )
)
_NAMED: Final = re.compile(
    r"(?:(?:please\s+)?(?:change|correct|update|edit|fix|cambia|cambiar|corrige|modifica|"
    r"i want to change|i'?d like to change|quiero cambiar)\s+)?"
    rf"(?:(?:{THE})|another\s+|a different\s+|wrong\s+|otr[oa]\s+)?"
    r"(?P<slot>(?!.*\b(?:is|are|was|right|correct|fine|good|ok(?:ay)?|es|son|bien)\b)[\w' -]+?)"
    r"[.!]*",
    re.IGNORECASE,
)


def is_wrong(message: str, view: View) -> Command | None:
    """The slot that a message says is not right."""
    return _denied(message, _WRONG, view)


def denied(message: str, view: View) -> Command | None:
    """The same, or the slot that it only names where something must be wrong."""
    return _denied(message, (*_WRONG, _NAMED), view)


def _denied(message: str, patterns: Sequence[re.Pattern[str]], view: View) -> Command | None:
    for pattern in patterns:
        match = pattern.fullmatch(" ".join(message.split()))
        said = normal(match["slot"]) if match else ""
        few = len(said.split()) <= _NAME_WORDS and said not in _ANYTHING
        slot = called(match["slot"], view.filled, view) if match and few else None
        if slot is not None and slot.flow == view.context.current_flow:
            return DenyConfirmation(slot_to_change=slot.name)
    return None


def called(text: str, slots: Sequence[SlotBrief], view: View) -> SlotBrief | None:
    """The slot by its name, or by one in another language."""
    slot = named_slot(text, slots, view.lang)
    if slot is None and not view.is_english:
        return translated_slot(text, slots, view.lang)
    return slot
