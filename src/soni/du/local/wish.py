"""Which flow a message wants, by the author's examples and by what the tagger reads."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from soni.commands import CorrectSlot, Disambiguate, SetSlot, StartFlow
from soni.du.local import cues
from soni.du.local.exact import nearly_example
from soni.du.local.given import given
from soni.du.local.limits import Limits
from soni.du.local.mentions import is_named, is_told, named_flow
from soni.du.local.mind import Thought
from soni.du.local.periods import period
from soni.du.local.questions import is_question
from soni.du.local.read import NOTHING, Read
from soni.du.local.route import route, without_twins
from soni.du.local.values import accepts
from soni.du.local.view import View
from soni.du.local.words import content, normal

# These are in any request, and in none.
_ANYTHING = frozenset({"something", "anything", "stuff", "thing", "algo", "cosa"})
_A_WORD = 0.01

# A flow found by words alone, in a language that no model knows.
_BY_WORDS = 0.9


@dataclass(frozen=True)
class Wish:
    """The flow that somebody wants to start, if any."""

    thought: Thought
    view: View
    limits: Limits

    @cached_property
    def best(self) -> tuple[str | None, float]:
        """What is likeliest, a flow or none, and how likely it is."""
        if not self.view.is_english:
            found = nearly_example(normal(self.thought.text), self.view)
            if found is not None:
                return found.flow_name, _BY_WORDS
            by_example = self.thought.flow
            return (by_example.best, by_example.probabilities.get(by_example.best, 0.0))
        name = max(self.likely, key=lambda one: self.likely[one], default=None)
        return name, self.likely.get(name, 0.0)

    @cached_property
    def likely(self) -> dict[str | None, float]:
        """How likely each flow is; what is going on anyhow is no flow to start."""
        by_example, by_reading = self.thought.flow.probabilities, self.thought.reading.flows
        shown = any(flow.examples for flow in self.view.context.available_flows)
        weight = self.limits.examples if shown else 0.0
        mixed: dict[str | None, float] = {None: 0.0}
        for share, opinion in ((weight, by_example), (1 - weight, by_reading)):
            for name, value in opinion.items():
                kept = None if name == self.view.context.current_flow else name
                mixed[kept] = mixed.get(kept, 0.0) + share * value
        return mixed

    @property
    def flow(self) -> str | None:
        """The flow to start, if it is sure enough."""
        name, sure = self.best
        if not self._is_wish(name):
            return None
        idle = self.view.context.current_flow == "none"
        return name if sure >= (self.limits.start if idle else self.limits.interrupt) else None

    def _is_wish(self, name: str | None) -> bool:
        """Whether there is something to wish with: one word must be a word of the flow."""
        words = content(normal(self.thought.text)) - _ANYTHING
        if len(words) > 1:
            return True
        flows = [flow for flow in self.view.context.available_flows if flow.name == name]
        return bool(words) and named_flow(" ".join(words), flows, least=_A_WORD) is not None

    @property
    def is_strong(self) -> bool:
        """Whether another flow is wanted even in the middle of this one."""
        name, sure = self.best
        return name is not None and sure >= self.limits.interrupt and self._is_wish(name)

    def started(self) -> Read:
        """The flow with the values that come along; or the question which one is meant."""
        if self.flow is None:
            return self._unclear()
        answers = self.thought.answers(self.view, self.flow) if self.view.is_english else ()
        start = StartFlow(flow_name=self.flow, slots=self.slots(self.flow))
        return Read((*answers, start), self.best[1], self._about(self.flow))

    def slots(self, flow: str) -> dict[str, Any]:
        """The values that the message gives to a flow that starts."""
        slots = self.view.slots_of(flow)
        by_form = given(self.thought.text, slots, self.view)
        if not self.view.is_english:
            return by_form
        # What is read for a flow that is open already is read as if for it.
        kinds = (SetSlot, CorrectSlot) if flow == self.view.context.current_flow else (StartFlow,)
        read: dict[str, Any] = {}
        for command in self.thought.tagged(flow).commands:
            if isinstance(command, kinds):
                read |= command.slots_touched()
        text = self.thought.text
        told = {slot.name: slot for slot in slots if is_told(slot, text)}
        known = [value for task in self.view.context.others for value in task.slots.values()]
        read = {
            n: v
            for n, v in read.items()
            if n in told and (v in known or is_named(told[n], v, text, new=False))
        }
        read = {n: v for n, v in read.items() if accepts(told[n], v, self.view.context)}
        # What stands before the noun of one slot is not the number of another.
        counted = {v: n for n, v in by_form.items() if told.get(n) and told[n].type == "integer"}
        read = {n: v for n, v in read.items() if counted.get(v, n) == n}
        # Both ends of a way are told by their words alone.
        ends = route(text, slots) | period(text, slots, self.view)
        return without_twins({**by_form, **read, **ends}, ends, slots)

    def asks(self) -> bool:
        """Whether people begin this flow with a question."""
        if not self.view.is_english:
            # The model hears little of a question in another language.
            return self.best[1] == _BY_WORDS
        if self.best[1] >= self.limits.question and not cues.FACT.search(self.thought.text):
            return True
        flows = (f for f in self.view.context.available_flows if f.name == self.best[0])
        return any(is_question(text, answering=False) for flow in flows for text in flow.examples)

    def _about(self, flow: str) -> tuple[str, ...]:
        if not self.view.is_english:
            return ()
        asks = self.thought.reading.acts.get("request", 0.0) >= self.limits.start
        return tuple(self.thought.tagged(flow).requested) if asks else ()

    def _unclear(self) -> Read:
        """Two flows that it may be: better to ask than to guess."""
        if not self.view.is_english or self.view.context.current_flow != "none":
            return NOTHING
        ranked = sorted(((p, n) for n, p in self.likely.items() if n), reverse=True)
        if len(ranked) < 2:
            return NOTHING
        (first, name), (second, other) = ranked[:2]
        if first + second < self.limits.start or first - second > self.limits.close:
            return NOTHING
        return Read((Disambiguate(flow_names=(name, other)),), first + second)
