"""An index of the words in the texts about flows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from soni.du.context import FlowBrief, SlotBrief
from soni.du.local.lexical.stems import fold_text, iter_shorter_stems, stem_text, translate_stem
from soni.du.local.words.words import extract_words, list_forms, speak_name
from soni.language import Language

# "Pedir" is an order or a booking: what is translated may be meant otherwise.
_TRANSLATION_WEIGHT: Final = 0.8
MIN_RARITY: Final = 0.05
"""What a word of all flows still says."""


class Vocabulary:
    """Of each word the flows that have it. Safe in many threads."""

    def __init__(
        self, flows: Iterable[frozenset[str]], beside: frozenset[str], lang: Language
    ) -> None:
        """`flows`: the words of each; `beside`: others, that tell no flow from another."""
        self.lang = lang
        self._flows: dict[str, set[int]] = {}
        self._count = 0
        for words in flows:
            for word in words:
                self._flows.setdefault(word, set()).add(self._count)
            self._count += 1
        self._words = beside.union(self._flows)
        self._longer: defaultdict[str, set[str]] = defaultdict(set)
        for word in self._words:
            for beginning in iter_shorter_stems(word):
                self._longer[beginning].add(word)

    def find_same(self, word: str) -> frozenset[str]:
        """The written words that a stem is: the same, or a little shorter or longer."""
        return self._words & {word, *iter_shorter_stems(word), *self._longer.get(word, ())}

    def has_word(self, word: str) -> bool:
        """Whether a stem is a written word, or its translation is."""
        return bool(self.find_same(word)) or not self._words.isdisjoint(
            translate_stem(word, self.lang)
        )

    def measure_rarity(self, word: str) -> float:
        """1 for a word of one flow, little for a word of all."""
        forms = (self.find_same(word) | translate_stem(word, self.lang)) & self._flows.keys()
        flows = set[int]().union(*(self._flows[form] for form in forms))
        if not flows or self._count < 2:
            return 1.0
        return max(MIN_RARITY, 1 - (len(flows) - 1) / (self._count - 1))


class MessageStems:
    """Stems of a message, and which written words each of them is."""

    def __init__(self, said: frozenset[str], known: Vocabulary) -> None:
        self._same = {word: known.find_same(word) for word in said}
        self._meant = {word: translate_stem(word, known.lang) for word in said}
        self.rarities = {word: known.measure_rarity(word) for word in said}
        self.words: frozenset[str] = frozenset().union(*self._same.values(), *self._meant.values())

    def weigh_word(self, word: str, words: frozenset[str]) -> float:
        """1 if a stem is among some words, a little less if its translation is."""
        if not self._same[word].isdisjoint(words):
            return 1.0
        return 0.0 if self._meant[word].isdisjoint(words) else _TRANSLATION_WEIGHT


class _FlowTexts(NamedTuple):
    """The texts about a flow: what its words depend on."""

    name: str
    texts: tuple[str, ...]
    values: tuple[str, ...]
    slots: tuple[str, ...]


@dataclass(frozen=True)
class IndexedFlow:
    """The words about a flow, each as a stem of the language and as an English word."""

    texts: tuple[tuple[frozenset[str], ...], ...]
    """Of its examples, description and name, text by text."""

    values: frozenset[str]
    slots: frozenset[str]

    @cached_property
    def own(self) -> frozenset[str]:
        """The words of its texts."""
        return frozenset().union(*(word for text in self.texts for word in text))


class FlowIndex:
    """Some flows by their words. Safe in many threads."""

    def __init__(self, told: Iterable[_FlowTexts], lang: Language) -> None:
        self.flows: Mapping[str, IndexedFlow] = MappingProxyType({
            one.name: _index_flow(one, lang) for one in told
        })  # fmt: skip
        beside = (one.values | one.slots for one in self.flows.values())
        own = (one.own for one in self.flows.values())
        self.words = Vocabulary(own, frozenset[str]().union(*beside), lang)
        self._rarities: dict[frozenset[str], float] = {}

    def measure_share(self, said: MessageStems, text: tuple[frozenset[str], ...]) -> float:
        """The weight of the words in both against the weight of those in either."""
        words = frozenset[str]().union(*text)
        weights = {word: said.weigh_word(word, words) for word in said.rarities}
        both = sum(weight * said.rarities[word] for word, weight in weights.items())
        if not both:
            return 0.0
        rest = sum(said.rarities[word] for word, weight in weights.items() if not weight)
        missing = sum(self._measure_rarity(forms) for forms in text if forms.isdisjoint(said.words))
        return both / (both + rest + missing)

    def _measure_rarity(self, forms: frozenset[str]) -> float:
        """How rare a written word is, in the rarer of its two forms."""
        if forms not in self._rarities:
            self._rarities[forms] = max(map(self.words.measure_rarity, forms))
        return self._rarities[forms]


def index_flows(flows: Iterable[FlowBrief], lang: Language) -> FlowIndex:
    """The flows by their words."""
    return _index_texts(tuple(map(_collect_texts, flows)), lang)


def collect_slot_words(slots: Iterable[SlotBrief], lang: Language) -> frozenset[str]:
    """The words of slots' names and descriptions."""
    return _join_words(map(_describe_slot, slots), lang)


# What may start changes from moment to moment, but not often.
@lru_cache(maxsize=8)
def _index_texts(told: tuple[_FlowTexts, ...], lang: Language) -> FlowIndex:
    return FlowIndex(told, lang)


@lru_cache(maxsize=2048)
def _index_flow(told: _FlowTexts, lang: Language) -> IndexedFlow:
    return IndexedFlow(
        tuple(words for text in told.texts if (words := _split_words(text, lang))),
        _join_words(told.values, lang),
        _join_words(told.slots, lang),
    )


def _collect_texts(flow: FlowBrief) -> _FlowTexts:
    return _FlowTexts(
        flow.name,
        (*flow.examples, flow.description, speak_name(flow.name)),
        tuple(form for slot in flow.slots for form in list_forms(slot)),
        tuple(map(_describe_slot, flow.slots)),
    )


def _describe_slot(slot: SlotBrief) -> str:
    return f"{speak_name(slot.name)} {slot.description}"


def _join_words(texts: Iterable[str], lang: Language) -> frozenset[str]:
    return frozenset[str]().union(*(word for text in texts for word in _split_words(text, lang)))


def _split_words(text: str, lang: Language) -> tuple[frozenset[str], ...]:
    forms = {word: stem_text(word, lang) for word in fold_text(text).split()}
    told = (
        of | extract_words(word, lang)
        for word, of in forms.items()
        if of and extract_words(word, lang)
    )
    return tuple(dict.fromkeys(told))
