"""Values in the place of others: "Robert, not Bob"."""

from typing import Any

from soni.commands import Command
from soni.du.context import SlotBrief
from soni.du.local.answers.leads import strip_lead
from soni.du.local.deeds.correction import (
    correction,
    strip_correction_cue,
    value_of,
    without_lead,
    without_tail,
)
from soni.du.local.values.choices import find_choice
from soni.du.local.values.finding import find_values
from soni.du.local.view import View
from soni.du.local.words.words import normal


def replace_value(message: str, view: View) -> list[Command]:
    """ "Robert, not Bob": the slot is the one that has the old value."""
    text = without_tail(message, view.lang)
    for pattern in view.lang.patterns("correction.replaced"):
        match = pattern.fullmatch(text)
        if match is None:
            continue
        for slot in view.filled:
            old = match["old"]
            if _is(old, slot, view) or _is(strip_correction_cue(old, view.lang), slot, view):
                value = _in_place_of(old, without_lead(match["new"], view.lang), slot, view)
                if value is not None:
                    return [correction(slot, value, view)]
    return []


def _in_place_of(old: str, new: str, slot: SlotBrief, view: View) -> Any:
    """The new value: a number of a thing for another, a name without the article it comes with."""
    if not slot.kind.has_values:
        new = strip_lead(new, view.language)
    if slot.kind.is_short_text:
        numbered = [word for word in new.split() if any(map(str.isdigit, word))]
        if len(numbered) == 1 and any(map(str.isdigit, old)) and " " not in str(view.value(slot)):
            return numbered[0]
        new = _without_thing_article(new, view)
    return value_of(new, slot, view)


def _is(said: str, slot: SlotBrief, view: View) -> bool:
    """Whether the words are the slot's present value."""
    known = view.value(slot)
    if normal(str(known)) in (normal(said), normal(_without_thing_article(said, view))):
        return True
    if slot.kind.has_values:
        return known is not None and find_choice(said, slot, view.lang) == str(known)
    return any(one.value == known for one in find_values(said, slot, view.env))


def _without_thing_article(text: str, view: View) -> str:
    """ "The Nokia 6" for a Nokia 5."""
    return view.lang.pattern("correction.thing_article").sub("", text)
