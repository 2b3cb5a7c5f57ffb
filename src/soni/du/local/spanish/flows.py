"""Which flow a Spanish message wants, by the words that its author wrote about it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from soni.du.context import FlowBrief, SlotBrief
from soni.du.local.spanish.dictionary import in_english
from soni.du.local.spanish.stems import alike, fold, stems
from soni.du.local.words.words import content, spoken

# Words by which a value is known say less about a flow than those that its author chose for it.
_OF_A_VALUE: Final = 0.5
_OF_A_SLOT: Final = 0.2
# "Pedir" is an order or a booking: what is translated may be meant otherwise.
_TRANSLATED: Final = 0.8
# Who wants a thing rather wants to get it than to move it.
_GETTING: Final = frozenset({"book", "get", "order", "make", "need", "request"})
_LITTLE: Final = 0.05

WISH: Final = re.compile(
    r"\b(?:(?:quier|quer(?:i|r)|quis[ie]|necesit|dese[oa]|solicit|prefer|prefier|gustari|apetec)\w*|"
    r"pued[oa]n?s?|pod(?:eis|emos|ria\w*)|me (?:da[is]*|hace[is]*|pone[is]*|interesa|urge|toca)|"
    r"(?:da|pon|haz|busca|reserva|manda|envia|dime|cuenta|recomienda)(?:d?me|nos)|dime|"
    r"(?:tengo|tenemos|hay|habria|tendria) que|(?:voy|vamos|vengo|venimos|llam[oa]\w*) (?:a|para)|"
    r"(?:me |nos )?hac(?:e|en|ia) falta|recomiendas?|recomendais?|tambien|ademas|por cierto|"
    r"ya que estamos)\b"
)
"""Words of somebody who wants something."""

_INFINITIVE: Final = re.compile(r"\w{3,}(?:ar|er|ir)(?:me|se|nos|l[oae]s?)?\b")


def wishes(message: str) -> bool:
    """Whether somebody says that something is to be done."""
    said = fold(message)
    return WISH.search(said) is not None or _INFINITIVE.match(said) is not None


@dataclass(frozen=True)
class _Known:
    """What is written about a flow: words, each as a Spanish stem and as an English word."""

    texts: tuple[tuple[frozenset[str], ...], ...]
    values: frozenset[str]
    slots: frozenset[str]

    @cached_property
    def own(self) -> frozenset[str]:
        """The words of its examples, description and name."""
        return frozenset().union(*(word for text in self.texts for word in text))

    @cached_property
    def all(self) -> frozenset[str]:
        """Those of its slots and their values, too."""
        return self.own | self.values | self.slots


@dataclass(frozen=True)
class Match:
    """How much a message says of a flow."""

    flow: str
    evidence: float
    """The weight of the words it shares: 1 for a word that no other flow has."""

    fresh: float
    """The same without what also belongs to the flow that is going on."""

    share: float
    """How much of one of the flow's examples, and of the message, is the same."""

    words: int = 0
    """How many words they share."""


def matches(message: str, flows: Sequence[FlowBrief], current: str = "none") -> list[Match]:
    """The flows that a message has words of, the likeliest first."""
    known = {flow.name: _known(flow) for flow in flows}
    said = stems(message)
    old = known[current].own | known[current].values if current in known else frozenset[str]()
    found = [_match(name, said, known, old) for name in known if name != current]
    return sorted((m for m in found if m.evidence), key=lambda m: (-m.evidence - m.share, m.flow))


def named(text: str, flows: Iterable[FlowBrief]) -> FlowBrief | None:
    """The flow that a noun or two stand for; the first of equals."""
    said = stems(text)
    best: tuple[float, FlowBrief | None] = (0.0, None)
    for flow in flows:
        own = _known(flow).own
        share = sum(_weight(word, own) for word in said) / max(1, len(said))
        if share > best[0]:
            best = (share, flow)
    return best[1] if best[0] >= _OF_A_VALUE else None


def is_known(message: str, flows: Iterable[FlowBrief], slots: Iterable[SlotBrief]) -> bool:
    """Whether a word of the message is in anything that the author wrote."""
    said = stems(message)
    known = [_known(flow) for flow in flows]
    described = (f"{spoken(slot.name)} {slot.description}" for slot in slots)
    words = frozenset[str]().union(*(one.all for one in known), *map(_flat, described))
    return any(_weight(word, words) for word in said)


def _match(name: str, said: frozenset[str], known: dict[str, _Known], old: frozenset[str]) -> Match:
    one = known[name]
    weights = {word: _of(word, one) * _rarity(word, known) for word in said}
    total = sum(weights.values())
    fresh = sum(
        w for word, w in weights.items() if _weight(word, one.own) and not _weight(word, old)
    )
    share = max((_share(said, text, known) for text in one.texts), default=0.0)
    getting = _LITTLE if total and _GETTING & one.own else 0.0
    return Match(name, total + getting, fresh, share, sum(1 for w in weights.values() if w))


def _of(word: str, known: _Known) -> float:
    return max(
        _weight(word, known.own),
        _weight(word, known.values) * _OF_A_VALUE,
        _weight(word, known.slots) * _OF_A_SLOT,
    )


def _share(
    said: frozenset[str], text: tuple[frozenset[str], ...], known: dict[str, _Known]
) -> float:
    """The weight of the words in both against the weight of those in either."""
    words = frozenset[str]().union(*text)
    both = sum(_weight(word, words) * _rarity(word, known) for word in said)
    rest = sum(_rarity(word, known) for word in said if not _weight(word, words))
    missing = sum(
        max(_rarity(form, known) for form in forms)
        for forms in text
        if not any(_weight(word, forms) for word in said)
    )
    return both / (both + rest + missing) if both else 0.0


def _rarity(word: str, known: dict[str, _Known]) -> float:
    """1 for a word of one flow, little for a word of all."""
    has = sum(1 for one in known.values() if _weight(word, one.own))
    return max(_LITTLE, 1 - (has - 1) / (len(known) - 1)) if has and len(known) > 1 else 1.0


@lru_cache(maxsize=8192)
def _weight(word: str, words: frozenset[str]) -> float:
    """1 if a word is among others, a little less if its translation is."""
    if word in words or any(alike(word, other) for other in words):
        return 1.0
    return _TRANSLATED if in_english(word) & words else 0.0


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[frozenset[str], ...]:
    """The words of a text that say something, in either language."""
    forms = {word: stems(word) for word in fold(text).split()}
    told = (of | content(word) for word, of in forms.items() if of and content(word))
    return tuple(dict.fromkeys(told))


def _flat(text: str) -> frozenset[str]:
    return frozenset[str]().union(*_words(text))


def _known(flow: FlowBrief) -> _Known:
    forms = (form for slot in flow.slots for value in slot.values.items() for form in _forms(value))
    described = (f"{spoken(slot.name)} {slot.description}" for slot in flow.slots)
    texts = (*flow.examples, flow.description, spoken(flow.name))
    return _Known(
        tuple(words for text in texts if (words := _words(text))),
        frozenset[str]().union(*map(_flat, forms)),
        frozenset[str]().union(*map(_flat, described)),
    )


def _forms(value: tuple[str, tuple[str, ...]]) -> tuple[str, ...]:
    return (value[0], *value[1])
