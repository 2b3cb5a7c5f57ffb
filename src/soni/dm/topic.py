"""Topic: what a user's question is about, judged by its words."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from soni.flow.voice import make_label
from soni.knowledge.words import extract_stems, is_filler, split_words
from soni.language import Language, find_language


@dataclass(frozen=True)
class Topic:
    """The topic of a question. Empty: it is about the open prompt."""

    text: str
    language: str
    slot: str | None = None
    """The slot that was asked."""

    @cached_property
    def _lang(self) -> Language:
        return find_language(self.language)

    @cached_property
    def said(self) -> str:
        """Its words, folded."""
        return " ".join(split_words(self.text))

    @property
    def is_why(self) -> bool:
        """Whether it asks for a reason."""
        return self._lang.pattern("topics.why").match(self.said) is not None

    @property
    def is_which(self) -> bool:
        """Whether it asks what there is to choose from."""
        return self._lang.pattern("topics.which").match(self.said) is not None

    @property
    def is_help(self) -> bool:
        """Whether it asks for help with anything."""
        return self.said in self._lang.words("topics.help")

    @property
    def is_about_abilities(self) -> bool:
        """Whether it asks what the assistant can do."""
        return self._lang.pattern("topics.abilities").fullmatch(self.said) is not None

    @property
    def is_bare(self) -> bool:
        """Whether it names no subject except the asked slot."""
        own = set(split_words(make_label(self.slot))) if self.slot is not None else set()
        words = (word for word in self.said.split() if word not in own)
        return self.is_help or all(map(self._is_generic_word, words))

    @property
    def is_about_the_question(self) -> bool:
        """Whether it is about the open prompt: empty, why, which, help, or the slot's name."""
        asks_back = not self.said or self.is_why or self.is_which or self.is_help
        return asks_back or (self.is_bare and self._names_the_slot)

    @property
    def _names_the_slot(self) -> bool:
        own = split_words(make_label(self.slot)) if self.slot is not None else []
        return bool(own) and set(own) <= set(self.said.split())

    def is_about(self, slot: str) -> bool:
        """Whether it names this slot."""
        own = set[str]()
        for word in split_words(make_label(slot)):
            own.update(extract_stems(word, self.language))
        words = [(word, extract_stems(word, self.language)) for word in self.said.split()]
        if not own or not own <= {stem for _, found in words for stem in found}:
            return False
        bare = all(own.issuperset(found) or self._is_generic_word(word) for word, found in words)
        return bare or self.is_why or self.is_which

    def is_covered_by(self, texts: Iterable[str]) -> bool:
        """Whether these texts contain at least half of its words."""
        stems = extract_stems(self.text, self.language)
        about = [stem for stem in stems if not is_filler(stem, self._lang)]
        known = {stem for text in texts for stem in extract_stems(text, self.language)}
        return bool(about) and 2 * sum(stem in known for stem in about) >= len(about)

    def _is_generic_word(self, word: str) -> bool:
        """Whether a word fits any question, and so says nothing about the topic."""
        if word in self._lang.words("topics.about_question"):
            return True
        return is_filler(word, self._lang) and word not in self._lang.words("topics.subject")
