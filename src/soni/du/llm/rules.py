"""Rules of the offline understanding that correct what a model answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from soni.commands import SetSlot
from soni.du.context import DialogueContext, SlotBrief
from soni.du.llm.value_parts import is_stored_value
from soni.du.local.answers.answers import find_answer
from soni.du.local.answers.given_values import find_given_values
from soni.du.local.exact import match_option
from soni.du.local.values.choices import is_undecided
from soni.du.local.values.route import drop_twins, find_route
from soni.du.local.view import View
from soni.du.local.words.questions import is_question
from soni.du.local.words.words import normalise
from soni.language import has_language


@dataclass(frozen=True)
class OfflineRules:
    """The rules for a dialogue context; in an unknown language they decide nothing."""

    context: DialogueContext

    @property
    def _view(self) -> View:
        return View(self.context)

    def read_answer(self, words: str, slot: SlotBrief) -> Any:
        """The value that words give to a slot; None: none."""
        return find_answer(words, slot, self._view) if has_language(self.context.language) else None

    def is_answer(self, value: str, message: str, slot: SlotBrief) -> bool:
        """Whether a message gives a value that it does not say: "just me" is 1."""
        said = self.read_answer(message, slot) if slot.kind.has_form else None
        return said is not None and is_stored_value(value, said, slot, self._view.env)

    def may_be_question(self, message: str) -> bool:
        """Whether a message may be a question."""
        if not has_language(self.context.language):
            return True
        return is_question(message, self._view.lang, answering=True)

    def find_option_value(self, label: str, slot: SlotBrief) -> str | None:
        """The value of an option that was shown for a slot, by its label."""
        chosen = match_option(normalise(label), self._view)
        if isinstance(chosen, SetSlot) and chosen.slot_name == slot.name:
            return str(chosen.value)
        return None

    def separate_ends(
        self, values: Mapping[str, Any], message: str, slots: Sequence[SlotBrief]
    ) -> dict[str, Any]:
        """Values for a flow that starts, with origin and destination, start and end in their slots.

        A choice that the message leaves open is dropped: "Oslo or Lima".
        """
        if not has_language(self.context.language):
            return dict(values)
        lang = self._view.lang
        open_ = {slot.name for slot in slots if slot.values and is_undecided(message, slot, lang)}
        kept = {name: value for name, value in values.items() if name not in open_}
        ends = {n: v for n, v in find_route(message, slots, lang).items() if v in kept.values()}
        days = {slot.name for slot in slots if slot.kind.dimension == "day" and slot.name in kept}
        told = find_given_values(message, slots, self._view) if days else {}
        dates = {name: value for name, value in told.items() if name in days}
        return drop_twins(kept, ends, slots) | ends | dates
