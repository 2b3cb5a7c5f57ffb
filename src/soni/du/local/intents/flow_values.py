"""Values that a message gives to the active flow: found by form and by the tagger, filtered."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from soni.commands import Command, CorrectSlot, SetSlot, SkipSlot
from soni.du.context import SlotBrief
from soni.du.local.analysis import Analysis
from soni.du.local.answers.given_values import find_given_values
from soni.du.local.parse import NOTHING, Parse
from soni.du.local.tagging.commands import find_polar_values
from soni.du.local.tagging.values import accepts_value
from soni.du.local.values.choices import find_choice, is_refused, is_undecided
from soni.du.local.values.codes import find_address_slot, find_codes, holds_code
from soni.du.local.values.parts import is_part_of_other
from soni.du.local.values.periods import find_period
from soni.du.local.values.route import drop_twins, find_route
from soni.du.local.values.value_search import is_part_of_name, is_part_of_word
from soni.du.local.view import View
from soni.du.local.words.lexicon import means
from soni.du.local.words.mentions import is_choice_named, is_mentioned
from soni.du.local.words.words import extract_words, normalise, speak_name
from soni.language import Language

# How likely the tagger must find that a slot is filled: at all, and surely.
_UNHEARD: Final = 0.03
_LIKELY: Final = 0.7
_SURE: Final = 0.9
# How like a choice the words must be that name it in none of its own.
_MIN_LIKENESS: Final = 0.32

SlotCommand = SetSlot | CorrectSlot | SkipSlot


@dataclass(frozen=True)
class FlowValues:
    """Reads the values that a message gives to the active flow."""

    text: str
    view: View
    thought: Analysis

    def read_values(self) -> Parse:
        """What is said for the slots of the active flow."""
        view = self.view
        if view.context.current_flow == "none":
            return NOTHING
        asked = view.context.waiting_for_slot
        open_ = [s for s in view.active if view.get_value(s) is None and s.name != asked]
        by_form = self._drop_unheard_ones(find_given_values(self.text, open_, view), open_)
        tagged = self.thought.read_tags() if view.has_models else None
        read = [c for c in tagged.commands if isinstance(c, SlotCommand)] if tagged else []
        ends = find_route(self.text, view.active, view.lang)
        ends |= find_period(self.text, view.active, view)
        read = [c for c in read if c.slot_name not in ends and not _sets_value(c, ends)]
        read = [c for c in read if self._is_said(c)]
        own = {v for c in read if c.slot_name == asked for v in c.get_touched_slots().values()}
        # A code is told by its form, to the last letter, unless it is what was asked for.
        coded = {n: v for n, v in find_codes(self.text, open_, view.lang).items() if v not in own}
        by_form = {n: v for n, v in by_form.items() if v not in own or not self._is_free_text(n)}
        read = [c for c in read if c.slot_name not in coded and not _sets_value(c, coded)]
        read = [self._move_address(c, open_) for c in read]
        said = {c.slot_name or "": next(iter(c.get_touched_slots().values()), None) for c in read}
        meant = drop_twins(said, ends, view.active)
        meant = {n: v for n, v in meant.items() if not self._is_taken(n, v, {**by_form, **said})}
        read = [c for c in read if (c.slot_name or "") in meant and self._is_acceptable(c)]
        names = [str(said[n]) for n in meant if self._is_free_text(n)]
        by_form = {n: v for n, v in by_form.items() if not is_part_of_name(str(v), names)}
        by_form |= ends
        by_form |= {n: v for n, v in self._find_polar_values().items() if n not in by_form}
        named = {command.slot_name for command in read}
        new = [self._make_command(n, v) for n, v in by_form.items() if n not in named]
        answers = self.thought.find_confirmations(view) if tagged else ()
        return Parse((*answers, *read, *new), tagged.confidence if tagged else 1.0)

    def _drop_unheard_ones(
        self, by_form: dict[str, Any], slots: Sequence[SlotBrief]
    ) -> dict[str, Any]:
        """ "An electric one": not a one that the tagger hears nothing of, beside something else."""
        if not self.view.has_models or not self._is_sure_of_another(None):
            return by_form
        ones = self.view.lang.words("answer.a_one")
        unheard = {
            slot.name
            for slot in slots
            if str(by_form.get(slot.name)) in ones and self.thought.score_slot(slot) < _UNHEARD
        }
        return {name: value for name, value in by_form.items() if name not in unheard}

    def _move_address(self, command: SlotCommand, slots: Sequence[SlotBrief]) -> SlotCommand:
        """An address in place of a code that was asked."""
        asked = self.view.asked
        if not isinstance(command, SetSlot) or asked is None or command.slot_name != asked.name:
            return command
        lang = self.view.lang
        home = find_address_slot(command.value, slots, lang) if holds_code(asked, lang) else None
        return command.model_copy(update={"slot_name": home.name}) if home else command

    def _is_sure_of_another(self, slot: SlotBrief | None) -> bool:
        others = (one for one in self.view.active if one is not slot)
        return any(self.thought.score_slot(one) >= _SURE for one in others)

    def _is_free_text(self, name: str) -> bool:
        return any(slot.name == name and slot.kind.is_short_text for slot in self.view.active)

    def _find_polar_values(self) -> dict[str, bool]:
        """A yes or no that nobody asked for, and that is news."""
        if not self.view.has_models:
            return {}
        others = [slot for slot in self.view.active if slot is not self.view.asked]
        known = self.view.context.current_slots
        told = find_polar_values(self.text, others, self.thought.reading, self.view.lang)
        return {name: value for name, value in told.items() if known.get(name) is not value}

    def _is_taken(self, name: str, value: Any, said: Mapping[str, Any]) -> bool:
        """Whether the words of a free value are those of a choice that was made as well."""
        slots = {slot.name: slot for slot in self.view.active}
        if name not in slots or not slots[name].kind.is_short_text:
            return False
        chosen_ = [slots[n] for n in said if n in slots and slots[n].kind.has_values]
        return any(_says_only(str(value), slot, self.view.lang) for slot in chosen_)

    def _make_command(self, name: str, value: Any) -> Command:
        if self.view.context.current_slots.get(name) is None:
            return SetSlot(slot_name=name, value=value)
        return CorrectSlot(slot_name=name, new_value=value)

    def _is_acceptable(self, command: Command) -> bool:
        name = getattr(command, "slot_name", "")
        slot = next((one for one in self.view.active if one.name == name), None)
        said = command.get_touched_slots()
        if slot is None:
            return True
        if isinstance(command, SkipSlot):
            clear = means(normalise(self.text), "skip", self.view.lang)
            hinted = self.view.lang.pattern("clues.skip").search(self.text) is not None
            return clear or (hinted and not slot.required)
        if not said:
            return True
        value = said[name]
        if isinstance(value, str) and is_part_of_word(value, self.text):
            return False
        if is_part_of_other(str(value), self.text, slot, self.view.lang):
            return False
        # What was asked is read by its form, not guessed: "2.5" is no whole number.
        has_form = slot.kind.has_form and not slot.kind.has_values
        if name == self.view.context.waiting_for_slot and has_form:
            return False
        # A single word is a yes or no by the lexicon, or neither.
        if slot.kind.is_polar and " " not in self.text.strip():
            return False
        fits = accepts_value(slot, value, self.view.context)
        return fits and not self._changes_form(slot, value)

    def _changes_form(self, slot: SlotBrief, value: Any) -> bool:
        """Whether a number of a thing would become a word."""
        known = str(self.view.context.current_slots.get(slot.name) or "")
        digits = re.search(r"\d", known) is not None
        return slot.kind.is_short_text and digits and not re.search(r"\d", str(value))

    def _is_said(self, command: Command) -> bool:
        name = getattr(command, "slot_name", "")
        slot = next((one for one in self.view.active if one.name == name), None)
        if slot is None:
            return True
        asked = name == self.view.context.waiting_for_slot
        value = command.get_touched_slots().get(name)
        if not is_choice_named(slot, value, self.text, self.view.lang, new=asked):
            return False
        lang = self.view.lang
        if is_undecided(self.text, slot, lang) or is_refused(self.text, str(value), slot, lang):
            return False
        if slot.kind.has_values and find_choice(self.text, slot, lang) is None:
            # Not in these words: it is guessed, and the words are for something else.
            guessed = self.thought.score_slot(slot) < _LIKELY
            if guessed and self._is_sure_of_another(slot):
                return False
            if self.thought.find_best_likeness(_list_forms(slot, value)) < _MIN_LIKENESS:
                return False
        heard = self.thought.score_slot(slot) >= _SURE
        return asked or heard or is_mentioned(slot, self.text, self.view.lang)


def _list_forms(slot: SlotBrief, value: Any) -> tuple[str, ...]:
    """The words for a choice, by themselves and as an answer to what the slot is about."""
    named = (str(value).replace("_", " "), *slot.values.get(str(value), ()))
    return (*named, *(f"{slot.description}: {form}" for form in named))


def _says_only(text: str, slot: SlotBrief, lang: Language) -> bool:
    """Whether a text names a choice and nothing beside it: "size S", but not "small backpack"."""
    value = find_choice(text, slot, lang)
    if value is None:
        return False
    forms = (speak_name(slot.name), slot.description, value, *slot.values.get(value, ()))
    return extract_words(normalise(text), lang) <= extract_words(normalise(" ".join(forms)), lang)


def _sets_value(command: Command, values: Mapping[str, Any]) -> bool:
    said = {normalise(str(value)) for value in values.values()}
    return any(normalise(str(value)) in said for value in command.get_touched_slots().values())
