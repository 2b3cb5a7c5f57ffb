"""Which flow a message wants, by the words that its author wrote about it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from soni.du.context import FlowBrief, SlotBrief
from soni.du.local.lexical.flow_index import (
    MIN_RARITY,
    FlowIndex,
    MessageStems,
    Vocabulary,
    collect_slot_words,
    index_flows,
)
from soni.du.local.lexical.stems import fold_text, stem_text
from soni.language import Language

# Words by which a value is known say less about a flow than those that its author chose for it.
_VALUE_WEIGHT: Final = 0.5
_SLOT_WEIGHT: Final = 0.2


def states_wish(message: str, lang: Language) -> bool:
    """Whether somebody says that something is to be done."""
    said = fold_text(message)
    wanted = lang.pattern("lexical_wishes.wish").search(said)
    return bool(wanted or lang.pattern("lexical_wishes.infinitive").match(said))


@dataclass(frozen=True)
class FlowMatch:
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


def rank_flow_matches(
    message: str, flows: Iterable[FlowBrief], lang: Language, current: str = "none"
) -> list[FlowMatch]:
    """The flows that a message has words of, the likeliest first."""
    told = index_flows(flows, lang)
    said = MessageStems(stem_text(message, lang), told.words)
    at_work = told.flows.get(current)
    old = at_work.own | at_work.values if at_work else frozenset[str]()
    found = (_match_flow(name, said, told, old) for name in told.flows if name != current)
    some = (match for match in found if match is not None)
    return sorted(some, key=lambda m: (-m.evidence - m.share, m.flow))


def find_flow_by_stems(text: str, flows: Iterable[FlowBrief], lang: Language) -> FlowBrief | None:
    """The flow that a noun or two stand for; the first of equals."""
    briefs = list(flows)
    told = index_flows(briefs, lang)
    said = MessageStems(stem_text(text, lang), told.words)
    best: tuple[float, FlowBrief | None] = (0.0, None)
    for flow in briefs:
        own = told.flows[flow.name].own
        weight = sum(said.weigh_word(word, own) for word in said.rarities)
        share = weight / max(1, len(said.rarities))
        if share > best[0]:
            best = (share, flow)
    return best[1] if best[0] >= _VALUE_WEIGHT else None


def has_known_word(
    message: str, flows: Iterable[FlowBrief], slots: Iterable[SlotBrief], lang: Language
) -> bool:
    """Whether a word of the message is in anything that the author wrote."""
    told = index_flows(flows, lang).words
    asked = Vocabulary((), collect_slot_words(slots, lang), lang)
    return any(told.has_word(word) or asked.has_word(word) for word in stem_text(message, lang))


def _match_flow(
    name: str, said: MessageStems, told: FlowIndex, old: frozenset[str]
) -> FlowMatch | None:
    flow = told.flows[name]
    own = {word: said.weigh_word(word, flow.own) for word in said.rarities}
    weights = {
        word: rarity
        * max(
            own[word],
            said.weigh_word(word, flow.values) * _VALUE_WEIGHT,
            said.weigh_word(word, flow.slots) * _SLOT_WEIGHT,
        )
        for word, rarity in said.rarities.items()
    }
    total = sum(weights.values())
    if not total:
        return None
    fresh = sum(w for word, w in weights.items() if own[word] and not said.weigh_word(word, old))
    share = max((told.measure_share(said, text) for text in flow.texts), default=0.0)
    getting = MIN_RARITY if told.words.lang.words("lexical_wishes.getting") & flow.own else 0.0
    counts = (sum(1 for w in each.values() if w) for each in (weights, own))
    return FlowMatch(name, total + getting, fresh, share, *counts)
