"""Which flow a message wants, by the author's examples and by what the tagger reads."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from soni.commands import CorrectSlot, Disambiguate, OutOfScope, ResumeFlow, StartFlow
from soni.du.local.analysis import Analysis
from soni.du.local.answers.answers import find_answer
from soni.du.local.answers.given_values import find_given_values
from soni.du.local.intents.choice import FlowEvidence, TiedFlows, find_close_pair
from soni.du.local.intents.start_values import StartValues
from soni.du.local.lexical.intents import (
    EXAMPLE_CONFIDENCE,
    asks_for_flow,
    choose_flow_by_words,
    find_tied_flows,
    is_foreign,
)
from soni.du.local.limits import Limits
from soni.du.local.parse import NOTHING, Parse
from soni.du.local.values.codes import has_no_code
from soni.du.local.view import View
from soni.du.local.words.mentions import collect_flow_words, find_named_flow
from soni.du.local.words.questions import asks_openly, is_question
from soni.du.local.words.words import extract_words, normalise, speak_name
from soni.du.tagger.reading import SlotReading

_ANY_WORD = 0.01
# How sure the author's examples must be to decide.
_MIN_BY_EXAMPLE = 0.65
# How sure they must be that none of the flows is meant.
_UNLIKE = 0.8
# Yes and no may be about anything.
_POLES = frozenset({"true", "false"})
# A value that the tagger is sure of, and how much likelier it makes its flow.
_TOLD, _PLACED, _EVIDENCE = 0.9, 0.5, 3.0


@dataclass(frozen=True)
class Intent:
    """The flow that a message asks to start, if any."""

    thought: Analysis
    view: View
    limits: Limits

    @cached_property
    def best(self) -> tuple[str | None, float]:
        """What is likeliest, a flow or none, and how likely it is."""
        if not self.view.has_models:
            return choose_flow_by_words(self.thought.text, self.view)
        name = max(self.likely, key=lambda one: self.likely[one], default=None)
        return name, self.likely.get(name, 0.0)

    @cached_property
    def likely(self) -> dict[str | None, float]:
        """The probability of each flow; the active one counts as none."""
        by_example, by_reading = self.thought.flow.probabilities, self.thought.reading.flows
        if self._is_weighed:
            return FlowEvidence(self.thought, self.view).likely
        shown = any(flow.examples for flow in self.view.context.available_flows)
        # Without examples the tagger knows best, but what begins a conversation is like its flow.
        plain = self.limits.described if self.view.is_idle else 0.0
        weight = self.limits.examples if shown else plain
        mixed: dict[str | None, float] = {None: 0.0}
        for share, opinion in ((weight, by_example), (1 - weight, by_reading)):
            for name, value in opinion.items():
                kept = None if name == self.view.context.current_flow else name
                mixed[kept] = mixed.get(kept, 0.0) + share * value
        return self._weigh_values(mixed) if self.view.is_idle else mixed

    def _weigh_values(self, likely: dict[str | None, float]) -> dict[str | None, float]:
        told = {slot.flow for slot in self.thought.reading.slots if _is_sure_value(slot)}
        weighed = {n: p * (_EVIDENCE if n in told else 1) for n, p in likely.items()}
        whole = sum(weighed.values()) or 1.0
        return {name: p / whole for name, p in weighed.items()}

    @property
    def _is_weighed(self) -> bool:
        """Whether the log-linear model decides: nothing is going on, and flows have examples."""
        idle = self.view.is_idle and self.view.has_models
        return idle and any(flow.examples for flow in self.view.context.available_flows)

    @property
    def flow(self) -> str | None:
        """The flow to start, if it is sure enough."""
        name, sure = self.best
        if not self._is_request(name) or self.is_doubted or self.rivals:
            return None
        free = self.view.context.current_flow == "none" or self._is_no_answer
        needed = self.limits.start if free else self.limits.interrupt
        if name is not None and (sure >= needed or self._is_shown(name)):
            return name
        return self._asked_flow

    @cached_property
    def rivals(self) -> tuple[str, ...]:
        """The flows of which one is meant, if the words do not decide between them."""
        if self.view.context.current_flow != "none":
            return ()
        if not self.view.has_models:
            return find_tied_flows(self.thought.text, self.view)
        return TiedFlows(self.thought.text, self.likely, self.view, self.limits).find_ties()

    @property
    def is_meant(self) -> bool:
        """Whether a flow is wanted, even if it is not known which."""
        if not self.view.has_models:
            return self.flow is not None or bool(self.rivals)
        either = sum(self.likely[name] for name in self.rivals)
        return self.flow is not None or either >= self.limits.interrupt

    @cached_property
    def is_doubted(self) -> bool:
        """Whether it is like nothing that the author wrote, and the tagger only guesses."""
        if not self.view.is_idle or not self.view.has_models:
            return False
        name = self.best[0]
        unlike = self.thought.flow.probabilities.get(None, 0.0) >= _UNLIKE
        guessed = self.thought.reading.flows.get(name, 0.0) < self.limits.question
        return unlike and guessed and not (self._is_weighed and self._is_mentioned(name))

    def _is_mentioned(self, name: str | None) -> bool:
        flows = [flow for flow in self.view.context.available_flows if flow.name == name]
        slots = [slot for flow in flows for slot in flow.slots]
        texts = [speak_name(name) for slot in slots for name in (slot.name, *slot.values)]
        texts += [normalise(slot.description) for slot in slots]
        texts += [normalise(form) for s in slots for same in s.values.values() for form in same]
        lang, said = self.view.lang, self.thought.text
        own = (collect_flow_words(flow, lang) for flow in flows)
        known = frozenset[str]().union(*own, *(extract_words(text, lang) for text in texts))
        return (
            bool(known & extract_words(normalise(said), lang))
            or len(find_given_values(said, slots, self.view)) > 1
        )

    def _is_shown(self, name: str) -> bool:
        """Whether the author's own examples decide between flows that are near to each other."""
        likely = self.thought.flow.probabilities if self.view.is_idle else {}
        return likely.get(name, 0.0) >= _MIN_BY_EXAMPLE

    @property
    def _is_no_answer(self) -> bool:
        slot, text = self.view.asked, self.thought.text
        if slot is None or not self.view.lang.pattern("cues.want").search(text):
            return False
        formed = self.view.asks_for_form and not slot.kind.is_polar
        none = formed and find_answer(text, slot, self.view) is None
        return none or has_no_code(text, slot, self.view.lang)

    @property
    def _asked_flow(self) -> str | None:
        text = self.thought.text
        if not self.view.has_models or self.view.lang.pattern("cues.fact").search(text):
            return None
        name, likely = next(iter(self.thought.flow.ranked), (None, 0.0))
        if name == self.view.context.current_flow or likely < self.limits.start:
            return None
        # That it asks speaks against a flow, but not against one that is surely meant.
        surely = self.view.is_idle and likely >= self.limits.question
        surely = surely and (not self._only_asks or self._says_only(name))
        if surely and is_question(text, self.view.lang, answering=False):
            return name
        asked = self._has_question_example(name)
        return name if asked and asks_openly(text, self.view.lang) else None

    def _has_question_example(self, name: str | None) -> bool:
        flows = (f for f in self.view.context.available_flows if f.name == name)
        examples = (one for flow in flows for one in flow.examples)
        return any(is_question(one, self.view.lang, answering=False) for one in examples)

    def _says_only(self, name: str | None) -> bool:
        """Whether all that is said is what the flow is called: "any bills to pay?"."""
        lang = self.view.lang
        said = extract_words(normalise(self.thought.text), lang) - lang.words("wish.there")
        return said <= extract_words(speak_name(name or ""), lang)

    def _is_request(self, name: str | None) -> bool:
        """Whether there is something to wish with: one word must be a word of the flow."""
        lang = self.view.lang
        words = extract_words(normalise(self.thought.text), lang) - lang.words("wish.anything")
        if len(words) > 1:
            return True
        flows = [flow for flow in self.view.context.available_flows if flow.name == name]
        named = find_named_flow(" ".join(words), flows, lang, least=_ANY_WORD)
        return bool(words) and named is not None

    @property
    def is_strong(self) -> bool:
        """Whether another flow is wanted even in the middle of this one."""
        name, sure = self.best
        return name is not None and sure >= self.limits.interrupt and self._is_request(name)

    def read_start(self) -> Parse:
        """The flow with the values that come along; or the question which one is meant."""
        if self.flow is None:
            return self._read_unclear()
        if self.flow in self.view.context.paused_flows:
            return self._read_resumed(self.flow)
        start = StartFlow(flow_name=self.flow, slots=self.find_start_slots(self.flow))
        if not self.view.has_models:
            return Parse((start,), self.best[1])
        answers = self.thought.find_confirmations(self.view, self.flow)
        asks = self.thought.reading.acts.get("request", 0.0) >= self.limits.start
        about = tuple(self.thought.read_tags(self.flow).requested) if asks else ()
        return Parse((*answers, start), self.best[1], about)

    def _read_resumed(self, flow: str) -> Parse:
        known = next((t.slots for t in self.view.context.others if t.open and t.flow == flow), {})
        new = find_given_values(self.thought.text, self.view.list_slots(flow), self.view)
        changed = tuple(
            CorrectSlot(slot_name=name, new_value=value, flow_name=flow)
            for name, value in new.items()
            if known.get(name) is not None and str(known[name]) != str(value)
        )
        returns = not changed or self.thought.acts["resume"] >= self.limits.start
        back = (ResumeFlow(flow_name=flow),) if returns else ()
        return Parse((*back, *changed), self.best[1])

    def find_start_slots(self, flow: str) -> dict[str, Any]:
        """The values that the message gives to a flow that starts."""
        return StartValues(flow, self.thought, self.view).read_values()

    def may_be_question(self) -> bool:
        """Whether people begin this flow with a question."""
        if self._is_weighed:
            return True
        if not self.view.has_models:
            # The model hears little of a question in another language.
            (name, likely), text = self.best, self.thought.text
            shown = name is not None and likely == EXAMPLE_CONFIDENCE
            return shown or any(asks_for_flow(text, one, self.view) for one in (name, *self.rivals))
        by_example = self.thought.flow.probabilities.get(self.flow, 0.0)
        surely = by_example >= self.limits.question
        if surely and (not self._only_asks or self._says_only(self.flow)):
            return True
        by_reading = self.thought.reading.flows.get(self.flow, 0.0)
        slots = (slot for slot in self.thought.reading.slots if slot.flow == self.flow)
        has_values = any(slot.inform >= _TOLD for slot in slots)
        if by_reading >= self.limits.question and has_values and not self._only_asks:
            return True
        return self._has_question_example(self.flow)

    @property
    def _only_asks(self) -> bool:
        if self.view.lang.pattern("cues.fact").search(self.thought.text):
            return True
        asks = self.thought.acts["ask"] >= self.limits.sure_act
        return asks and self.thought.reading.flows.get(None, 0.0) >= self.limits.question

    def _read_unclear(self) -> Parse:
        if not self.view.has_models:
            if self.rivals:
                return Parse((Disambiguate(flow_names=self.rivals),))
            foreign = is_foreign(self.thought.text, self.view)
            return Parse((OutOfScope(topic=self.thought.text),)) if foreign else NOTHING
        if self.view.context.current_flow != "none":
            return NOTHING
        names = self.rivals or find_close_pair(self.likely, self.limits)
        either = sum(self.likely[name] for name in names)
        return Parse((Disambiguate(flow_names=names),), either) if names else NOTHING


@dataclass(frozen=True)
class IntentReader:
    """Reads more of a message, or of a part of one, by the intent found in it."""

    wish: Intent
    view: View
    limits: Limits

    @property
    def text(self) -> str:
        """The words."""
        return self.thought.text

    @property
    def thought(self) -> Analysis:
        """The analysis by the models."""
        return self.wish.thought


def _is_sure_value(slot: SlotReading) -> bool:
    placed = any(span.probability >= _PLACED for span in slot.spans)
    chosen = any(p >= _TOLD for name, p in slot.values.items() if name not in _POLES)
    return slot.inform >= _TOLD and (placed or chosen)


# Each of two wishes is said so clearly by itself; an "and" alone adds none.
_CLEAR: Final = 0.95


def join_intents(whole: Intent, first: Intent, second: Intent) -> Parse:
    """ "It never came. I want my money back": the flow of one part, with the values of both."""
    if not (whole.view.is_idle and whole.view.has_models):
        return NOTHING
    adds = whole.view.lang.pattern("wish.adds").search(whole.thought.text)
    vague = min(_score_examples(first), _score_examples(second)) < _CLEAR
    meant = None if adds and not vague else _choose_intent(whole, first, second)
    if meant is None and vague:
        meant = whole.flow
    if meant is None:
        return NOTHING
    return Parse(
        (StartFlow(flow_name=meant, slots=whole.find_start_slots(meant)),), whole.likely[meant]
    )


def elaborates_request(wish: Parse, asked: str, view: View) -> bool:
    """ "My permit runs out, could I get a new one?": it only says how a wish is meant."""
    if not (view.is_idle and view.has_models and wish.has(StartFlow)):
        return False
    request, how_to = view.lang.pattern("cues.request"), view.lang.pattern("cues.how_to")
    return (request.match(asked) or how_to.search(asked)) is not None


def _choose_intent(whole: Intent, first: Intent, second: Intent) -> str | None:
    wanted = whole.thought.reading.flows.get(second.flow, 0.0) >= whole.limits.question
    says_so = wanted or second.view.lang.pattern("cues.want").search(second.thought.text)
    failed = whole.view.lang.pattern("wish.failed")
    if says_so and failed.search(first.thought.text):
        return second.flow
    # A part that is like no flow by itself tells more about the other one.
    least, best = sorted((first, second), key=_score_examples)
    if _score_examples(least) < whole.limits.interrupt <= _score_examples(best):
        return best.flow
    return None


def _score_examples(wish: Intent) -> float:
    return wish.thought.flow.probabilities.get(wish.flow, 0.0)
