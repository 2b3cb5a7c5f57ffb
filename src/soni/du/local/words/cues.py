"""Words that tell what somebody is up to, in English and Spanish."""

import re
from typing import Final


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts), re.IGNORECASE)


_LET_US: Final = (
    r"(?:ok(?:ay)?,?\s+|now\s+|but\s+|no,?\s+|let'?s\s+|please\s+|(?:can|could) (?:we|you)\s+|"
    r"(?:i|we) (?:want|need|have) to\s+|(?:i|we)'?d (?:like|rather)\s+(?:to\s+)?|just\s+)*"
)
_AGAIN: Final = (
    r"(?:(?:go|get)\s+)?(?:back to|continue(?: with)?|resume|return to|(?:carry|go|get) on with|"
    r"finish(?: up| off)?(?: with)?|wrap up|"
    r"vuelve a|volver a|volvamos a|sigue con|sigamos con|continúa con)"
)
_OUR: Final = r"(?:the\s+|my\s+|that\s+|la\s+|el\s+)?"
_SETTLE: Final = (
    rf"(?:{_AGAIN}|do|sort(?: out)?|deal with|take care of|handle|settle|complete|get)\s+"
)
_END: Final = r"(?:\s+(?:now|then|again|please))*[.!?]*"
RESUME: Final = (
    _pattern(_LET_US, _AGAIN, r"\s+", _OUR, r"(?P<flow>.+?)(?:\s+first)?", _END),
    _pattern(
        rf"(?=.*\b(?:let'?s|can we|could we|the|my|do|sort)\b){_LET_US}(?:{_SETTLE})?{_OUR}",
        r"(?P<flow>[\w' ]+?)\s+first",
        _END,
    ),
    _pattern(
        rf"first,?\s+(?=let'?s|the\b|my\b|can|could|i\b|we\b){_LET_US}(?:{_SETTLE})?{_OUR}",
        r"(?P<flow>[\w' ]+?)",
        _END,
    ),
)
"""Back to another task, or that one before this."""

CANCEL: Final = _pattern(
    r"(?:please\s+|can you\s+|i want to\s+|i'?d like to\s+)*",
    r"(?:(?:let'?s\s+|just\s+)*(?:cancel|stop|forget|drop|abort|scrap|end|quit|never ?mind|",
    r"don'?t bother)(?: about| with)?|cancela|anula|olvida)\s+",
    r"(?:the\s+|my\s+|this\s+|that\s+|la\s+|el\s+|esta\s+|este\s+)*(?P<flow>[\w' ]+?)[.!]*",
)
"""Give a task up, by its name."""

CHANGE: Final = _pattern(r"\b(?:change|correct|update|edit|fix|redo)\b")
"""Something is to be another way, it is not said how."""

POINTS: Final = _pattern(
    r"\b(?:there|then|same|again|another|its?|that|those|this|these|them|ones?|",
    r"both|him|her)\b",
)
"""Something that was said before is meant."""

THIS: Final = _pattern(r"\b(?:this|est[ea])\b")
"""What is going on now."""

PLACE: Final = _pattern(
    r"(?:the |number |option |el |la |número |opción )*",
    r"(?:\d{1,3}|last|first|second|third|fourth|fifth|",
    r"último|última|primer[oa]|segund[oa]|tercer[oa]|cuart[oa]|quint[oa])(?: one| option)?|",
    r"more|next|show more|previous|más|siguientes|anteriores",
)
"""A place in a list, or another page of it."""

ANOTHER: Final = _pattern(
    r"\b(?:another|one more|a second|a new|again|additional|otr[oa]|una? más)\b"
    r"(?!\s+(?:day|time|moment|occasion|week|place|way|d[íi]a|vez|momento|semana))"
)
"""Once more what was done before."""

ONE_MORE: Final = _pattern(
    r"\b(?:(?:another|one more|a second)(?: one)?|otr[oa])\b"
    r"(?!\s+(?:day|time|moment|occasion|week|place|way|día|vez|momento|semana))"
)
"""The same, and it need not be said what."""

OWNED: Final = _pattern(r"(?:my|our|his|her|their|mi|mis|nuestr[oa]|su)\s+\w")
"""Somebody or something by whose it is."""

SIGNS: Final = _pattern(r"[{}<>%\\^*=|~\[\]]")
"""Signs that no sentence has: whoever types them means them."""

HUMAN: Final = _pattern(
    r"\b(?:connect|transfer|put|pass|hand|forward) me (?:through |over |on )?(?:to|with)\b|",
    r"\b(?:talk|speak|chat) (?:to|with) (?:a |an |the |your |some)?(?:real |live |human |actual )*",
    r"(?:human|person|people|agent|one|body|representative|operator|staff|manager|advis\w+|",
    r"employee|colleague|team)\b|\b(?:get|give|find) me (?:a|an|some|your)\s?(?:real |live )*",
    r"(?:human|person|agent|one|body|representative|operator|manager|supervisor)\b",
)
"""Wants a person."""

WANT: Final = _pattern(
    r"\b(?:i|we)(?:'?d| would)?(?: (?:also|really|still|first|just))* ",
    r"(?:need|want|have|like|love) (?:to|an?|my|some|you)\b|",
    r"\b(?:i wanna|gotta|i must)\b|\b(?:can|could|would) you\b",
)
"""A wish in plain words."""

POLITE: Final = _pattern(
    r"\s*(?:(?:can|could|would|will) (?:you|i|we|someone|somebody)\b|(?:i|we)\b|",
    r"¿?\s*(?:(?:y|oye|hola)\s+)?(?:me|nos)\s|",
    r"¿?\s*(?:puede[sn]?|pod[ée]is|podr[íi]a(?:s|n|is)?|puedo|podemos|",
    r"ser[íi]a posible)\s+(?!saber|preguntar)(?:\w+\s)?\w+r(?:[mtsl]e|nos|l[oa]s?)*\b)",
)
"""A wish in the form of a question."""

ASKING: Final = _pattern(
    r"\s*(?:(?:hi|hello|hey|please|and|so|but|ok|well)\b[\s,]*)*",
    r"(?:(?:can|could|would|will|may) (?:you|u|i|we|someone|somebody|my|your)\b|",
    r"(?:is it|would it be) possible\b|any chance\b|(?:i|we)\b)",
)
"""A sentence about what somebody wants or has, or a wish in the form of a question."""

REQUEST: Final = _pattern(r"\s*(?:can|could|would|will|may|shall)\b")
"""A question that may be a wish."""

HOW_TO: Final = _pattern(
    r"\b(?:how|where|what) (?:do|can|could|would|should|must) (?:i|we)\b|\bhow to\b"
)
"""Who asks this wants to do it, more often than not."""

DONE: Final = _pattern(
    r"(?P<done>(?:i|we)(?:'ve| have)?(?: already| just)?\s+"
    r"(?:\w+ed|bought|made|sent|paid|got|have|had|did|wrote|put)\b.*?)[,;.]?\s+"
    r"(?:but|however|and now|only|pero)\s+(?P<now>.+)"
)
"""Something that was done before, and what is wrong with it now."""

PERSON: Final = _pattern(
    r"\b(?:talk|speak|chat|connect me|get me|put me|pass me|hand me)\b.{0,20}\b"
    r"(?:human|person|agent|someone|somebody|representative|operator|advis[eo]r)\b|"
    r"\b(?:can|could|may) (?:a|an|some) (?:human|person|agent|real person|colleague)\b"
    r"(?=\W*$| (?:please )?(?:help|talk|call|speak|contact|take (?:over|care)|look|answer|assist|"
    r"explain|deal|handle|sort)\b)"
)
"""A call for a person, whatever else is asked."""

NO_PERSON: Final = _pattern(
    r"\b(?:no|not|don'?t|do not|never|without|rather not)(?: (?:want|need|like|wish|have|to|talk|"
    r"speak|chat|with|be|connected?|me|get|put|through|transfer(?:red)?|any|an?|some|real|live|"
    r"another))* (?:human|person|agent|someone|somebody|representative|operator|advis[eo]r)\b"
)
"""Just nobody is wanted."""

FACT: Final = _pattern(
    r"\b(?:costs?|fees?|charged?|charges|price|free of|how long|how soon|why|"
    r"what(?:'?s| is) an?|tarda|cuesta|gratis)\b"
)
"""A question about a thing, not a wish for it."""

PEOPLE: Final = _pattern(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|per|each)\s+(?:person|people)\b"
)
"""How many, not who."""

WISHING: Final = _pattern(
    r"\s*(?:and |so |but )*(?:(?:are there|do you have|have you got) any\b|any chance\b|"
    r"how (?:do|can|could|would) (?:i|we) (?:get|order|make|book|start|buy)\b|"
    r"¿?\s*(?:ten[ée]is|tienen|hay|quedan?|vend[ée]is|venden)\s+(?:alg\w+|sitio|hueco|libre)\b)"
)
"""A question that only somebody asks who wants the thing."""

# The sense of a sentence alone is too easily wrong about these: a word must say so as well.
CLUES: Final = {
    act: _pattern(rf"\b(?:{'|'.join(words)})", r"\b" if act in ("affirm", "deny") else "")
    for act, words in {
        "affirm": (
            "yes|yeah|yep|ok|okay|sure|right|correct|good|fine|great|go|do|confirm|proceed",
            "perfect|exactly|agree|works?|absolutely|definitely|please|fantastic|love|accept",
        ),
        "deny": (
            "no|not|nope|don'?t|do not|wrong|never|isn'?t|incorrect|mistake|neither|none|bad",
        ),
        "human": (
            "human|person|people|agent|some(?:one|body)|representative|operator|staff|support",
            "manager|supervisor|advis|employee|colleague|service|team|bot|robot|machine|real",
        ),
        "cancel": (
            "cancel|stop|forget|abort|drop|leave|quit|never ?mind|mind|don'?t want|not now",
            "any ?more|give up|scrap|end|later|another time|bother|no more|exit|call it off|out of",
        ),
        "repeat": (
            "repeat|again|say|said|ask|pardon|catch|hear|miss|once more|come again|question|get",
        ),
        "ask": (
            "explain|help|what|how|why|which|who|when|where|tell me|question|understand|mean",
            "wonder|know|is|are|do|does|can|more about",
        ),
        "chat": (
            "thank|hello|hi|hey|bye|good|nice|love|you|ha(?:ha)+|he(?:he)+|lol|funny|cool|great",
            "sorry|weather|morning|evening|night|joke|ro?bot|awesome|wow|welcome|stupid|annoying",
            "bored|tired|meet|see",
        ),
        "skip": (
            "skip|don'?t|not|no\\b|any|whatever|matter|rather|empty|blank|none|nothing|pass|next",
            "choose|up to you|idea|fine|mind",
        ),
    }.items()
}
