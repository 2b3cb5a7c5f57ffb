"""Which flow a Spanish message wants, by the words that its author wrote about it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from soni.du.context import FlowBrief, SlotBrief
from soni.du.local.spanish.stems import fold, stems
from soni.du.local.spanish.vocabulary import LITTLE, Heard, Vocabulary
from soni.du.local.spanish.written import Written, described, written

# Words by which a value is known say less about a flow than those that its author chose for it.
_OF_A_VALUE: Final = 0.5
_OF_A_SLOT: Final = 0.2
# Who wants a thing rather wants to get it than to move it.
_GETTING: Final = frozenset({"book", "get", "order", "make", "need", "request"})

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

    own: int = 0
    """How many of them its author chose for it, not for a value or a slot."""


def matches(message: str, flows: Iterable[FlowBrief], current: str = "none") -> list[Match]:
    """The flows that a message has words of, the likeliest first."""
    told = written(flows)
    said = Heard(stems(message), told.words)
    at_work = told.flows.get(current)
    old = at_work.own | at_work.values if at_work else frozenset[str]()
    found = (_match(name, said, told, old) for name in told.flows if name != current)
    some = (match for match in found if match is not None)
    return sorted(some, key=lambda m: (-m.evidence - m.share, m.flow))


def named(text: str, flows: Iterable[FlowBrief]) -> FlowBrief | None:
    """The flow that a noun or two stand for; the first of equals."""
    briefs = list(flows)
    told = written(briefs)
    said = Heard(stems(text), told.words)
    best: tuple[float, FlowBrief | None] = (0.0, None)
    for flow in briefs:
        own = told.flows[flow.name].own
        share = sum(said.weight(word, own) for word in said.rarities) / max(1, len(said.rarities))
        if share > best[0]:
            best = (share, flow)
    return best[1] if best[0] >= _OF_A_VALUE else None


def is_known(message: str, flows: Iterable[FlowBrief], slots: Iterable[SlotBrief]) -> bool:
    """Whether a word of the message is in anything that the author wrote."""
    told, asked = written(flows).words, Vocabulary((), described(slots))
    return any(told.has(word) or asked.has(word) for word in stems(message))


def _match(name: str, said: Heard, told: Written, old: frozenset[str]) -> Match | None:
    flow = told.flows[name]
    own = {word: said.weight(word, flow.own) for word in said.rarities}
    weights = {
        word: rarity
        * max(
            own[word],
            said.weight(word, flow.values) * _OF_A_VALUE,
            said.weight(word, flow.slots) * _OF_A_SLOT,
        )
        for word, rarity in said.rarities.items()
    }
    total = sum(weights.values())
    if not total:
        return None
    fresh = sum(w for word, w in weights.items() if own[word] and not said.weight(word, old))
    share = max((told.share(said, text) for text in flow.texts), default=0.0)
    getting = LITTLE if _GETTING & flow.own else 0.0
    counts = (sum(1 for w in each.values() if w) for each in (weights, own))
    return Match(name, total + getting, fresh, share, *counts)
