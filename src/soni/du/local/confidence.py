"""The confidence of a parse: a logistic model over features of the message and the parse.

Weights found by `python -m tools.confidence` on the tuning half of tests/nlu and on half A of SGD
dev: docs/understanding.md.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from soni.commands import Clarify, Disambiguate, OutOfScope, SkipSlot, StartFlow
from soni.du.context import SlotBrief
from soni.du.local.parse import Parse
from soni.du.local.tagging.values import accepts_value
from soni.du.local.view import View
from soni.du.local.words.words import extract_words, list_forms, normalise, speak_name
from soni.du.tagger.reading import Reading, SlotReading

WEIGHTS: Final[Mapping[str, float]] = MappingProxyType({
    "unsure": -0.91,
    "words": -1.01,
    "unused": -0.23,
    "refused": -1.17,
    "question": -0.43,
    "foreign": -1.03,
    "guessed": -1.75,
    "flow": -0.48,
    "values": -0.42,
    "missed": -0.66,
    "answer": -0.30,
    "requests": -1.97,
    "asked": 1.39,
})  # fmt: skip
INTERCEPT: Final = 5.28

_MIN_PROBABILITY: Final = 0.01
# A value with a lower tagger score came from a rule, or was carried over.
_UNHEARD: Final = 0.2
_ANSWERS: Final = {"AffirmConfirmation": ("affirm", "select"), "DenyConfirmation": ("deny",)}


@dataclass(frozen=True)
class ConfidenceFeatures:
    """The features from which the confidence of a parse is computed."""

    message: str
    view: View
    read: Parse
    reading: Reading | None
    """What the tagger made of the whole message, if it was asked."""

    @property
    def confidence(self) -> float:
        """The probability that the parse is right."""
        score = sum(WEIGHTS[name] * value for name, value in self.compute_features().items())
        return 1 / (1 + math.exp(-score - INTERCEPT))

    def compute_features(self) -> dict[str, float]:
        """The features by name; 0 is neutral. Probabilities enter as surprise, -log p."""
        length, values = math.log(1 + len(self._words)), self._values
        return {
            "unsure": _measure_surprise(self.read.confidence),
            "words": length,
            "unused": math.log(1 + len(self._unexplained_words)),
            "refused": float(self._is_value_refused),
            "question": float(self.read.has(Clarify)),
            "foreign": float(self.read.has(OutOfScope, Disambiguate)),
            "guessed": length if self._is_guess else 0.0,
            "flow": _measure_surprise(self._flow_score),
            "values": sum(map(_measure_surprise, self._iter_tagger_scores())),
            "missed": sum(_measure_surprise(s.none) for s in self._slots if s.name not in values),
            "answer": sum(map(_measure_surprise, self._iter_answer_scores())),
            "requests": sum(map(_measure_surprise, self._iter_request_scores())),
            "asked": float(self.view.context.waiting_for_slot is not None),
        }

    @cached_property
    def _words(self) -> list[str]:
        return normalise(self.message).split()

    @cached_property
    def _values(self) -> dict[str, Any]:
        """What was read for slots, by name; None for one that is skipped."""
        said: dict[str, Any] = {}
        for command in self.read.commands:
            said |= command.get_touched_slots()
            if isinstance(command, SkipSlot):
                said[command.slot_name or self.view.context.waiting_for_slot or ""] = None
        return said

    @cached_property
    def _started_flow(self) -> str | None:
        started = (c.flow_name for c in self.read.commands if isinstance(c, StartFlow))
        return next(started, None)

    @property
    def _target_flow(self) -> str:
        return self._started_flow or self.view.context.current_flow

    @cached_property
    def _briefs(self) -> Mapping[str, SlotBrief]:
        own = self.view.list_slots(self._started_flow) if self._started_flow else ()
        return {brief.name: brief for brief in (*self.view.context.expected_slots, *own)}

    @property
    def _unexplained_words(self) -> frozenset[str]:
        known = normalise(" ".join(self._iter_known_texts()))
        lang = self.view.lang
        return extract_words(" ".join(self._words), lang) - extract_words(known, lang)

    def _iter_known_texts(self) -> Iterator[str]:
        for flow in self.view.context.available_flows:
            if flow.name == self._target_flow:
                yield from (speak_name(flow.name), flow.description, *flow.examples)
        for name, value in self._values.items():
            yield f"{value} {speak_name(name)}"
            if name in self._briefs:
                yield self._briefs[name].description
                yield from list_forms(self._briefs[name])

    @property
    def _is_value_refused(self) -> bool:
        return any(
            value is not None
            and name in self._briefs
            and not accepts_value(self._briefs[name], value, self.view.context)
            for name, value in self._values.items()
        )

    @property
    def _is_guess(self) -> bool:
        """Whether the whole message was taken for a value, which always fits."""
        return any(normalise(str(value)).split() == self._words for value in self._values.values())

    @property
    def _flow_score(self) -> float:
        """How likely the tagger finds the flow that starts, or that none does."""
        if self.reading is None:
            return 1.0
        flows = self.reading.flows
        if self._started_flow is not None:
            return flows.get(self._started_flow, 0.0)
        stays = (None, self.view.context.current_flow)
        return sum(flows.get(name, 0.0) for name in stays) or 1.0

    @cached_property
    def _slots(self) -> list[SlotReading]:
        slots = self.reading.slots if self.reading else ()
        return [slot for slot in slots if slot.flow == self._target_flow]

    def _iter_tagger_scores(self) -> Iterator[float]:
        for slot in self._slots:
            if slot.name in self._values and slot.inform + slot.dontcare >= _UNHEARD:
                skipped = self._values[slot.name] is None
                likely = (*slot.values.values(), *(span.probability for span in slot.spans))
                yield slot.dontcare if skipped else slot.inform * max(likely, default=1.0)

    def _iter_answer_scores(self) -> Iterator[float]:
        """The probability of the yes or no that was read, or of its absence."""
        if self.reading is None or not self.view.asks_yes_or_no:
            return
        said = {command.type for command in self.read.commands}
        for kind, acts in _ANSWERS.items():
            likely = max(self.reading.acts.get(act, 0.0) for act in acts)
            yield likely if kind in said else 1 - likely

    def _iter_request_scores(self) -> Iterator[float]:
        for slot in self._slots:
            yield slot.requested if slot.name in self.read.about else 1 - slot.requested


def _measure_surprise(likely: float) -> float:
    return -math.log(max(_MIN_PROBABILITY, min(1.0, likely)))
