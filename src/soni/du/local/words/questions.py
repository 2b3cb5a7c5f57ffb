"""Questions that users ask beside what they were asked, told by how they begin and end."""

import re
from collections.abc import Iterator
from typing import Final

from soni.du.local.words.lexicon import means

_ASKS: Final = r"(?:what|why|how|which|whose|who|where|when)"
_DOES: Final = (
    r"(?:is|are|am|was|were|do|does|did|can|could|will|would|should|may|must|have|has|much|many|"
    r"long|far|for)"
)
# Without an accent most of the Spanish ones are other words as well.
_PREGUNTA: Final = (
    r"(?:por qué|para qué|por que|para que|qué|cómo|cuál(?:es)?|cual(?:es)?|cu[áa]nt[oa]s?|"
    r"cuándo|d[óo]nde|adónde|quién(?:es)?)"
)
_PUEDE: Final = (
    r"(?:que|como|cuando|quien|es|son|está|hay|tengo|tiene|tienen|puedo|puede|puedes|se|me|"
    r"pueden|podría|podemos|hace falta|hacen|hace|abren?|cierran?|aceptan?|cobran?|atienden?|"
    r"incluye|sirve|debo|vale|cuesta|necesito|llega|existe|trabajan?|est[áa]n?|"
    r"\w{2,}(?:[áé]is|ís|[ae]is(?= )))"
)
# What follows tells that they ask, though the accent is left out.
_SIN_ACENTO: Final = (
    r"(?:(?:en|a|de|con|desde|hasta) )?(?:que (?:significa|incluye|precio|horario|documentos?|"
    r"papeles|diferencia|m[ée]todos|formas|opciones|hora|tal)|como (?:funciona|se|puedo|hago|pago)|"
    r"cuando (?:abr\w+|cierr\w+|llega|empieza|vence)|quien (?:es|viene|lleva|atiende))\b"
)
# "Antes dime cuánto cuesta".
_DIME: Final = (
    r"(?:(?:antes|pero|oye|primero|una pregunta|tengo una (?:duda|pregunta))[,:]? )*"
    r"(?:dime|d[íi]game|me dices|(?:quer[íi]a|quisiera|quiero|me gustar[íi]a|necesito) saber|"
    r"me puedes? decir|sabes|tengo una duda|una pregunta)(?:[,:]? (?:a|de|en|por|con))? "
    r"(?:cu[áa]\w+|qu[ée]|c[óo]mo|d[óo]nde|qui[ée]n|si)\b"
)
# "¡Qué va!" asks nothing.
_EXCLAIMED: Final = re.compile(
    r"qu[ée] (?:va|bien|pena|guay|l[áa]stima|risa|gracia|susto|horror|asco|alegr[íi]a|maj[oa]|"
    r"bueno)\b"
)
# Wherever it stands near the beginning of what ends with a question mark.
_WITHIN: Final = re.compile(
    r"(?:\w+,? ){0,3}(?:por qu[ée]|para qu[ée]|qu[ée] \w+|c[óo]mo|cu[áa]l(?:es)?|cu[áa]nt[oa]s?|"
    r"cu[áa]ndo|d[óo]nde|qui[ée]n(?:es)?)\b.*\?"
)
# "Los sábados" is no day that somebody could mean.
_IN_GENERAL: Final = re.compile(
    r"\blos (?:lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bados|domingos|festivos|"
    r"fines de semana)\b"
)
_BEFORE: Final = re.compile(r"(?:[¿¡\s]|(?:and|but|y|pero)\s)+")

_OPEN: Final = re.compile(rf"(?:{_ASKS}|{_PREGUNTA})\b")
_CLEAR: Final = re.compile(
    r"(?:will|do|does|did|am|is|are|was|should|must|may|has) "
    r"(?:i|we|they|it|he|she|there|that|this)\b|have (?:i|we|they|there)\b|"
    r"do you (?:have|accept|offer|take|sell|deliver|charge|open|close|ship|allow|provide|serve)\b|"
    rf"{_ASKS}(?:'s|'re)?\s+{_DOES}\b|how \w+ {_DOES}\b|"
    rf"{_ASKS}'?s\b|{_PREGUNTA}\s+\w|{_SIN_ACENTO}|{_DIME}"
)
_OPENING: Final = re.compile(rf"(?:no )?(?:{_ASKS}|{_DOES}|{_PREGUNTA}|{_PUEDE})\b")
_JOINT: Final = re.compile(
    r"[,.;!]\s+(?:(?:and|but|also|then|y|pero|luego)\s+)*|(?<=\s)(?:and|but|then|y|pero|"
    r"luego)\s+(?:(?:then|also|luego|también)\s+)*",
    re.IGNORECASE,
)
# Who says more in one message wants more than a rule can tell.
_JOINTS: Final = 5


def is_question(message: str, *, answering: bool) -> bool:
    """Whether a message asks; `answering`: it might as well be what was asked for."""
    said = message.strip().casefold().replace("\u2019", "'")
    opening = _BEFORE.match(said)
    said = said[opening.end() :] if opening else said
    if not re.search(r"\w", said):
        return False
    ends = said.endswith("?")
    if _EXCLAIMED.match(said) and not ends:
        return False
    if ends and (_WITHIN.fullmatch(said) or _IN_GENERAL.search(said)):
        return True
    if answering:
        return _CLEAR.match(said) is not None or (ends and _OPENING.match(said) is not None)
    return ends or _CLEAR.match(said) is not None


# "Would Thursday be too late?": whoever was asked for a day proposes one.
_PROPOSED: Final = re.compile(
    r"(?:(?:and|so|then|well|hmm*|or|maybe),? )*"
    r"(?:(?:is|are|would|will|could|can|might|may|does|do|shall)\b.+?\b"
    r"(?:possible|ok|okay|all right|alright|fine|free|available|allowed|enough|too (?!\w+ for)\w+|"
    r"works?|do|good|suits?|taken|open|an option|left|in stock|doable|convenient|acceptable)"
    r"(?: (?:for|with|by) (?:you|me|us|that|this|it))?(?: (?:too|then|still|as well|already))?|"
    r"(?:how|what) about\b.+)\s*\?+"
)


def proposes(message: str) -> bool:
    """Whether a question offers a value rather than asking for one."""
    return _PROPOSED.fullmatch(message.strip().casefold().replace("\u2019", "'")) is not None


def asks_openly(message: str) -> bool:
    """Whether a message asks for more than a yes or no: what, why, where, how it is in general."""
    said = message.strip().casefold()
    opening = _BEFORE.match(said)
    if _IN_GENERAL.search(said):
        return True
    return _OPEN.match(said[opening.end() :] if opening else said) is not None


def question_behind(message: str, language: str) -> Iterator[tuple[str, str]]:
    """The ways to split a message into something said and a question after it."""
    for at, joint in enumerate(_JOINT.finditer(message)):
        if at == _JOINTS:
            return
        said, asked = message[: joint.start()].strip(), message[joint.end() :].strip()
        clear = is_question(asked, answering=True) or means_why(asked, language)
        if said and clear and not is_question(said, answering=True):
            yield said, asked


def joints(message: str) -> Iterator[tuple[str, str]]:
    """The ways to split a message in two."""
    for at, joint in enumerate(_JOINT.finditer(message)):
        if at == _JOINTS:
            return
        first, second = message[: joint.start()].strip(), message[joint.end() :].strip()
        if first and second:
            yield first, second


def means_why(message: str, language: str) -> bool:
    """Whether a message is one of the short ways to ask back."""
    return means(message.strip(" ¿?¡!.").casefold(), "why", language)
