"""Short answers people give, as the language lists them: what needs no model."""

from functools import lru_cache
from typing import Final, NamedTuple

from soni.commands.consent_grammar import read_plainly
from soni.commands.consent_words import list_phrases
from soni.du.local.words.words import strip_accents
from soni.language import Language

_MAX_GREETING_WORDS = 4
"""The most words of a greeting."""


def is_cardinal(text: str, lang: Language) -> bool:
    """Whether a number says how many, and a place only where nothing is counted."""
    return text.isdecimal() or text in lang.words("lexicon.cardinals")


def is_yes_or_no(text: str, lang: Language) -> bool:
    """Whether the message is nothing but a yes or a no."""
    return means(text, "affirm", lang) or means(text, "deny", lang)


def is_greeting(text: str, lang: Language) -> bool:
    """Whether a message is nothing but greetings, thanks and the like, one after the other."""
    greeting, known = lang.words("lexicon.greeting"), _list_greeting_words(lang)
    words, at, found = text.split(), 0, False
    while at < len(words):
        runs = (" ".join(words[at : at + length]) for length in range(_MAX_GREETING_WORDS, 0, -1))
        said = next((run for run in runs if run in known), None)
        if said is None:
            return False
        found = found or said in greeting
        at += len(said.split())
    return found


@lru_cache(maxsize=16)
def _list_greeting_words(lang: Language) -> frozenset[str]:
    """Greetings, and what may be said beside one: yes, please, agreed."""
    names = ("greeting", "affirm", "around", "beside")
    agreements = map(" ".join, list_phrases("agreement", lang))
    return frozenset(agreements).union(*(lang.words(f"lexicon.{name}") for name in names))


def means(text: str, meaning: str, lang: Language) -> bool:
    """Whether the whole message is one of the phrases, in the language or in English.

    Words of politeness around it do not count, nor do accents.
    """
    known, plain = _list_plain_phrases(meaning, lang), _PLAIN_ANSWERS.get(meaning)
    spoken = (text, strip_polite_words(text, lang))
    if any(strip_accents(said) in known for said in spoken):
        return True
    return plain is not None and any(_find_plain_answer(said, lang) == plain for said in spoken)


_MAX_ANSWER_WORDS: Final = 12
_PLAIN_ANSWERS: Final = {"affirm": "yes", "deny": "no"}


def _find_plain_answer(text: str, lang: Language) -> str | None:
    answer = read_plainly(text, lang) if text.count(" ") < _MAX_ANSWER_WORDS else None
    return answer.says if answer is not None else None


@lru_cache(maxsize=256)
def _list_plain_phrases(meaning: str, lang: Language) -> frozenset[str]:
    return frozenset(map(strip_accents, lang.words(f"lexicon.{meaning}")))


def strip_polite_words(text: str, lang: Language) -> str:
    """A normal text without the polite words at its ends; itself if nothing else is left."""
    polite, backwards = _list_polite_words(lang)
    words = text.split()
    left = _count_polite_words(words, polite)
    rest = words[left:]
    right = _count_polite_words([*reversed(rest)], backwards)
    rest = rest[: len(rest) - right]
    return " ".join(rest) or text


@lru_cache(maxsize=16)
def _list_polite_words(lang: Language) -> tuple[frozenset[str], frozenset[str]]:
    polite = lang.words("lexicon.around")
    return polite, frozenset(" ".join(reversed(phrase.split())) for phrase in polite)


def _count_polite_words(words: list[str], polite: frozenset[str]) -> int:
    place = 0
    while place < len(words):
        for length in (2, 1):
            if " ".join(words[place : place + length]) in polite:
                place += length
                break
        else:
            break
    return min(place, len(words))


_MEANINGS: Final = ("stop", "yes", "no", "before", "sorry", "well")


class Opening(NamedTuple):
    """How a message begins, and the rest of it."""

    meaning: str
    """yes, no, stop, before, sorry or well: only the last says nothing about what follows."""

    rest: str
    but: bool = False
    """Whether a "but" follows."""


def strip_opening(message: str, lang: Language, *, asked: bool = False) -> Opening | None:
    """The message without its first words, if they say something by themselves.

    `asked`: yes or no was asked, so that a yes needs no comma after it.
    """
    for meaning in _MEANINGS:
        match = lang.pattern(f"openers.{meaning}").match(message)
        # Without a sign or a joining word "right hand" would be a yes.
        if match and (
            meaning in ("no", "before", "sorry", "well")
            or (asked and meaning == "yes")
            or lang.pattern("openers.joined").search(match[0])
        ):
            but = lang.pattern("openers.but").search(match[0]) is not None
            return Opening(meaning, message[match.end() :], but)
    return None
