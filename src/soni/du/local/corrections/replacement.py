"""Values in the place of others: "Robert, not Bob"."""

from typing import Any

from soni.commands import Command, CorrectSlot
from soni.du.context import SlotBrief
from soni.du.local.answers.answers import find_answer, strip_lead
from soni.du.local.tagging.counting import strip_article
from soni.du.local.values.choices import find_choice
from soni.du.local.values.codes import find_code
from soni.du.local.values.value_search import find_values
from soni.du.local.view import View
from soni.du.local.words.words import normalise
from soni.language import Language


def replace_value(message: str, view: View) -> list[Command]:
    """ "Robert, not Bob": the slot is the one that has the old value."""
    text = strip_change_tail(message, view.lang)
    for pattern in view.lang.patterns("correction.replaced"):
        match = pattern.fullmatch(text)
        if match is None:
            continue
        old, new = match["old"], strip_change_lead(match["new"], view.lang)
        said = (old, strip_correction_cue(old, view.lang))
        for slot in view.filled:
            if any(_is_current_value(one, slot, view) for one in said):
                value = _make_replacement(old, new, slot, view)
                if value is not None:
                    return [make_correction(slot, value, view)]
    return []


def _make_replacement(old: str, new: str, slot: SlotBrief, view: View) -> Any:
    """The new value: a number of a thing for another, a name without the article it comes with."""
    if not slot.kind.has_values:
        new = strip_lead(new, view.language)
    if slot.kind.is_short_text:
        numbered = [word for word in new.split() if any(map(str.isdigit, word))]
        is_number = len(numbered) == 1 and any(map(str.isdigit, old))
        if is_number and " " not in str(view.get_value(slot)):
            return numbered[0]
        new = _strip_thing_article(new, view)
    return read_value(new, slot, view)


def _is_current_value(said: str, slot: SlotBrief, view: View) -> bool:
    known = view.get_value(slot)
    if normalise(str(known)) in (normalise(said), normalise(_strip_thing_article(said, view))):
        return True
    if slot.kind.has_values:
        return known is not None and find_choice(said, slot, view.lang) == str(known)
    return any(one.value == known for one in find_values(said, slot, view.env))


def _strip_thing_article(text: str, view: View) -> str:
    """ "The Nokia 6" for a Nokia 5."""
    return view.lang.pattern("correction.thing_article").sub("", text)


def read_value(said: str, slot: SlotBrief, view: View) -> Any:
    """What the words give to the slot; None: nothing."""
    text = strip_change_tail(said, view.lang)
    if slot.kind.is_free_text:
        article = view.lang.pattern("correction.code_article")
        bare = article.sub("", strip_lead(text, view.language))
        return find_code(text, slot, view.lang) or strip_article(bare, view.lang) or None
    if slot.kind.is_structured:
        return text
    return find_answer(text, slot, view)


def make_correction(slot: SlotBrief, value: Any, view: View) -> Command:
    """The slot with another value, in the flow that it is of."""
    names = [other.flow for other in view.context.expected_slots if other.name == slot.name]
    elsewhere = slot.flow if slot.flow != view.context.current_flow or len(names) > 1 else None
    return CorrectSlot(slot_name=slot.name, new_value=value, flow_name=elsewhere)


def strip_correction_cue(message: str, lang: Language) -> str:
    """A correction without the words that only say that it is one."""
    return strip_change_tail(strip_change_lead(message.strip(), lang), lang)


def strip_change_lead(text: str, lang: Language) -> str:
    """A text without what leads to the new value: "no, make it"."""
    return lang.pattern("correction.lead").sub("", text)


def strip_change_tail(text: str, lang: Language) -> str:
    """A text without what stands behind the new value: "my bad"."""
    return lang.pattern("correction.tail").sub("", text.strip())


def has_correction_cue(message: str, lang: Language) -> bool:
    """Whether the words announce a correction."""
    return lang.pattern("correction.cue").search(message) is not None
