"""Questions that users ask beside what they were asked, told by how they begin and end."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from soni.du.local.words.lexicon import means
from soni.language import Language

# Who says more in one message wants more than a rule can tell.
_MAX_SPLITS: Final = 5


def is_question(message: str, lang: Language, *, answering: bool) -> bool:
    """Whether a message asks; `answering`: it might as well be what was asked for."""
    said = _strip_lead(message.strip().casefold().replace("\u2019", "'"), lang)
    if not re.search(r"\w", said):
        return False
    ends = said.endswith("?")
    if lang.pattern("questions.exclaimed").match(said) and not ends:
        return False
    within = lang.pattern("questions.within").fullmatch(said)
    if ends and (within or lang.pattern("questions.in_general").search(said)):
        return True
    clear = lang.pattern("questions.clear").match(said) is not None
    if answering:
        return clear or (ends and lang.pattern("questions.opening").match(said) is not None)
    return ends or clear


def is_proposal(message: str, lang: Language) -> bool:
    """Whether a question offers a value rather than asking for one."""
    said = message.strip().casefold().replace("\u2019", "'")
    return lang.pattern("questions.proposed").fullmatch(said) is not None


def asks_openly(message: str, lang: Language) -> bool:
    """Whether a message asks for more than a yes or no: what, why, where, how it is in general."""
    said = message.strip().casefold()
    if lang.pattern("questions.in_general").search(said):
        return True
    return lang.pattern("questions.open").match(_strip_lead(said, lang)) is not None


def _strip_lead(said: str, lang: Language) -> str:
    lead = lang.pattern("questions.before").match(said)
    return said[lead.end() :] if lead else said


def split_question(message: str, lang: Language) -> Iterator[tuple[str, str]]:
    """The ways to split a message into something said and a question after it."""
    for said, asked in split_message(message, lang):
        clear = is_question(asked, lang, answering=True) or is_why_question(asked, lang)
        if clear and not is_question(said, lang, answering=True):
            yield said, asked


def split_message(message: str, lang: Language) -> Iterator[tuple[str, str]]:
    """The ways to split a message in two."""
    for joint in islice(lang.pattern("questions.joint").finditer(message), _MAX_SPLITS):
        first, second = message[: joint.start()].strip(), message[joint.end() :].strip()
        if first and second:
            yield first, second


def is_why_question(message: str, lang: Language) -> bool:
    """Whether a message is one of the short ways to ask back."""
    return means(message.strip(" ¿?¡!.").casefold(), "why", lang)
