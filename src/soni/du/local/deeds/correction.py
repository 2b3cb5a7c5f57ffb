"""A new value as people lead to it, and the command that it becomes."""

from typing import Any

from soni.commands import Command, CorrectSlot
from soni.du.context import SlotBrief
from soni.du.local.answers.answers import find_answer
from soni.du.local.answers.leads import strip_lead
from soni.du.local.tagged.names import without_article
from soni.du.local.values.codes import find_code
from soni.du.local.view import View
from soni.language import Language


def value_of(said: str, slot: SlotBrief, view: View) -> Any:
    """What the words give to the slot; None: nothing."""
    text = without_tail(said, view.lang)
    if slot.kind.is_free_text:
        return (
            find_code(text, slot, view.lang)
            or without_article(_without_code_article(text, view), view.lang)
            or None
        )
    if slot.kind.is_structured:
        return text
    return find_answer(text, slot, view)


def correction(slot: SlotBrief, value: Any, view: View) -> Command:
    """The slot with another value, in the flow that it is of."""
    names = [other.flow for other in view.context.expected_slots if other.name == slot.name]
    elsewhere = slot.flow if slot.flow != view.context.current_flow or len(names) > 1 else None
    return CorrectSlot(slot_name=slot.name, new_value=value, flow_name=elsewhere)


def strip_correction_cue(message: str, lang: Language) -> str:
    """A correction without the words that only say that it is one."""
    return without_tail(without_lead(message.strip(), lang), lang)


def without_lead(text: str, lang: Language) -> str:
    """A text without what leads to the new value: "no, make it"."""
    return lang.pattern("correction.lead").sub("", text)


def without_tail(text: str, lang: Language) -> str:
    """A text without what stands behind the new value: "my bad"."""
    return lang.pattern("correction.tail").sub("", text.strip())


def _without_code_article(text: str, view: View) -> str:
    return view.lang.pattern("correction.code_article").sub("", strip_lead(text, view.language))


def has_correction_cue(message: str, lang: Language) -> bool:
    """Whether the words say that something is to be another way."""
    return lang.pattern("correction.cue").search(message) is not None
