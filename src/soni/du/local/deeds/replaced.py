"""Values in the place of others: "Robert, not Bob"."""

from typing import Any

from soni.commands import Command
from soni.du.context import SlotBrief
from soni.du.local.answers.leads import whole
from soni.du.local.deeds.correction import (
    correction,
    unled,
    value_of,
    without_lead,
    without_tail,
)
from soni.du.local.values.choices import chosen
from soni.du.local.values.finding import found
from soni.du.local.view import View
from soni.du.local.words.words import normal


def replaced(message: str, view: View) -> list[Command]:
    """ "Robert, not Bob": the slot is the one that has the old value."""
    text = without_tail(message, view.lang)
    for pattern in view.lang.patterns("correction.replaced"):
        match = pattern.fullmatch(text)
        if match is None:
            continue
        for slot in view.filled:
            old = match["old"]
            if _is(old, slot, view) or _is(unled(old, view.lang), slot, view):
                value = _in_place_of(old, without_lead(match["new"], view.lang), slot, view)
                if value is not None:
                    return [correction(slot, value, view)]
    return []


def _in_place_of(old: str, new: str, slot: SlotBrief, view: View) -> Any:
    """The new value: a number of a thing for another, a name without the article it comes with."""
    if slot.type != "choice":
        new = whole(new, view.language)
    if slot.type == "string":
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
    if slot.type == "choice":
        return known is not None and chosen(said, slot, view.lang) == str(known)
    return any(one.value == known for one in found(said, slot, view.env))


def _without_thing_article(text: str, view: View) -> str:
    """ "The Nokia 6" for a Nokia 5."""
    return view.lang.pattern("correction.thing_article").sub("", text)
