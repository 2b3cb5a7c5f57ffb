"""The grammar of consent: whether a whole message is a plain yes or no."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Final, Literal

from soni.commands.confirmed_question import NO_QUESTION, ConfirmedQuestion
from soni.commands.consent_words import list_phrases, list_words, split_message
from soni.language import Language


class Role(Enum):
    """What a phrase does in a message. The value is the phrase's name in the language's file."""

    AGREES = "agreement"
    AGREES_SHORTLY = "short_agreement"
    ANSWERS = "short_answer"
    REFUSES = "refusal"
    FORBIDS = "prohibition"
    GIVES_UP = "giving_up"
    ACCOMPANIES = "companion"
    HURRIES = "at_once"
    LEADS = "lead"
    NAMES = "object"
    MOCKS = "irony"


@dataclass(frozen=True)
class PlainAnswer:
    """A message that is nothing but a yes or a no."""

    says: Literal["yes", "no"]
    is_bare: bool = True
    """It says nothing of the question again."""


def read_plainly(
    message: str, lang: Language, question: ConfirmedQuestion = NO_QUESTION
) -> PlainAnswer | None:
    """A yes or no, if all of the message says so; None otherwise."""
    return _load_grammar(lang).read(message, question)


def opens_with_yes(message: str, lang: Language) -> bool:
    """Whether a message begins with a yes, whatever follows."""
    return _load_grammar(lang).opens_with_yes(message)


@dataclass(frozen=True)
class _Cover:
    """How a message was read up to a word. Equal readings fall together, so there are few."""

    agrees: bool = False
    refuses: bool = False
    orders: bool = False
    """It orders what would be done."""

    has_object: bool = False
    """It also says what with: "block" alone may be a noun."""

    repeats: bool = False
    needs: Literal["", "deed", "close"] = ""
    """What must follow: a deed after "you can"; nothing about the question after "I have"."""

    @property
    def may_name(self) -> bool:
        known = self.agrees or self.orders or (self.refuses and self.repeats)
        return known and not self.needs


class _Grammar:
    def __init__(self, lang: Language) -> None:
        self._lang = lang
        self._phrases: dict[str, list[tuple[tuple[str, ...], Role]]] = {}
        for role in Role:
            for phrase in list_phrases(role.value, lang):
                self._phrases.setdefault(phrase[0], []).append((phrase, role))
        known = (phrase for found in self._phrases.values() for phrase, _ in found)
        self._vocabulary = frozenset(word for phrase in known for word in phrase)

    def read(self, message: str, question: ConfirmedQuestion) -> PlainAnswer | None:
        """All readings, word by word. Linear: phrases are short, and readings are few."""
        said = split_message(message)
        spellings = [self._list_spellings(word) for word in said]
        # For each reading, how far in the question it has come: earlier leaves more open.
        reached: list[dict[_Cover, int]] = [{} for _ in range(len(said) + 1)]
        reached[0][_Cover()] = 0
        for at, word in enumerate(said):
            phrases = list(self._find_phrases(spellings, at)) if reached[at] else []
            if any(role is Role.MOCKS for _, role in phrases):
                return None
            for reading, place in reached[at].items():
                for length, role in phrases:
                    after = _add_phrase(reading, role, question)
                    if after is not None:
                        _keep_earliest(reached[at + length], after, place)
                for after, next_place in self._repeat_word(word, reading, place, question):
                    _keep_earliest(reached[at + 1], after, next_place)
        return _judge_readings(reached[-1])

    def opens_with_yes(self, message: str) -> bool:
        said = split_message(message.replace("?", " ").replace("...", " "))[:_MAX_OPENING]
        found = self._find_phrases([self._list_spellings(word) for word in said], 0) if said else ()
        return any(role is Role.AGREES for _, role in found)

    def _find_phrases(
        self, spellings: Sequence[frozenset[str]], at: int
    ) -> Iterator[tuple[int, Role]]:
        for first in spellings[at]:
            for phrase, role in self._phrases.get(first, ()):
                rest = spellings[at + 1 : at + len(phrase)]
                pairs = zip(phrase[1:], rest, strict=False)
                if len(rest) == len(phrase) - 1 and all(word in known for word, known in pairs):
                    yield len(phrase), role

    def _repeat_word(
        self, word: str, reading: _Cover, place: int, question: ConfirmedQuestion
    ) -> Iterator[tuple[_Cover, int]]:
        """Readings in which the word says the question again, which it does in its order."""
        again = replace(reading, repeats=True, needs="")
        for verb in question.verbs:
            ordered = self._repeat_verb(word, verb, reading, question)
            if ordered is not None:
                yield ordered, place
        if reading.agrees and reading.needs == "deed" and word in question.names:
            yield again, place
        if not reading.may_name:
            return
        named = replace(again, has_object=reading.has_object or reading.orders)
        if word in question.names:
            yield named, place
        index = self._find_word(word, place, question)
        if index is not None and not question.leaves_out_value(place, index):
            yield named, index + 1

    def _repeat_verb(
        self, word: str, verb: str, reading: _Cover, question: ConfirmedQuestion
    ) -> _Cover | None:
        """The reading after a form of the question's verb; None: it is none, or says two things."""
        holds = self._find_object_form(word, verb)
        # "No, send it" says two things.
        if holds is None or (reading.refuses and not reading.needs):
            return None
        is_order = question.gives_up or not self._is_ambiguous(verb)
        return replace(
            reading,
            repeats=True,
            needs="",
            orders=reading.orders or (is_order and not reading.refuses),
            has_object=reading.has_object or holds,
        )

    def _find_word(self, word: str, place: int, question: ConfirmedQuestion) -> int | None:
        """Where in the question the word stands, at `place` or later."""
        for index in range(place, len(question.words)):
            known = question.words[index]
            if word == known.text:
                return index
            if not known.is_value and self._find_object_form(word, known.text) is False:
                return index
        return None

    def _find_object_form(self, word: str, verb: str) -> bool | None:
        """Whether a form of the verb holds its object ("envíalo"); None: it is no form of it."""
        endings = list_words("ending", self._lang)
        stems = {verb, *_strip_endings(verb, endings)}
        if stems & {word, *_strip_endings(word, endings)}:
            return False
        held = _strip_endings(word, list_words("ending_with_object", self._lang))
        return True if stems & {*held} else None

    def _is_ambiguous(self, verb: str) -> bool:
        known = list_words("ambiguous_deed", self._lang)
        return any(self._find_object_form(verb, one) is not None for one in known)

    def _list_spellings(self, word: str) -> frozenset[str]:
        """The words that somebody may have meant: "yess", "definately"."""
        if len(word) > _MAX_WORD:
            return frozenset()
        drawn = (_LAST_RUN.sub(r"\1", word), _RUN.sub(r"\1", word), _RUN.sub(r"\1\1", word))
        # "YY" is a code, not a drawn-out "y".
        found = {word, *(each for each in drawn if len(each) > 1)}
        if len(word) >= _MIN_MISSPELT and not found & self._vocabulary:
            found |= {known for known in self._vocabulary if _is_misspelt(word, known)}
        return frozenset(found)


_MAX_WORD: Final = 24
_MAX_OPENING: Final = 6
# In a shorter word one letter makes another word: "yes" and "yet".
_MIN_MISSPELT: Final = 6
_MIN_STEM: Final = 3
_LAST_RUN: Final = re.compile(r"(.)\1+$")
_RUN: Final = re.compile(r"(.)\1{2,}")


@lru_cache(maxsize=16)
def _load_grammar(lang: Language) -> _Grammar:
    return _Grammar(lang)


def _is_misspelt(word: str, known: str) -> bool:
    """Whether one letter is missing, too many, wrong, or two have changed places."""
    if known[0] != word[0] or abs(len(known) - len(word)) > 1 or len(known) < _MIN_MISSPELT:
        return False
    shorter, longer = sorted((word, known), key=len)
    pairs = enumerate(zip(shorter, longer, strict=False))
    start = next((at for at, (one, other) in pairs if one != other), len(shorter))
    if len(shorter) < len(longer):
        return shorter[start:] == longer[start + 1 :]
    crossed = word[start : start + 2] == known[start : start + 2][::-1]
    return word[start + 1 :] == known[start + 1 :] or (
        crossed and word[start + 2 :] == known[start + 2 :]
    )


def _strip_endings(word: str, endings: Iterable[str]) -> Iterator[str]:
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM:
            yield word[: -len(ending)]


def _keep_earliest(readings: dict[_Cover, int], reading: _Cover, place: int) -> None:
    readings[reading] = min(place, readings.get(reading, place))


def _add_phrase(reading: _Cover, role: Role, question: ConfirmedQuestion) -> _Cover | None:
    """The reading with a phrase behind it; None: the phrase does not belong there."""
    match role:
        case Role.AGREES:
            return replace(reading, agrees=True, needs="")
        case Role.LEADS:
            return replace(reading, needs="deed")
        case _ if reading.needs == "deed":
            return None
        case Role.FORBIDS:
            return replace(reading, refuses=True, needs="deed")
        case Role.REFUSES:
            return replace(reading, refuses=True)
        case Role.GIVES_UP if question.gives_up:
            return replace(reading, agrees=True)
        case Role.ANSWERS if question != NO_QUESTION:
            return None
        case Role.AGREES_SHORTLY | Role.ANSWERS:
            return replace(reading, agrees=True, needs="close")
        case Role.ACCOMPANIES:
            return reading
        case Role.HURRIES if not question.is_dated:
            return reading
        case Role.NAMES if reading.may_name and question != NO_QUESTION:
            return replace(reading, has_object=reading.has_object or reading.orders)
    return None


def _judge_readings(readings: Iterable[_Cover]) -> PlainAnswer | None:
    """The answer of the readings of a whole message. One that refuses makes it no yes."""
    whole = [each for each in readings if each.needs != "deed"]
    if any(each.refuses for each in whole):
        return _make_plain_answer("no", filter(_is_plain_no, whole))
    return _make_plain_answer("yes", filter(_is_plain_yes, whole))


def _make_plain_answer(
    says: Literal["yes", "no"], readings: Iterable[_Cover]
) -> PlainAnswer | None:
    repeats = [each.repeats for each in readings]
    return PlainAnswer(says, not all(repeats)) if repeats else None


def _is_plain_no(reading: _Cover) -> bool:
    return reading.refuses and not (reading.agrees or reading.orders)


def _is_plain_yes(reading: _Cover) -> bool:
    return reading.agrees or (reading.orders and reading.has_object)
