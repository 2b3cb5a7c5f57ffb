"""The values that a message gives to a flow it starts: found by form and by the tagger."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from soni.commands import CorrectSlot, SetSlot, StartFlow
from soni.du.context import FlowBrief, SlotBrief
from soni.du.local.analysis import Analysis
from soni.du.local.answers.given_values import find_given_values
from soni.du.local.tagging.commands import find_polar_values
from soni.du.local.tagging.values import accepts_value, assign_unclaimed_names
from soni.du.local.values.choices import find_choice, is_undecided
from soni.du.local.values.codes import find_codes, is_no_code
from soni.du.local.values.parts import is_part_of_other
from soni.du.local.values.periods import find_period, keep_future_days
from soni.du.local.values.route import drop_twins, find_route
from soni.du.local.values.value_search import find_values, is_part_of_name
from soni.du.local.view import View
from soni.du.local.words.mentions import (
    collect_flow_words,
    is_choice_named,
    is_counted_noun,
    is_mentioned,
    names_choice,
    only_repeats_slot,
)
from soni.du.local.words.words import extract_words, find_whole_words, normalise
from soni.du.tagger.reading import Reading
from soni.language import Language

Values = dict[str, Any]

# How likely the tagger must find that a choice is made, and which.
_SURE: Final = 0.9
# How likely that any is, where a word says which.
_HEARD: Final = 0.7


@dataclass(frozen=True)
class StartValues:
    """What a message gives to a flow that starts."""

    flow: str
    thought: Analysis
    view: View

    def read_values(self) -> Values:
        """The values, by slot."""
        by_form = find_given_values(self.thought.text, self._flow_slots, self.view)
        if not self.view.has_models:
            return by_form
        text, lang = self.thought.text, self.view.lang
        polar = find_polar_values(text, self._flow_slots, self._reading, lang)
        values = polar | self._merge_values(by_form, self._read_tagged_values())
        return self._find_names(values) | self._find_distinct_choices(values) | values

    @property
    def _flow_slots(self) -> tuple[SlotBrief, ...]:
        return self.view.list_slots(self.flow)

    @property
    def _brief(self) -> FlowBrief | None:
        flows = self.view.context.available_flows
        return next((flow for flow in flows if flow.name == self.flow), None)

    @cached_property
    def _reading(self) -> Reading:
        return self.thought.read_as_start(self.flow)

    @cached_property
    def _possible_slots(self) -> dict[str, SlotBrief]:
        text, lang = self.thought.text, self.view.lang
        return {slot.name: slot for slot in self._flow_slots if is_mentioned(slot, text, lang)}

    def _read_tagged_values(self) -> Values:
        # What is read for a flow that is open already is read as if for it.
        is_open = self.flow == self.view.context.current_flow
        kinds = (SetSlot, CorrectSlot) if is_open else (StartFlow,)
        read: Values = {}
        for command in self.thought.read_tags(self.flow).commands:
            if isinstance(command, kinds):
                read |= command.get_touched_slots()
        return {
            n: v
            for n, v in read.items()
            if n in self._possible_slots and self._is_acceptable(self._possible_slots[n], v)
        }

    def _find_distinct_choices(self, values: Values) -> Values:
        """Choices that a word tells from the others, where the tagger hears some choice."""
        open_ = [s for s in self._flow_slots if s.kind.has_values and s.name not in values]
        heard = [slot for slot in open_ if self.thought.score_slot(slot) >= _HEARD]
        text, lang = self.thought.text, self.view.lang
        told = {
            s.name: [one for one in s.values if names_choice(text, s, one, lang, self._brief)]
            for s in heard
        }
        # A word for one end of a way is no word for the other.
        made = [*values.values(), *(one for found in told.values() for one in found)]
        only = {name: found[0] for name, found in told.items() if len(found) == 1}
        return {name: value for name, value in only.items() if made.count(value) == 1}

    def _find_names(self, values: Values) -> Values:
        """Names that are left over, but not what the flow itself is called by."""
        read = [one for one in self._reading.slots if one.flow == self.flow]
        text, context = self.thought.text, self.view.context
        names = assign_unclaimed_names(text, self._flow_slots, read, values, context)
        own = collect_flow_words(self._brief, self.view.lang) if self._brief else frozenset()
        return {
            slot: name
            for slot, name in names.items()
            if self._is_acceptable(self._possible_slots[slot], name)
            and not extract_words(normalise(name), self.view.lang) <= own
        }

    def _is_acceptable(self, slot: SlotBrief, value: Any) -> bool:
        text, context = self.thought.text, self.view.context
        if self._is_taken_over(value) and not self.view.lang.pattern("cues.points").search(text):
            return False
        known = [value for task in context.others for value in task.slots.values()]
        if value not in known and not self._is_chosen(slot, value):
            return False
        lang = self.view.lang
        if not accepts_value(slot, value, context):
            return False
        if is_part_of_other(str(value), text, slot, lang):
            return False
        if is_no_code(str(value), slot, lang) or is_pronoun(str(value), text, slot, lang):
            return False
        if slot.kind.dimension == "day" and self._is_no_day(slot, value):
            return False
        return not only_repeats_slot(value, slot, self._brief, self.view.lang)

    def _is_chosen(self, slot: SlotBrief, value: Any) -> bool:
        """Whether a choice is made by the words; those that name another to the letter make that.

        Words that would have to be misspelt give way to a tagger that is sure.
        """
        text, lang = self.thought.text, self.view.lang
        if is_undecided(text, slot, lang):
            return False
        if slot.kind.has_values and find_choice(text, slot, lang, slips=False) not in (None, value):
            return False
        if is_choice_named(slot, value, text, self.view.lang, new=False, flow=self._brief):
            return True
        return find_choice(text, slot, lang) is not None and self._is_sure(slot, value)

    def _is_sure(self, slot: SlotBrief, value: Any) -> bool:
        read = {(one.flow, one.name): one for one in self._reading.slots}
        own = read.get((slot.flow, slot.name))
        return own is not None and min(own.inform, own.values.get(str(value), 0.0)) >= _SURE

    def _is_no_day(self, slot: SlotBrief, value: Any) -> bool:
        text, said = self.thought.text, str(value)
        known = keep_future_days(text, find_values(text, slot, self.view.env), slot, self.view)
        days = [text[day.start : day.end] for day in known]
        return said in text and not any(said in day or day in said for day in days)

    def _is_taken_over(self, value: Any) -> bool:
        """Whether a value is one that another task knows, and no word of the message."""
        context = self.view.context
        tasks = (context.current_slots, *(task.slots for task in context.others))
        known = {str(one) for slots in tasks for one in slots.values()}
        return str(value) in known and normalise(str(value)) not in normalise(self.thought.text)

    def _merge_values(self, by_form: Values, read: Values) -> Values:
        text, told = self.thought.text, self._possible_slots
        kind = {slot.name: slot.kind for slot in self._flow_slots}
        # The 9 of "9 Elm Road" counts nothing.
        names = [str(v) for n, v in read.items() if kind[n].is_short_text]
        # A code is told by its form, to the last letter.
        coded = find_codes(text, self._flow_slots, self.view.lang)
        by_form = {
            n: v for n, v in by_form.items() if n in coded or not is_part_of_name(str(v), names)
        }
        read = {n: v for n, v in read.items() if n not in coded and v not in coded.values()}
        # A word for one of a list is no item of another.
        words = [normalise(str(v)) for n, v in (read | by_form).items() if not kind[n].is_picked]
        twice = {n for n, v in read.items() if kind[n].is_picked and normalise(str(v)) in words}
        read = {n: v for n, v in read.items() if n not in twice}
        # What stands before the noun of one slot is not the number of another.
        counted = {v: n for n, v in by_form.items() if n in told and kind[n].dimension == "count"}
        read = {n: v for n, v in read.items() if counted.get(v, n) == n}
        # Both ends of a way are told by their words alone.
        ends = find_route(text, self._flow_slots, self.view.lang)
        ends |= find_period(text, self._flow_slots, self.view)
        # What has a form is whole: the tagger may have begun in the middle of it.
        read = {n: v for n, v in read.items() if str(v) not in str(by_form.get(n, ""))}
        return drop_twins({**by_form, **read, **ends}, ends, self._flow_slots)


def is_pronoun(value: str, message: str, slot: SlotBrief, lang: Language) -> bool:
    """Whether a "one" counts nothing of the slot's: "can one hire it", "could I get a new one"."""
    said = value.casefold()
    if not slot.kind.is_number or said not in lang.words("pronoun_one.one"):
        return False
    places = find_whole_words(said, message.casefold())
    return all(not _is_one_a_number(message, start, end, slot, lang) for start, end in places)


def _is_one_a_number(message: str, start: int, end: int, slot: SlotBrief, lang: Language) -> bool:
    noun = lang.pattern("pronoun_one.noun", cased=True).match(message, end)
    told = noun is not None and is_counted_noun(noun[1], slot, lang)
    return told or lang.pattern("pronoun_one.number").search(message[:start]) is not None
