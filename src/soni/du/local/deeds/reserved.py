"""A yes that is none: "not yes", "sure, once I say so", "ok, cancel", "yes, let me check"."""

import re
from typing import Final

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    Clarify,
    CorrectSlot,
    HumanHandoff,
    ResumeFlow,
    SetSlot,
    StartFlow,
)
from soni.core.prompts import YES_NO_KINDS
from soni.du.local.read import UNCLEAR, Read
from soni.du.local.view import View
from soni.du.local.words.lexicon import means
from soni.du.local.words.openers import Opened, opened
from soni.du.local.words.words import normal
from soni.language import Language

_NOT_YES: Final = re.compile(
    r"\b(?:not|never|no)\s+(?:an?\s+)?(?:yes|yeah|yep|ok|okay|sure|yet)\b|"
    r"\bno\s+(?:un\s+)?s[ií]\b|\btodav[ií]a\s+no\b",
    re.IGNORECASE,
)
_POLITELY: Final = (
    r"(?:possible|convenient|necessary|need be|(?:that|it)'?s (?:ok(?:ay)?|fine|all right)|"
    r"you(?:'re| are)? (?:can|could|like|want|wish|would|please|don'?t mind|may|must|ready|able|"
    r"have (?:time|a (?:minute|moment|second)|the time)|get (?:a|the) (?:chance|time|minute)))\b"
)
_PROVIDED: Final = re.compile(
    rf"\b(?:if|unless|until|till|(?:as|so) long as|provided|on condition|only when|"
    rf"once(?! (?:more|again)\b))\s+(?!{_POLITELY})\w|"
    r"\b(?:as soon as|after|when)\s+(?:i|i'm|i've|my|we|our|she|he|they|it|it's|hell|pigs)\b|"
    # A yes without its accent is no "if".
    r"(?<!^)\bsi\s+(?!(?:pued[ea]n?s?|quieres?|(?:te|le|os) (?:parece|va|viene)|"
    r"no (?:te|le|os) importa|es posible|hace falta|s[íi])\b)\w|"
    r"\b(?:cuando|en cuanto|hasta que|a menos que|siempre que|siempre y cuando|con tal de|"
    r"mientras)\s+(?!(?:pueda|quiera)s?\b)\w",
    re.IGNORECASE,
)
_YESES: Final = re.compile(r"\s*(?:s[íi]\b[\s,.!]*)+", re.IGNORECASE)
# "Yes. When I get home, what do I do?" agrees, and then asks.
_ASKS: Final = re.compile(r"\?\s*$")
_ENDS: Final = re.compile(
    r"\b(?:cancel|stop|end|drop|abort|delete|remove|close|block|forget|give up|"
    r"an[úu]l|borr|elimin|cierr|cerr|bloque|dej)",
    re.IGNORECASE,
)
_HARMLESS: Final = re.compile(
    r"\b(?:(?:no|not an?|not any) (?:problems?|probs?|worries|bother|doubts?|issues?|rush|hurry)|"
    r"why not|(?:don'?t|do not) (?:worry|mind|hesitate)|can'?t wait|can(?:'?t|not) complain|"
    r"no need to (?:ask|check|wait|repeat|confirm)|not at all|sin (?:problemas?|duda)|"
    r"no (?:hay|es|tengo) (?:(?:ning[úu]n|un) )?problemas?|no pasa nada|no te preocupes|"
    r"no se preocupe|no hay prisa|c[óo]mo no|por qu[ée] no|no lo dudes)\b",
    re.IGNORECASE,
)
_WAITS: Final = re.compile(
    r"\b(?:not|no|never|cannot|can'?t|don'?t|won'?t|didn'?t|isn'?t|\w+n't|nunca|tampoco|"
    r"wait|hold on|hang on|maybe|perhaps|later|another (?:time|day)|some other (?:time|day)|"
    r"in an? (?:minute|moment|second|sec|bit|while|hour)|tomorrow|next (?:time|week|month)|"
    r"(?:let me|let us|i'?ll|i will|i (?:have|need|want|would like) to|i'd like to|i should|i must|"
    r"we (?:have|need) to) (?:\w+ ){0,2}?(?:think|check|see|look|ask|verify|talk|speak|consider|"
    r"sleep)|espera|espere|un momento|un segundo|luego|m[áa]s tarde|despu[ée]s|ma[ñn]ana|"
    r"otro d[íi]a|otra vez ser[áa]|quiz[áa]s?|tal vez|"
    r"(?:d[ée]jame|deja que|tengo que|voy a|quiero|necesito) (?:lo )?"
    r"(?:pensar|pienso|mirar|mire|ver|vea|comprobar|consultar|preguntar|revisar))(?:lo|la)?\b",
    re.IGNORECASE,
)
_DEPTH: Final = 3


def still_agreed(text: str, read: Read, view: View) -> Read:
    """What it says, without a yes that is none yet: what it would do cannot be undone."""
    if view.kind not in YES_NO_KINDS or not read.has(AffirmConfirmation):
        return read
    without = read.without(AffirmConfirmation) or UNCLEAR
    if is_reserved(text):
        return without
    opening = _behind_yes(text, view.lang)
    if opening is None:
        return read
    if _gives_up(opening.rest, view):
        return Read((CancelFlow(),))
    changes = read.has(CorrectSlot, SetSlot)
    if opening.but and not changes:
        # "Yes, but what does it cost?" wants to know first.
        return without
    says_more = changes or read.has(Clarify, StartFlow, ResumeFlow, HumanHandoff)
    return read if says_more or not _waits(opening.rest, view) else without


def is_reserved(text: str) -> bool:
    """Whether words that sound like a yes take it back, or wait for something."""
    if _NOT_YES.search(text):
        return True
    said = _YESES.sub("", text, count=1) if _YESES.match(text) else text
    return _PROVIDED.search(said) is not None and _ASKS.search(text) is None


def _behind_yes(text: str, lang: Language) -> Opened | None:
    """What follows a yes, or several: "ok ok cancel"."""
    found, rest, but = None, text, False
    for _ in range(_DEPTH):
        opening = opened(rest, lang, asked=True)
        if opening is None or opening.meaning != "yes":
            break
        rest, but = opening.rest, but or opening.but
        found = Opened("yes", rest, but)
    return found


def _gives_up(rest: str, view: View) -> bool:
    """Whether the task is given up, unless just that was asked: "shall I cancel it?"."""
    asked = str((view.context.asked or {}).get("prompt", ""))
    return means(normal(rest), "cancel", view.lang) and not _ENDS.search(asked)


def _waits(rest: str, view: View) -> bool:
    """Whether it is put off, or not meant: "yes, let me check", "right now I can't"."""
    words = normal(rest)
    if any(means(words, meaning, view.lang) for meaning in ("pause", "skip")):
        return True
    return _WAITS.search(_HARMLESS.sub(" ", rest)) is not None
