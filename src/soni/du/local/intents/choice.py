"""The evidence for each flow, and for none, where nothing is going on: a log-linear model.

Weights found by `python -m tools.wishes` on the tuning half of tests/nlu, and on what starts
nothing with 133 businesses that the tagger has not learnt from: docs/understanding.md.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from soni.du.context import FlowBrief
from soni.du.local.analysis import Analysis
from soni.du.local.answers.given_values import find_given_values
from soni.du.local.limits import STORY_LENGTH, Limits
from soni.du.local.view import View
from soni.du.local.words.mentions import collect_flow_words
from soni.du.local.words.questions import asks_openly
from soni.du.local.words.words import extract_words, normalise
from soni.language import Language

WEIGHTS: Final[Mapping[str, float]] = MappingProxyType({
    "example": 1.11,
    "reading": 0.60,
    "told": 1.68,
    "none": 1.40,
    "asks": 1.97,
    "sounds_foreign": 1.21,
    "sounds_asking": 0.90,
    "asks_openly": 0.95,
    "polite": -0.71,
    "words": -1.20,
})  # fmt: skip

# However sure a model is against a flow, it may be wrong.
_DOUBT: Final = 0.02
# More values than this say no more.
_MAX_VALUES: Final = 3.0
# Forms are looked for only for the flows that may be meant: it takes its time.
_MAX_RIVALS: Final = 4
# Models neglect negation: "I won't need the car I booked" is like "book a car" to them.
_ENDING_BONUS: Final = 5.0


@dataclass(frozen=True)
class FlowEvidence:
    """The evidence for each flow that a message may start."""

    thought: Analysis
    view: View

    @property
    def likely(self) -> dict[str | None, float]:
        """How likely each flow is wanted, and None: nothing that these flows do."""
        scores = {
            name: sum(WEIGHTS[sign] * value for sign, value in signs.items())
            for name, signs in self.compute_features().items()
        }
        for flow in self._list_ending_flows():
            scores[flow] += _ENDING_BONUS
        best = max(scores.values())
        raised = {name: math.exp(score - best) for name, score in scores.items()}
        whole = sum(raised.values())
        return {name: value / whole for name, value in raised.items()}

    def compute_features(self) -> dict[str | None, dict[str, float]]:
        """Each by its name, for each flow and for none."""
        by_example, reading = self.thought.flow.probabilities, self.thought.reading
        text = self.thought.text
        signs: dict[str | None, dict[str, float]] = {}
        for name, likely in by_example.items():
            heard = math.log(reading.flows.get(name, 0.0) + _DOUBT)
            signs[name] = {"example": math.log(likely + _DOUBT), "reading": heard}
        for flow, told in self._count_values().items():
            signs[flow]["told"] = told
        sense = self.thought.sense
        signs[None] |= {
            "none": 1.0,
            "asks": reading.acts.get("ask", 0.0),
            "sounds_foreign": sense["foreign"],
            "sounds_asking": sense["ask"],
            "asks_openly": float(
                asks_openly(text, self.view.lang)
                and not self.view.lang.pattern("cues.how_to").search(text)
            ),
            "polite": float(self.view.lang.pattern("cues.asking").match(text) is not None),
            "words": math.log(max(1, len(text.split()))),
        }
        return signs

    def _count_values(self) -> dict[str, float]:
        """How many values are said for each flow: heard, or of a form that is asked only there."""
        formed = {
            flow: find_given_values(self.thought.text, self.view.list_slots(flow), self.view)
            for flow in self._list_likely_flows()
        }
        told: dict[str, float] = {}
        for flow in self.thought.flow.similarity:
            others = {str(v) for f, values in formed.items() if f != flow for v in values.values()}
            own = {n: 1.0 for n, v in formed.get(flow, {}).items() if str(v) not in others}
            kinds = {one.name: one.kind for one in self.view.list_slots(flow)}
            telling = {n for n, kind in kinds.items() if kind.has_form or kind.is_free_text}
            slots = (one for one in self.thought.reading.slots if one.flow == flow)
            heard = {one.name: one.inform for one in slots if one.name in telling}
            told[flow] = min(_MAX_VALUES, sum((heard | own).values()))
        return told

    def _list_ending_flows(self) -> list[str]:
        lang, flows = self.view.lang, self.thought.flow.similarity
        if not is_no_longer_needed(self.thought.text, lang):
            return []
        briefs = self.view.context.available_flows
        return [one.name for one in briefs if one.name in flows and ends_something(one, lang)]

    def _list_likely_flows(self) -> list[str]:
        by_example, by_reading = self.thought.flow.probabilities, self.thought.reading.flows

        def both(flow: str) -> float:
            shown = WEIGHTS["example"] * math.log(by_example[flow] + _DOUBT)
            return shown + WEIGHTS["reading"] * math.log(by_reading.get(flow, 0.0) + _DOUBT)

        short = len(self.thought.text) <= STORY_LENGTH
        return sorted(self.thought.flow.similarity, key=both, reverse=True)[: _MAX_RIVALS * short]


# A flow that is less likely is not meant, whatever words it shares.
_MIN_TIED: Final = 0.1


@dataclass(frozen=True)
class TiedFlows:
    """A message, and how likely each flow is that may start now."""

    text: str
    likely: Mapping[str | None, float]
    view: View
    limits: Limits

    def find_ties(self) -> tuple[str, ...]:
        """The flows that have all the words that were said, if there are several."""
        lang, flows = self.view.lang, self.view.context.available_flows
        said = extract_words(normalise(self.text), lang) - lang.words("wish.around")
        if not said:
            return ()
        have = {flow.name for flow in flows if said <= collect_flow_words(flow, lang)}
        ranked = _rank_flows(self.likely)
        both = [(p, name) for p, name in ranked if p >= _MIN_TIED and name in have]
        is_meant = len(both) > 1 and sum(p for p, _ in both) >= self.limits.start
        # If all is said of others, what is likeliest is so for another reason.
        is_best = is_meant and both[0] == ranked[0]
        return tuple(name for _, name in both) if is_best else ()


def find_close_pair(likely: Mapping[str | None, float], limits: Limits) -> tuple[str, ...]:
    """The two likeliest flows, if neither is likely enough and both are about equal."""
    ranked = _rank_flows(likely)
    if len(ranked) < 2:
        return ()
    (first, name), (second, other) = ranked[:2]
    meant = first + second >= limits.start and first - second <= limits.close
    return (name, other) if meant else ()


def _rank_flows(likely: Mapping[str | None, float]) -> list[tuple[float, str]]:
    return sorted(((p, name) for name, p in likely.items() if name is not None), reverse=True)


def is_no_longer_needed(message: str, lang: Language) -> bool:
    """ "I won't be needing the car I reserved": and nothing in its place."""
    said = message.replace("\u2019", "'")
    given_up = lang.pattern("ending.no_more").search(said)
    return given_up is not None and lang.pattern("ending.instead").search(said) is None


def ends_something(flow: FlowBrief, lang: Language) -> bool:
    """Whether a flow is there to end what somebody has."""
    texts = (flow.name.replace("_", " "), flow.description, *flow.examples)
    ends = lang.pattern("ending.ends")
    return any(ends.search(text.replace("\u2019", "'")) for text in texts)
