"""Reading a text for what it states: numbers, dates, addresses, names, outcomes."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from soni.core.constants import MASK
from soni.core.facts import english, spanish
from soni.core.texts import base_language

_RULES: Final = (english, spanish)
_TOKENS: Final = re.compile(
    r"""
    (?P<address>(?:https?://|www\.)[^\s<>"]+ | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
        | [a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:/[^\s<>"]*)?)
  | (?P<half>\b[ap]\.\s?m\b\.?)
  | (?P<number>(?<!\w)[-+\u2212]?[^\W\d]*\d\w*(?:[.,:/'\u2019-][^\W\d]*\d\w*)*)
  | (?P<word>[^\W\d_]+(?:['\u2019-][^\W\d_]+)*)
  | (?P<symbol>[%$€£¥₹°{}<>\[\]])
  | (?P<stop>[.!?…:;\n"“”«»¿¡(\u2022*\u2013\u2014]+)
    """,
    re.VERBOSE,
)
_STATED: Final = frozenset({"mark", "address", "half", "number", "symbol"})
_SENTENCE: Final = re.compile(r"\w[^\w\n]*?(?:[.!?\u2026]+(?=\s|$|[\"'\u201d\u00bb)])|\n|$)")
_ENDS: Final = ".,:;!?)…"
_I: Final = frozenset({"i", "i'm", "i'll", "i've", "i'd", "ok"})


@dataclass(frozen=True)
class Statements:
    """What a text states."""

    facts: tuple[str, ...]
    """In their order: values, numbers, times, units, limits, outcomes, addresses."""

    names: tuple[str, ...]
    """Words with a capital that does not come from beginning a sentence, in their order."""

    words: frozenset[str]
    """All words, in small letters."""

    digits: str
    negations: int
    sentences: int
    asks: bool
    """Whether it has a question."""

    ends_asking: bool


def statements_of(text: str, language: str, marks: Collection[str] = ()) -> Statements:
    """Read a text; `marks` stand in it for values."""
    words, facts, names = _words(language), list[str](), list[str]()
    said: list[str] = []
    negations, starts = 0, True
    for kind, token in _tokens(text, marks):
        word = token.casefold().replace("\u2019", "'")
        if kind in _STATED:
            facts.append(token)
        elif kind == "word":
            if _is_name(token, starts, words):
                names.append(token)
            if word in words.negations or word.endswith("n't"):
                negations += 1
            elif word in words.facts or _counts(word, said, words) or _is_spelled(word, words):
                facts.append(word)
        starts = kind == "stop"
        said.append(word if kind == "word" else "")
    bare = text.rstrip(" \"'”»)")
    return Statements(
        facts=tuple(facts),
        names=tuple(names),
        words=frozenset(filter(None, said)),
        digits="".join(sign for sign in _without(text, marks) if sign.isnumeric()),
        negations=negations,
        sentences=len(_SENTENCE.findall(text)),
        asks="?" in text,
        ends_asking=bare.endswith("?"),
    )


def _tokens(text: str, marks: Collection[str]) -> Iterator[tuple[str, str]]:
    given = (*marks, MASK)
    known = re.compile("|".join(re.escape(mark) for mark in sorted(given, key=len, reverse=True)))
    at = 0
    for mark in known.finditer(text):
        yield from _plain_tokens(text[at : mark.start()])
        yield "mark", mark.group()
        at = mark.end()
    yield from _plain_tokens(text[at:])


def _plain_tokens(text: str) -> Iterator[tuple[str, str]]:
    for found in _TOKENS.finditer(text):
        kind, token = str(found.lastgroup), found.group()
        bare = token.rstrip(_ENDS) if kind == "address" else token
        yield kind, bare
        if bare != token:
            yield "stop", token[len(bare) :]


def _without(text: str, marks: Collection[str]) -> str:
    for mark in marks:
        text = text.replace(mark, " ")
    return text


@dataclass(frozen=True)
class _Words:
    numbers: frozenset[str]
    ones: frozenset[str]
    facts: frozenset[str]
    negations: frozenset[str]
    openers: frozenset[str]


@lru_cache(maxsize=8)
def _of(both: bool) -> _Words:
    rules = _RULES if both else _RULES[:1]
    numbers = frozenset[str]().union(*(each.NUMBERS for each in rules))
    stated = (
        words for each in rules for words in (each.TIMES, each.UNITS, each.LIMITS, each.OUTCOMES)
    )
    facts = numbers.union(*stated)
    return _Words(
        numbers=numbers,
        ones=frozenset[str]().union(*(each.ONES for each in rules)),
        facts=facts,
        negations=frozenset[str]().union(*(each.NEGATIONS for each in rules)),
        openers=facts.union(*(each.OPENERS for each in rules)),
    )


def _words(language: str) -> _Words:
    """Other languages are read by both: a word too many only means that less is reworded."""
    return _of(both=base_language(language) != "en")


def _is_name(token: str, starts: bool, words: _Words) -> bool:
    word = token.casefold().replace("\u2019", "'")
    if word in _I or not any(sign.isupper() for sign in token):
        return False
    # Only the first letter of a sentence is large by itself.
    return not (starts and word in words.openers and not any(map(str.isupper, token[1:])))


def _counts(word: str, said: list[str], words: _Words) -> bool:
    """Whether a one is part of a number: "twenty one", "treinta y uno"; "this one" is none."""
    if word not in words.ones or not said:
        return False
    before = said[-2] if said[-1] in ("and", "y") and len(said) > 1 else said[-1]
    return before in words.numbers


def _is_spelled(word: str, words: _Words) -> bool:
    """Whether a number is part of a longer word: "twenty-one", "two-hour"."""
    return "-" in word and any(part in words.facts for part in word.split("-"))
