"""Values that a message gives along with something else, told by their kind alone."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from soni.du.context import SlotBrief
from soni.du.local import periods
from soni.du.local.answers import counts, people
from soni.du.local.choices import chosen
from soni.du.local.codes import codes
from soni.du.local.finding import Found, found
from soni.du.local.people import recipient
from soni.du.local.route import route
from soni.du.local.view import View
from soni.du.local.words import normal, spoken

# Kinds with a form of their own come first: what is a date is no number of people.
_ORDER = ("email", "phone", "datetime", "date", "time", "duration", "money", "integer", "number")
_PEOPLE = re.compile(r"\b(?:people|persons?|passengers?|guests?|travell?ers?|adults?|party)\b")
_PART = re.compile(r"[^,;.!?]+")
_FIGURE = re.compile(r"[1-9]\d{0,4}(?:[.,]\d{1,2})?")
# Behind these a number is a name.
_LED = re.compile(
    r"(?:\b(?:number|no|card|account|ending|ends|in|on|at|the|room|gate)|#)\s*$", re.IGNORECASE
)
_BARE = re.compile(r"[\d.,]+|[a-z]+", re.IGNORECASE)


def given(message: str, slots: Iterable[SlotBrief], view: View) -> dict[str, Any]:
    """By slot the value that can only be meant for it."""
    slots = list(slots)
    values: dict[str, Any] = _choices(message, slots)
    values |= codes(message, slots) | recipient(message, slots) | route(message, slots)
    taken: list[Found] = []
    for kind in _ORDER:
        of_kind = [slot for slot in slots if slot.type == kind]
        if not of_kind:
            continue
        free = [one for one in found(message, of_kind[0], view.env) if not _claimed(one, taken)]
        free = [one for one in free if message[one.start : one.end] not in values.values()]
        free = [one for one in free if kind != "date" or not periods.is_relative(message, one)]
        for slot, one in _assigned(message, of_kind, free, slots):
            values[slot.name] = one.said
            taken.append(one)
    return values


def _choices(message: str, slots: Sequence[SlotBrief]) -> dict[str, str]:
    """Values of choices; where two slots have the same one, the words alone cannot tell."""
    choices = [slot for slot in slots if slot.type == "choice"]
    named = {slot.name: chosen(message, slot) for slot in choices}
    told = list(named.values())
    return {
        name: value
        for name, value in named.items()
        if value is not None and told.count(value) == 1 and not value.isdecimal()
    }


def _assigned(
    message: str, slots: Sequence[SlotBrief], free: list[Found], all_slots: Sequence[SlotBrief]
) -> list[tuple[SlotBrief, Found]]:
    numeric = slots[0].type in ("integer", "number")
    pairs = periods.assigned(message, slots, free) if slots[0].type == "date" else []
    for slot in slots if numeric else ():
        counted = [one for one in free if counts(message, one, slot)]
        if counted:
            pairs.append((slot, counted[0]))
            free = [one for one in free if one is not counted[0]]
    if len(slots) == 1 and len(free) == 1 and not numeric and not pairs:
        # A number by itself is money only where nothing else is counted.
        rivals = [s for s in all_slots if s.type in ("integer", "number")]
        bare = _BARE.fullmatch(message[free[0].start : free[0].end])
        if slots[0].type != "money" or not (rivals and bare):
            pairs.append((slots[0], free[0]))
    if not pairs and slots[0].type == "integer":
        return _party(message, slots)
    if not pairs and numeric and len(free) == 1 and _is_amount(message, free[0], slots, all_slots):
        pairs.append((slots[0], free[0]))
    return pairs


def _party(message: str, slots: Sequence[SlotBrief]) -> list[tuple[SlotBrief, Found]]:
    """ "Only me": how many people, where one slot counts them."""
    of_people = [s for s in slots if _PEOPLE.search(f"{spoken(s.name)} {normal(s.description)}")]
    for part in _PART.finditer(message) if len(of_people) == 1 else ():
        count = people(normal(part[0]))
        if count is not None:
            return [(of_people[0], Found(part.start(), part.end(), count, str(count)))]
    return []


def _is_amount(
    message: str, one: Found, slots: Sequence[SlotBrief], all_slots: Sequence[SlotBrief]
) -> bool:
    """Whether a bare number is the one amount of a flow that counts nothing else."""
    counting = [slot for slot in all_slots if slot.type in ("integer", "number", "money")]
    digits = message[one.start : one.end]
    led = _LED.search(message[: one.start]) is not None
    return len(counting) == 1 == len(slots) and _FIGURE.fullmatch(digits) is not None and not led


def _claimed(one: Found, taken: list[Found]) -> bool:
    return any(one.start < other.end and other.start < one.end for other in taken)
