"""An answer in free words: a name or a place, without what only leads to it."""

import re
from typing import Final

from soni.language import base_language

AFTER: Final = re.compile(
    r"(?:[\s,]+(?:please|pls|plz|thanks|thank you|i think|i guess|btw|by the way|fyi|"
    r"if that helps|por favor|gracias|creo|por cierto))+"
    r"[.!\s]*$|[.!\s]+$",
    re.IGNORECASE,
)
"""What people put behind an answer."""

_FILLERS: Final = r"um+|uh+|hmm*|well|ok|okay|so|oh|eh"
_VERBS: Final = r"use|take|try|call|ring"
_LEADS: Final = (
    r"it'?s|it is|that'?s|that is|this is|make it|let'?s say|i'?d say|put|write|"
    rf"(?:{_VERBS})(?!\s+of\b)|(?-i:just)|called|"
    r"i think|i guess|maybe|i want|i'?d like|i would like|i need|give me|call it|"
    r"my name is|(?:my|the) (?:\w+ ){1,3}(?:is|are|was|would be|should be)|i am|i'?m"
)
_TO: Final = r"to|for|from|at|in|on|by|into|(?-i:some)"


def _before(fillers: str, leads: str, to: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:{fillers})[,.\s]+)*(?:(?:{leads})(?:\s*:\s*|\s+)){{0,4}}(?:(?:{to})\s+(?=\w))?",
        re.IGNORECASE,
    )


_BEFORE: Final = _before(_FILLERS, _LEADS, rf"{_TO}|(?-i:a|A(?!\s+[A-ZÀ-Þ]))")
# Elsewhere these are names: Son Heung-min, De Niro.
_BEFORE_SPANISH: Final = _before(
    rf"{_FILLERS}|pues|bueno",
    rf"{_LEADS}|es|son|sería|ponle|pon|escribe|quiero|me llamo|soy|creo que|mi nombre es",
    rf"{_TO}|para|a(?!\s+coru[ñn]a\b)|desde|de|en|por",
)
# "Call of Duty", "Take That", "Well Street"; "I Am Legend", "This Is Us".
_TITLE: Final = re.compile(
    rf"(?:(?:{_VERBS.title()}|Put|Write|Well|So|Oh)\s+(?=[A-ZÀ-Þ]|of\s)|"
    r"[A-Z]\w*\s+[A-Z][a-z]+\s)"
)


def whole(message: str, language: str) -> str:
    """An answer in free words, without what only leads to it."""
    bare = AFTER.sub("", message.strip())
    before = _BEFORE_SPANISH if base_language(language) == "es" else _BEFORE
    lead = before.match(bare)
    end = lead.end() if lead else 0
    rest = bare[end:].strip()
    if len(rest) < 2 or (end and _is_title(bare, end)):
        return bare
    return rest.strip(' "“”')


def _is_title(text: str, end: int) -> bool:
    """Whether what seems to lead to a name is its beginning."""
    match = _TITLE.match(text)
    return match is not None and match.end() <= end
