"""Topic: what a question beside the flow is about, as far as its words tell."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from soni.flow.voice import label
from soni.knowledge.words import is_filler, plain_words, stems
from soni.language import Language, find_language

_ABILITIES: Final = re.compile(
    r"(and |but )?what (else )?(can|could) (you|i|we) (do|ask)( you)?( here| now| for me)?|"
    r"what do you do( here)?|(how|what) can you help( me| us)?( with)?( here)?|"
    r"(y |pero )?que (mas )?(puedes|sabes|podeis|puedo|podemos) (hacer|pedir)(te)?"
    r"( aqui| ahora| por mi)?|que haces( aqui)?|"
    r"((en|con) que|como) ((me )?puedes ayudar|puedes ayudarme)( aqui)?"
)
_HELP: Final = frozenset({"help", "help me", "i need help", "please help", "help please", "ayuda",
                          "ayudame", "necesito ayuda", "ayuda por favor"})  # fmt: skip
_WHY: Final = re.compile(r"(y |and |but |pero )?(why|what for|how come|por que|para que)\b")
_WHICH: Final = re.compile(
    r"(y |and |but |pero )?(which|cual|cuales)\b|"
    r".*\b(options|choices|opciones|alternativas)\b|"
    r"(what|que) (can|could|do|puedo|podria)( i)? (choose|pick|elegir|escoger)\b"
)

# Beside fillers, what one says about a question that was just asked.
_ABOUT_A_QUESTION: Final = frozenset(
    """
    ask asking asked question mean means meant say use used using answer exactly choose pick option
    options choice choices ones happens happening
    preguntas pregunta preguntar necesitas necesitais pides pedis pedir quieres quereis sirve usas
    usar significa saberlo quiere decir opcion opciones alternativas elegir escoger exactamente pasa
    """.split()  # noqa: SIM905 - a list of words reads best as words
)

# "Where are you?" has no other word, and is not about the question that was asked.
_OF_ITS_OWN: Final = frozenset(
    """
    how where when who much many long far old
    donde cuando quien quienes cuanto cuanta cuantos cuantas
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True)
class Topic:
    """A question as it was understood; empty: about what was just asked."""

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
        return " ".join(plain_words(self.text))

    @property
    def is_why(self) -> bool:
        """Whether it asks for a reason."""
        return _WHY.match(self.said) is not None

    @property
    def is_which(self) -> bool:
        """Whether it asks what there is to choose from."""
        return _WHICH.match(self.said) is not None

    @property
    def is_help(self) -> bool:
        """Whether it asks for help with anything."""
        return self.said in _HELP

    @property
    def is_about_abilities(self) -> bool:
        """Whether it asks what the assistant can do."""
        return _ABILITIES.fullmatch(self.said) is not None

    @property
    def is_bare(self) -> bool:
        """Whether it has no subject of its own, beside the slot that was asked."""
        own = set(plain_words(label(self.slot))) if self.slot is not None else set()
        return self.is_help or all(
            word in own or word in _ABOUT_A_QUESTION or _says_nothing(word, self._lang)
            for word in self.said.split()
        )

    @property
    def is_about_the_question(self) -> bool:
        """Whether it asks back: nothing said, why, which, for help, or with the slot's name."""
        asks_back = not self.said or self.is_why or self.is_which or self.is_help
        return asks_back or (self.is_bare and self._names_the_slot)

    @property
    def _names_the_slot(self) -> bool:
        own = plain_words(label(self.slot)) if self.slot is not None else []
        return bool(own) and set(own) <= set(self.said.split())

    def is_about(self, slot: str) -> bool:
        """Whether it asks back with the name of a slot, whichever was asked."""
        own = {stem for word in plain_words(label(slot)) for stem in stems(word, self.language)}
        words = [(word, stems(word, self.language)) for word in self.said.split()]
        if not own or not own <= {stem for _, found in words for stem in found}:
            return False
        bare = all(
            own.issuperset(found) or word in _ABOUT_A_QUESTION or _says_nothing(word, self._lang)
            for word, found in words
        )
        return bare or self.is_why or self.is_which

    def shares(self, texts: Iterable[str]) -> bool:
        """Whether at least half of what it is about is in these texts."""
        about = [
            stem for stem in stems(self.text, self.language) if not is_filler(stem, self._lang)
        ]
        known = {stem for text in texts for stem in stems(text, self.language)}
        return bool(about) and 2 * sum(stem in known for stem in about) >= len(about)


def _says_nothing(word: str, lang: Language) -> bool:
    return is_filler(word, lang) and word not in _OF_ITS_OWN
