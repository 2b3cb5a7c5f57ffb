"""ConfirmedQuestion: what a yes agrees to, as far as the yes may say it again."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from soni.commands.consent_words import list_phrases, list_words, split_question
from soni.language import Language

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n")


@dataclass(frozen=True)
class QuestionWord:
    """A word of the question that a message may say again."""

    text: str
    is_value: bool = False
    """It comes from a slot, so no other form of it will do."""


@dataclass(frozen=True)
class ConfirmedQuestion:
    """What a yes agrees to."""

    words: tuple[QuestionWord, ...] = ()
    """The words that may be said again, in their order."""

    verbs: tuple[str, ...] = ()
    """What would be done. An order to do just that is a yes."""

    names: frozenset[str] = frozenset()
    """Other words for it, such as the flow's name: they may follow a yes or such an order."""

    is_dated: bool = False
    """A day or a time is confirmed, which "now" would change."""

    gives_up: bool = False
    """It asks whether to give up the task: "cancel it" answers it."""

    def leaves_out_value(self, place: int, index: int) -> bool:
        """Whether a word before `place` would get another value than its own: "to savings"."""
        if not place or self.words[place - 1].is_value or not self.words[index].is_value:
            return False
        between = [word.is_value for word in self.words[place:index]]
        return any(one and not other for one, other in pairwise(between))


NO_QUESTION: Final = ConfirmedQuestion()
"""For where nothing may be said again."""


def parse_question(text: str, fixed: Collection[str] | None, lang: Language) -> ConfirmedQuestion:
    """The question of a text. `fixed`: the words that are no values; None: all of them."""
    sentences = [part for part in _SENTENCE_END.split(text) if part.strip()]
    last = sentences[-1] if sentences else ""
    asking = next((part for part in reversed(sentences) if "?" in part), last)
    words = tuple(_iter_repeatable_words(sentences, asking, fixed, lang))
    verb = _find_verb(split_question(asking), lang)
    return ConfirmedQuestion(words, (verb,) if verb else ())


def _iter_repeatable_words(
    sentences: Sequence[str], asking: str, fixed: Collection[str] | None, lang: Language
) -> Iterator[QuestionWord]:
    """Values, the two words before each ("at the 3rd"), and the sentence that asks."""
    unsaid = list_words("unsaid", lang)
    for sentence in sentences:
        words = split_question(sentence)
        values = [fixed is not None and word not in fixed for word in words]
        for at, word in enumerate(words):
            leads = sentence is asking or any(values[at + 1 : at + 3])
            if values[at] or (leads and word not in unsaid):
                yield QuestionWord(word, values[at])


def _find_verb(asking: Sequence[str], lang: Language) -> str | None:
    """The verb of "Shall I send it?" or "Send it?"."""
    place = 0
    for lead in sorted(list_phrases("asking", lang), key=len, reverse=True):
        starts = range(len(asking) - len(lead) + 1)
        found = next((at for at in starts if tuple(asking[at : at + len(lead)]) == lead), None)
        if found is not None:
            place = found + len(lead)
            break
    objects = list_phrases("object", lang)
    rest = [word for word in asking[place:] if (word,) not in objects]
    verb = rest[0] if rest else ""
    return verb if verb.isalpha() and verb not in list_words("unsaid", lang) else None
