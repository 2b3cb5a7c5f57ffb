"""Corrections: "make it 60", "Robert, not Bob", "the date is wrong"."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from soni.commands import Command, CorrectSlot, SetSlot
from soni.du.context import SlotBrief
from soni.du.local.answers.answers import find_answer
from soni.du.local.corrections.changes import (
    find_changes,
    find_changes_by_kind,
    find_denied_slot,
    find_wrong_slot,
)
from soni.du.local.corrections.replacement import has_correction_cue, replace_value
from soni.du.local.intents.flow_values import FlowValues
from soni.du.local.intents.ranking import IntentReader
from soni.du.local.parse import NOTHING, Parse, make_sure_parse
from soni.du.local.values.parts import is_rate
from soni.du.local.view import View
from soni.du.local.words.words import normalise

_MIN_CORRECTION = 0.6
_UNHEARD = 0.05
_COUNTING_DIMENSIONS = ("count", "number", "money", "duration")


@dataclass(frozen=True)
class Amendment(IntentReader):
    """Reads the corrections in a message, or in a part of one."""

    cue: bool = False
    """Whether the words before it announce a correction: "no, ..."."""

    def read(self) -> Parse:
        """Another value for a slot that has one, or that one is not right."""
        view, confirming = self.view, self.view.kind == "confirm"
        if swapped := replace_value(self.text, view):
            answer = find_separate_answer(self.text, swapped, view)
            return Parse((*answer, *map(self._complete_value, swapped)))
        if confirming and (wrong := find_wrong_slot(self.text, view)) is not None:
            return Parse((wrong,))
        new = find_changes(self.text, view)
        if confirming and not new and view.lang.pattern("cues.change").search(self.text):
            named = find_denied_slot(self.text, view)
            if named is not None:
                return Parse((named,))
        hinted = confirming or self.is_hinted
        if not new and hinted and not self.wish.is_strong and not self._only_asks:
            by_kind = find_changes_by_kind(self.text, view)
            new = [one for one in by_kind if not self._is_for_another(one)]
        new = list(map(self._complete_value, new))
        if not new:
            return make_sure_parse(find_denied_slot(self.text, view)) if confirming else NOTHING
        answer = self._find_side_answer(new)
        return Parse((*answer, *new, *self._find_tagged_changes((*answer, *new))))

    @property
    def _only_asks(self) -> bool:
        acts = self.thought.reading.acts if self.view.has_models else {}
        asks = acts.get("ask", 0.0) >= self.limits.sure_act
        return asks and acts.get("correct", 0.0) < _MIN_CORRECTION

    def _is_for_another(self, change: Command) -> bool:
        """Whether a value found by its kind alone is the answer, or meant for another slot."""
        name, view = getattr(change, "slot_name", ""), self.view
        slot = next((one for one in view.filled if one.name == name), None)
        if slot is None or not view.has_models:
            return False
        same = view.asked is not None and view.asked.kind is slot.kind and slot.kind.is_dated
        if not self.cue and (same or self._is_choice_asked(slot, change)):
            return True
        if slot.kind.dimension not in _COUNTING_DIMENSIONS:
            return False
        said = str(getattr(change, "new_value", ""))
        end = self.text.find(said) + len(said)
        if slot.kind.dimension == "money" and is_rate(self.text, end, view.lang):
            return False
        if self._is_bare_answer and self.thought.score_slot(slot) < self.limits.whole_act:
            return True
        asked = [view.asked] if view.asked is not None else []
        others = [one for one in (*view.filled, *asked) if one is not slot]
        heard = any(self.thought.score_slot(one) >= self.limits.whole_act for one in others)
        return heard and self.thought.score_slot(slot) < _UNHEARD

    def _is_choice_asked(self, slot: SlotBrief, change: Command) -> bool:
        """ "Lima then, not Oslo" where to go is the answer, and not where from."""
        asked = self.view.asked
        if asked is None or not (asked.kind.has_values and slot.kind.has_values):
            return False
        new = getattr(change, "new_value", None)
        return new is not None and bool(find_answer(self.text, asked, self.view) == new)

    @property
    def _is_bare_answer(self) -> bool:
        slot = self.view.asked
        if slot is None or slot.kind.dimension not in _COUNTING_DIMENSIONS:
            return False
        if self.cue or has_correction_cue(self.text, self.view.lang):
            return False
        return find_answer(self.text, slot, self.view) is not None

    def _complete_value(self, change: Command) -> Command:
        """ "Soy milk not oat milk": the name as the tagger heard it, if that has more words."""
        if not isinstance(change, CorrectSlot) or not self.view.has_models:
            return change
        heard = (c for c in self.thought.read_tags().commands if isinstance(c, CorrectSlot))
        whole = next((c.new_value for c in heard if c.slot_name == change.slot_name), None)
        said = str(change.new_value)
        longer = isinstance(whole, str) and whole != said and whole.endswith(said)
        return change.model_copy(update={"new_value": whole}) if longer else change

    @cached_property
    def is_hinted(self) -> bool:
        """Whether the words announce a correction."""
        if self.cue or has_correction_cue(self.text, self.view.lang):
            return True
        acts = self.thought.reading.acts if self.view.has_models else {}
        return acts.get("correct", 0.0) >= _MIN_CORRECTION

    def _find_tagged_changes(self, said: Sequence[Command]) -> tuple[Command, ...]:
        """ "... and the time to 2 pm": changes that only the tagger found, and is sure of."""
        if not self.view.has_models:
            return ()
        sure_of = self.thought.read_tags().slots
        told = FlowValues(self.text, self.view, self.thought).read_values()
        names = {getattr(one, "slot_name", None) for one in said}
        taken = {normalise(str(v)) for one in said for v in one.get_touched_slots().values()}
        return tuple(
            one
            for one in told.only(SetSlot, CorrectSlot).commands
            if (name := getattr(one, "slot_name", "")) not in names
            and sure_of.get(name, 0.0) >= self.limits.beside
            and not any(
                normalise(str(value)) in other
                for value in one.get_touched_slots().values()
                for other in taken
            )
        )

    def _find_side_answer(self, new: Sequence[Command]) -> tuple[Command, ...]:
        """ "2, on Saturday instead": the answer to what was asked, too."""
        slot = self.view.asked
        if slot is None or not slot.kind.has_form:
            return ()
        value = find_answer(self.text, slot, self.view)
        taken = {str(getattr(one, "new_value", None)) for one in new}
        words = {word for one in taken for word in normalise(one).split()}
        if value is None or str(value) in taken or normalise(str(value)) in words:
            return ()
        return (SetSlot(slot_name=slot.name, value=value),)


def find_separate_answer(text: str, new: Sequence[Command], view: View) -> tuple[Command, ...]:
    """The answer to what was asked, or another change."""
    said = {w for one in new for w in normalise(str(getattr(one, "new_value", ""))).split()}
    clauses = view.lang.pattern("correction.clause").split(text)
    replacing = view.lang.pattern("correction.replacing")
    parts = (part.strip() for part in clauses if not replacing.search(part))
    rest = [part for part in parts if not said & set(normalise(part).split())]
    slot = view.asked
    if slot is None:
        return tuple(one for part in rest for one in find_changes_by_kind(part, view))
    values = (find_answer(part, slot, view) for part in rest if not slot.kind.is_short_text)
    value = next((one for one in values if one is not None), None)
    return (SetSlot(slot_name=slot.name, value=value),) if value is not None else ()
