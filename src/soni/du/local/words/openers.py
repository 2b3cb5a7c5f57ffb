"""How a message begins: a yes, a no, a stop, before what it is really about."""

import re
from typing import Final, NamedTuple

_AND = (
    r"(?:\s*[,.;:!]+\s*(?:-+\s+)?|\s+(?:-+\s+)?|-+\s+)"
    r"(?:(?:and|but|also|then|so|please|well|y|pero|también|luego)\s+)*"
)
_YES = (
    r"yes|yeah|yep|yup|sure|ok|okay|alright|right|correct|exactly|great|perfect|fine|of course|"
    r"s[íi]|vale|claro(?: que s[íi])?|de acuerdo|perfecto|por supuesto|correcto|exacto|genial|"
    r"eso es|desde luego|"
    # Before a word these say how it is: "sweet wine".
    r"(?:lovely|brilliant|wonderful|super|superb|awesome|excellent|fantastic|splendid|sweet|cool|"
    r"nice|gladly|aye|spot on|all (?:good|true|correct|fine)|that'?s (?:right|it|me)|"
    r"go ahead|absolutely|definitely|certainly|agreed)"
    r"(?=\s*[,.;:!]|\s+and\b)"
)
_NO = (
    r"no(?! (?:more|less|later|earlier|need|one|idea|way|matter|problems?|probs?|worries|"
    r"bother|biggie|hay (?:ning[úu]n )?problema|pasa nada)\b)"
    r"(?:pe)?(?: no)*(?:,? (?:thanks|thank you|gracias))?|nah|nope|wrong|almost|not quite|"
    r"that'?s wrong|casi|mal|incorrecto|qu[ée] va|para nada|en absoluto|ni hablar|nada de eso"
)
_STOP = (
    r"never ?mind|(?:please )?(?:cancel|stop|forget|drop|leave|abort)"
    r"(?: (?:it|that|this|everything|all|about it|about that|the whole thing|this one))*|"
    r"cancela(?: (?:eso|esto|todo))?|"
    r"olv[íi]dal[oa]|d[ée]jal[oa]|d[ée]jalo estar|no importa|olvida eso|canc[ée]lal[oa]|"
    r"an[úu]lal[oa]|olv[íi]date(?: de (?:eso|esto|todo))?|mejor lo dejamos"
)
_SORRY = (
    r"(?:(?:i'?m|i am|we'?re|we are) )?(?:(?:so|very|really|terribly|awfully) )*sorry"
    r"(?: (?:to (?:bother|trouble|disturb) you|about (?:this|that)|"
    r"for the (?:trouble|bother|hassle|mix-?up|confusion|short notice)))?|"
    r"(?:my )?apologies|my bad|"
    r"wait|hold on|hang on|oh|oops|actually|excuse me|you know what|on second thoughts?|"
    r"perd[óo]n(?:a|e)?|disculp[ae]|espera|huy|uy|ay|ah|anda|vaya|en realidad|un momento|"
    r"lo siento|pensándolo bien"
)
_WELL = (
    r"hmm*|uh+m*|um+|br+|well|listen|hey|hi|hiya|heya|howdy|hello|omg|ugh|"
    r"by the way|btw|thanks|thank you|before (?:that|this|we (?:go on|continue|do that))|"
    r"(?:good )?(?:morning|afternoon|evening)|buen[oa]s(?: d[íi]as| tardes| noches)?|"
    r"oye|hola|gracias|bueno|pues|a ver|mira|por cierto|"
    r"(?:no (?:problem|worries|prob)(?: at all)?|no hay (?:ning[úu]n )?problema|"
    r"ning[úu]n problema|sin problema|no pasa nada)(?=\s*[,.;:!-])"
)
_BEFORE = (
    r"(?:but |wait |ok(?:ay)? )?(?:before that|(?:before (?:this|we (?:do that|go on|continue)|"
    r"anything else)|first(?: of all| things? first)?|one (?:other )?thing (?:first|before that))"
    r"(?=[,:])|first(?=,? (?:i|can|could|let'?s)\b))"
)
_OPENERS: Final = {
    meaning: re.compile(rf"\s*(?:{words})(?:{_AND})(?=\S)", re.IGNORECASE)
    for meaning, words in (
        ("stop", _STOP),
        ("yes", _YES),
        ("no", _NO),
        ("before", _BEFORE),
        ("sorry", _SORRY),
        ("well", _WELL),
    )
}
_BUT: Final = re.compile(r"\b(?:but|pero|except|only)\s*$", re.IGNORECASE)


class Opened(NamedTuple):
    """How a message begins, and the rest of it."""

    meaning: str
    """yes, no, stop, before, sorry or well: only the last says nothing about what follows."""

    rest: str
    but: bool = False
    """Whether a "but" follows."""


def opened(message: str, *, asked: bool = False) -> Opened | None:
    """The message without its first words, if they say something by themselves.

    `asked`: yes or no was asked, so that a yes needs no comma after it.
    """
    for meaning, pattern in _OPENERS.items():
        match = pattern.match(message)
        # Without a sign or a joining word "right hand" would be a yes.
        if match and (
            meaning in ("no", "before", "sorry", "well")
            or (asked and meaning == "yes")
            or _joined(match[0])
        ):
            return Opened(meaning, message[match.end() :], _BUT.search(match[0]) is not None)
    return None


def _joined(opening: str) -> bool:
    return (
        re.search(r"[,.;:!\-]|\b(?:and|but|then|also|please|so|y|pero|luego)\s*$", opening)
        is not None
    )
