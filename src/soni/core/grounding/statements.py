"""Extracts what a text states: numbers, dates, addresses, names, outcomes."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from soni.core.constants import MASK
from soni.core.grounding.clauses import Clause, ClauseCollector, Lexicon, find_lexicon

_TOKENS: Final = re.compile(
    r"""
    (?P<address>(?:https?://|www\.)[^\s<>"]+ | [\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+
        | [a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.[a-z]{2,}(?:/[^\s<>"]*)?)
  | (?P<half>\b[ap]\.\s?m\b\.?)
  | (?P<number>(?<!\w)[-+\u2212]?[^\W\d]*\d\w*(?:[.,:/'\u2019-][^\W\d]*\d\w*)*)
  | (?P<word>[^\W\d_]+(?:['\u2019-][^\W\d_]+)*)
  | (?P<comma>,)
  | (?P<symbol>[%$€£¥₹°{}<>\[\]])
  | (?P<stop>[.!?…:;\n"“”«»¿¡(\u2022*\u2013\u2014]+)
    """,
    re.VERBOSE,
)
_FACT_KINDS: Final = frozenset({"mark", "address", "half", "number", "symbol"})
_SENTENCE: Final = re.compile(
    r"\w[^\w\n]*?(?:(?<![.!?\u2026])[.!?\u2026]++(?=\s|$|[\"'\u201d\u00bb)])|\n|$)"
)
_END_TOKEN: Final = ("stop", "", "")
_CLOSING_SIGNS: Final = ".,:;!?)…"


@dataclass(frozen=True)
class Statements:
    """What a text states."""

    facts: tuple[str, ...]
    """In their order: values, numbers, times, units, limits, outcomes, addresses."""

    names: tuple[str, ...]
    """Capitalised words, in order, except those that only begin a sentence."""

    words: frozenset[str]
    """All words, in small letters."""

    clauses: tuple[Clause, ...]
    lexicon: Lexicon
    """The words that it was read by."""

    digits: str
    sentences: int
    asks: bool
    ends_asking: bool


def read_statements(text: str, language: str, marks: Collection[str] = ()) -> Statements:
    """Read a text; `marks` stand in it for values."""
    words, facts, names = find_lexicon(language), list[str](), list[str]()
    said, clauses, starts = list[str](), ClauseCollector(words), True
    tokens = [(kind, token, _normalise_token(token)) for kind, token in _split_tokens(text, marks)]
    for (kind, token, word), (_, _, after) in pairwise([*tokens, _END_TOKEN]):
        if kind in _FACT_KINDS:
            facts.append(token)
        elif kind == "word":
            if _is_name(token, starts, words):
                names.append(token)
            if not words.is_negation(word) and (
                word in words.facts
                or _is_counted_one(word, said, after, words)
                or _is_spelled(word, words)
            ):
                facts.append(word)
        clauses.add_token(kind, token if kind in _FACT_KINDS else word)
        starts = kind == "stop"
        said.append(word if kind == "word" else "")
    bare = text.rstrip(" \"'”»)")
    return Statements(
        facts=tuple(facts),
        names=tuple(names),
        words=frozenset(filter(None, said)),
        clauses=clauses.get_clauses(),
        lexicon=words,
        digits="".join(sign for sign in _remove_marks(text, marks) if sign.isnumeric()),
        sentences=len(_SENTENCE.findall(text)),
        asks="?" in text,
        ends_asking=bare.endswith("?"),
    )


def _split_tokens(text: str, marks: Collection[str]) -> Iterator[tuple[str, str]]:
    given = (*marks, MASK)
    known = re.compile("|".join(re.escape(mark) for mark in sorted(given, key=len, reverse=True)))
    at = 0
    for mark in known.finditer(text):
        yield from _split_plain_tokens(text[at : mark.start()])
        yield "mark", mark.group()
        at = mark.end()
    yield from _split_plain_tokens(text[at:])


def _split_plain_tokens(text: str) -> Iterator[tuple[str, str]]:
    for found in _TOKENS.finditer(text):
        kind, token = str(found.lastgroup), found.group()
        bare = token.rstrip(_CLOSING_SIGNS) if kind == "address" else token
        yield kind, bare
        if bare != token:
            yield "stop", token[len(bare) :]


def _remove_marks(text: str, marks: Collection[str]) -> str:
    for mark in marks:
        text = text.replace(mark, " ")
    return text


def _normalise_token(token: str) -> str:
    return token.casefold().replace("\u2019", "'")


def _is_name(token: str, starts: bool, words: Lexicon) -> bool:
    word = _normalise_token(token)
    if word in words.capitals or not any(sign.isupper() for sign in token):
        return False
    # At the beginning of a sentence every word has a capital.
    return not (starts and word in words.openers and not any(map(str.isupper, token[1:])))


def _is_counted_one(word: str, said: list[str], after: str, words: Lexicon) -> bool:
    """Whether "one" is a number, as in "twenty one" and "one bag", but not in "this one"."""
    if word not in words.ones:
        return False
    last, before = ["", "", *said][-1], ["", "", *said][-2]
    if (before if last in words.number_joint else last) in words.numbers:
        return True
    # "One" before a thing counts it; "un" and "una" may also be articles.
    is_thing = after in words.partitive or not words.is_function_word(after)
    counted = after[:1].isalpha() and is_thing
    return word in words.counting and last not in words.pointing and counted


def _is_spelled(word: str, words: Lexicon) -> bool:
    """Whether a number is part of a longer word: "twenty-one", "two-hour"."""
    return "-" in word and any(part in words.facts for part in word.split("-"))
