"""Which flow a message wants, by the words that its author wrote about it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from soni.du.context import FlowBrief, SlotBrief
from soni.du.local.lexical.flow_index import (
    LITTLE,
    FlowIndex,
    Heard,
    Vocabulary,
    collect_slot_words,
    index_flows,
)
from soni.du.local.lexical.stems import fold, stems
from soni.language import Language

# Words by which a value is known say less about a flow than those that its author chose for it.
_OF_A_VALUE: Final = 0.5
_OF_A_SLOT: Final = 0.2


def wishes(message: str, lang: Language) -> bool:
    """Whether somebody says that something is to be done."""
    said = fold(message)
    wanted = lang.pattern("lexical_wishes.wish").search(said)
    return bool(wanted or lang.pattern("lexical_wishes.infinitive").match(said))


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


def matches(
    message: str, flows: Iterable[FlowBrief], lang: Language, current: str = "none"
) -> list[Match]:
    """The flows that a message has words of, the likeliest first."""
    told = index_flows(flows, lang)
    said = Heard(stems(message, lang), told.words)
    at_work = told.flows.get(current)
    old = at_work.own | at_work.values if at_work else frozenset[str]()
    found = (_match(name, said, told, old) for name in told.flows if name != current)
    some = (match for match in found if match is not None)
    return sorted(some, key=lambda m: (-m.evidence - m.share, m.flow))


def find_named_flow(text: str, flows: Iterable[FlowBrief], lang: Language) -> FlowBrief | None:
    """The flow that a noun or two stand for; the first of equals."""
    briefs = list(flows)
    told = index_flows(briefs, lang)
    said = Heard(stems(text, lang), told.words)
    best: tuple[float, FlowBrief | None] = (0.0, None)
    for flow in briefs:
        own = told.flows[flow.name].own
        share = sum(said.weight(word, own) for word in said.rarities) / max(1, len(said.rarities))
        if share > best[0]:
            best = (share, flow)
    return best[1] if best[0] >= _OF_A_VALUE else None


def is_known(
    message: str, flows: Iterable[FlowBrief], slots: Iterable[SlotBrief], lang: Language
) -> bool:
    """Whether a word of the message is in anything that the author wrote."""
    told, asked = (
        index_flows(flows, lang).words,
        Vocabulary((), collect_slot_words(slots, lang), lang),
    )
    return any(told.has(word) or asked.has(word) for word in stems(message, lang))


def _match(name: str, said: Heard, told: FlowIndex, old: frozenset[str]) -> Match | None:
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
    getting = LITTLE if told.words.lang.words("lexical_wishes.getting") & flow.own else 0.0
    counts = (sum(1 for w in each.values() if w) for each in (weights, own))
    return Match(name, total + getting, fresh, share, *counts)
