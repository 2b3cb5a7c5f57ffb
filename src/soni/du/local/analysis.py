"""The models of offline understanding, loaded once per process, when a message needs them."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from soni.commands import AffirmConfirmation, Command, DenyConfirmation
from soni.core.prompts import YES_NO_KINDS
from soni.du.context import DialogueContext, FlowBrief, SlotBrief
from soni.du.encoder import Encoder
from soni.du.encoder.sentence import Sentence, SentenceCache
from soni.du.encoder.weights import Floats, Weights, softmax
from soni.du.local.flows.blanks import make_blanked_texts
from soni.du.local.flows.flows import FlowChoice, FlowChooser
from soni.du.local.recall import recall_or_compute
from soni.du.local.tagging.commands import TaggerCommands, make_tagger_commands
from soni.du.local.view import View
from soni.du.local.words.words import extract_words, normalise
from soni.du.tagger import Moment, Reading, Tagger, make_moment
from soni.du.tagger.mentions import make_title
from soni.du.tagger.network import VECTOR_SCALE
from soni.language import find_language

ACTS_FILE = Path(__file__).parent / "model" / "acts.safetensors"
ACT_NAMES = (
    *("affirm", "deny", "cancel", "resume", "human", "repeat", "skip", "pause", "ask", "chat"),
    *("foreign", "other"),
)


class ActClassifier:
    """Classifies dialogue acts by a sentence's vector. Trained by tools/acts.py."""

    def __init__(self, weights: Weights) -> None:
        self.version = weights.about["version"]
        self._matrix, self._bias = weights["matrix"], weights["bias"]

    @classmethod
    def load(cls, file: Path = ACTS_FILE) -> "ActClassifier":
        """Load the weights that come with Soni."""
        return cls(Weights.read(file))

    def classify(self, vector: Floats) -> Mapping[str, float]:
        """The probability of each act."""
        likely = softmax(vector @ self._matrix + self._bias)
        return dict(zip(ACT_NAMES, likely.tolist(), strict=True))


_ANSWERS = (AffirmConfirmation, DenyConfirmation)
_ACT_OF_ANSWER = {AffirmConfirmation: "affirm", DenyConfirmation: "deny"}
_MIN_SENSE = 0.3

# A tagger this sure needs no second opinion; below it likeness counts with this weight.
_TAGGER_SURE = 0.95
_LIKENESS_WEIGHT = 6.0

# The tagger's weight for acts: it knows the context and has seen more examples.
_TAGGER_WEIGHT = 0.95
_SENSE_ACTS = frozenset({"affirm", "deny"})

# Lower where rules check the tagger's values afterwards.
_RULE_THRESHOLDS: Mapping[str, float] = MappingProxyType({"inform": 0.3})

# The most tokens of a message, and of an example.
_MESSAGE, _EXAMPLE = 96, 48

# The tagger sees at most so many flows, the likeliest.
_MAX_TAGGED_FLOWS = 24


class Models:
    """The encoder, the classifiers and the tagger. Immutable but for its caches."""

    def __init__(self) -> None:
        self._encoder = Encoder.load()
        self._acts = ActClassifier.load()
        self.sentences = SentenceCache(partial(self._encoder.encode_sentences, tokens=_EXAMPLE))
        """Texts by authors, as messages are compared with them."""

        self._chooser = FlowChooser(self.sentences.encode, self.is_word, self._encode_messages)
        self._tagger = Tagger.load(self._encoder)
        self.titles = self._tagger.vectors
        """Flows, slots and choices, as the tagger is told of them."""

    @property
    def version(self) -> str:
        """Of what encodes texts: with another one they are encoded anew."""
        return self._encoder.version

    def encode_message(self, text: str) -> Sentence:
        """A message as the encoder sees it."""
        return recall_or_compute(
            text, lambda: self._encoder.encode_sentences([text], tokens=_MESSAGE)[0]
        )

    def _encode_messages(self, texts: Sequence[str]) -> list[Sentence]:
        return [self.encode_message(text) for text in texts]

    def classify_act(self, vector: Floats) -> Mapping[str, float]:
        """The probability of each act, by meaning."""
        return self._acts.classify(vector)

    def choose_flow(self, said: Sentence, flows: Sequence[FlowBrief], text: str) -> FlowChoice:
        """Which flow it wants."""
        return self._chooser.choose(said, flows, text)

    def read_slots(
        self,
        text: str,
        history: Sequence[Any],
        context: DialogueContext,
        vector: Callable[[], Floats],
    ) -> tuple[Moment, Reading]:
        """The tagger's input and output; `vector` is called only if there are many flows."""
        flows = context.available_flows
        if len(flows) > _MAX_TAGGED_FLOWS:
            near = tuple(self._chooser.find_nearest(vector(), flows, _MAX_TAGGED_FLOWS))
            context = context.model_copy(update={"available_flows": near})
        moment = make_moment(text, history, context)
        return moment, recall_or_compute(moment, lambda: self._tagger.read(moment))

    def make_commands(
        self,
        moment: Moment,
        reading: Reading,
        context: DialogueContext,
        thresholds: Mapping[str, float] = MappingProxyType({}),
    ) -> TaggerCommands:
        """The commands of a reading, by the tagger's thresholds or others."""
        carried = partial(self._tagger.find_carried_values, moment, reading)
        return make_tagger_commands(
            reading, moment.message, context, carried, {**self._tagger.thresholds, **thresholds}
        )

    def compare_descriptions(
        self, vector: Floats, flows: Sequence[FlowBrief]
    ) -> dict[str | None, float]:
        """The similarity to each flow's description, relative to their mean."""
        titles = [make_title(flow.name, flow.description) for flow in flows]
        near = (self._tagger.vectors.encode(titles) / np.float32(VECTOR_SCALE)) @ vector
        return {f.name: float(x - near.mean()) for f, x in zip(flows, near, strict=True)}

    def find_nearest_flows(
        self, text: str, flows: Sequence[FlowBrief], limit: int
    ) -> list[FlowBrief]:
        """The flows most like a message."""
        return self._chooser.find_nearest(self.encode_message(text).vector, flows, limit)

    def compare_texts(self, said: Sentence, others: Sequence[str]) -> list[float]:
        """The similarity of each text to a message."""
        return [float(other.vector @ said.vector) for other in self.sentences.encode(others)]

    def is_word(self, word: str) -> bool:
        """Whether the vocabulary has a word; one that it splits may be misspelt."""
        return len(self._encoder.wordpiece.split_text(word)) == 1


@lru_cache(maxsize=1)
def load_models() -> Models:
    """The models of this process; they are read-only, so all assistants share them."""
    return Models()


class Analysis:
    """A message and what the models say of it, computed on demand."""

    def __init__(self, text: str, history: Sequence[Any], context: DialogueContext) -> None:
        self.text = text
        self._history = history
        self._context = context
        self._lang = find_language(context.language)
        self._tagged: dict[str | None, TaggerCommands] = {}

    @cached_property
    def sentence(self) -> Sentence:
        """As the encoder sees it."""
        return load_models().encode_message(self.text)

    @property
    def vector(self) -> Floats:
        """As a vector."""
        return self.sentence.vector

    @cached_property
    def acts(self) -> Mapping[str, float]:
        """The probability of each act, by the tagger in context and by meaning alone."""
        alone, here = self.sense, dict(self.reading.acts)
        here["other"] = 1 - max((here.get(act, 0.0) for act in alone), default=0.0)
        # Yes and no count by meaning here: the tagger is asked apart, so that two models agree.
        here = {act: likely for act, likely in here.items() if act not in _SENSE_ACTS}
        return {
            act: (1 - _TAGGER_WEIGHT) * alone[act] + _TAGGER_WEIGHT * here.get(act, alone[act])
            for act in alone
        }

    @cached_property
    def is_noise(self) -> bool:
        """Whether most words are unknown, or one word is repeated."""
        said = normalise(self.text).replace("'", " ").split()
        words = extract_words(" ".join(said), self._lang)
        again = len(said) > 1 and len(set(said)) == 1
        return again or sum(map(load_models().is_word, words)) * 2 < len(words)

    @cached_property
    def likeness_to_questions(self) -> float:
        """The similarity to the nearest question that the knowledge answers."""
        return self.find_best_likeness(self._context.known_questions)

    @property
    def sense(self) -> Mapping[str, float]:
        """The probability of each act by meaning alone, whatever was asked."""
        return load_models().classify_act(self.vector)

    def find_best_likeness(self, texts: Sequence[str]) -> float:
        """The similarity to the nearest of some texts."""
        return max(load_models().compare_texts(self.sentence, texts), default=0.0)

    @cached_property
    def flow(self) -> FlowChoice:
        """The probability of each flow, by the message or by the message without its values."""
        barred = self._context.barred_flows
        flows = (*self._context.available_flows, *barred)
        choices = [self.choose_flow(flows)]
        for rest in make_blanked_texts(self.text, self._context):
            said = load_models().encode_message(rest)
            choices.append(load_models().choose_flow(said, flows, rest))
        best = max(choices, key=lambda one: one.ranked[0][1] if one.ranked else 0.0)
        return best.exclude_flows(barred) if barred else best

    def choose_flow(self, flows: Sequence[FlowBrief]) -> FlowChoice:
        """The probability of each of these flows, by the whole message."""
        return load_models().choose_flow(self.sentence, flows, self.text)

    @cached_property
    def _read(self) -> tuple[Moment, Reading]:
        context = self._context
        return load_models().read_slots(self.text, self._history, context, lambda: self.vector)

    @property
    def reading(self) -> Reading:
        """What it says of flows and slots."""
        return self._read[1]

    @property
    def known_reading(self) -> Reading | None:
        """The tagger's reading, if it was computed already."""
        return self._read[1] if "_read" in self.__dict__ else None

    def score_slot(self, slot: SlotBrief) -> float:
        """The probability that the message fills a slot."""
        told = {(one.flow, one.name): one.inform for one in self.reading.slots}
        return told.get((slot.flow, slot.name), 0.0)

    def read_tags(self, flow: str | None = None) -> TaggerCommands:
        """The tagger's commands if this flow, or none, starts."""
        if flow not in self._tagged:
            settled = self.read_as_start(flow)
            self._tagged[flow] = load_models().make_commands(
                self._read[0], settled, self._context, _RULE_THRESHOLDS
            )
        return self._tagged[flow]

    def read_as_start(self, flow: str | None) -> Reading:
        """The tagger's reading if this flow, or none, starts."""
        if self._context.current_flow == "none":
            return self.reading.restrict_to_start(flow)
        return replace(self.reading, flows={flow: 1.0})

    def read_all_tags(self) -> TaggerCommands:
        """The tagger's commands, with the flow that it chooses."""
        reading = replace(self.reading, flows=self._flows)
        return load_models().make_commands(self._read[0], reading, self._context)

    @property
    def _flows(self) -> Mapping[str | None, float]:
        """The tagger's flows, weighted by similarity of the description where it is not sure."""
        flows = self.reading.flows
        if max(flows.values(), default=1.0) >= _TAGGER_SURE:
            return flows
        known = [f for f in self._context.available_flows if f.name in flows]
        likeness = load_models().compare_descriptions(self.vector, known)
        fresh = {n: x for n, x in likeness.items() if n != self._context.current_flow}
        weighed = {n: p * math.exp(_LIKENESS_WEIGHT * fresh.get(n, 0.0)) for n, p in flows.items()}
        whole = sum(weighed.values())
        return {name: likely / whole for name, likely in weighed.items()}

    def find_confirmations(self, view: View, flow: str | None = None) -> tuple[Command, ...]:
        """Yes or no to what was shown.

        Where a yes does something that cannot be undone, both models must hear it.
        """
        if not view.asks_yes_or_no or view.asked is not None:
            return ()
        said = tuple(c for c in self.read_tags(flow).commands if isinstance(c, _ANSWERS))
        if view.kind not in YES_NO_KINDS:
            return said
        return tuple(c for c in said if self._is_act_heard(_ACT_OF_ANSWER[type(c)]))

    def _is_act_heard(self, act: str) -> bool:
        clue = self._lang.pattern(f"clues.{act}").search(self.text)
        return clue is not None and self.sense[act] >= _MIN_SENSE
