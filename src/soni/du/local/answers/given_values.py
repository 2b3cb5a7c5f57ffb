"""Values that a message gives along with something else, found by their form."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from soni.du.context import SlotBrief
from soni.du.local.answers.answers import count_people, find_hours, is_counted_by_slot
from soni.du.local.values import periods
from soni.du.local.values.choices import find_choice
from soni.du.local.values.codes import find_codes
from soni.du.local.values.counts import count_company, holds_party_size, is_for_party, is_party
from soni.du.local.values.parts import is_rate
from soni.du.local.values.route import find_route
from soni.du.local.values.value_search import ValueSpan, find_values
from soni.du.local.view import View
from soni.du.local.words.units import find_counted_noun, has_unit, is_unit, is_unit_of
from soni.du.local.words.words import extract_words, is_slot_about, normalise, speak_name
from soni.language import Language
from soni.slots import SlotType, slot_types

# What is longer tells a story.
_MAX_CALLED_WORDS: Final = 5
# What these take is no number, whether the flow asks for it or not.
_FORMED_DIMENSIONS = ("email", "phone", "day", "time", "duration")
_CLAUSE = re.compile(r"[^,;.!?]+")
_BARE_NUMBER = re.compile(r"[\d.,]+|[a-z]+", re.IGNORECASE)


def find_given_values(message: str, slots: Iterable[SlotBrief], view: View) -> dict[str, Any]:
    """The values that fit only one slot, by slot."""
    slots, asked = list(slots), view.asked
    lang = view.lang
    values: dict[str, Any] = _find_choices(message, slots, lang)
    values |= find_codes(message, slots, lang) | find_recipient(message, slots, lang)
    values |= find_route(message, slots, lang)
    if asked is None or not asked.kind.is_short_text:
        values |= find_called_names(message, slots, lang)
    taken: list[ValueSpan] = []
    # The day of "day after tomorrow" is a part of the answer.
    own: list[ValueSpan] = []
    if asked is not None and _is_formed(asked):
        own = find_values(message, asked, view.env) or find_hours(message, asked, view)
        own = periods.drop_durations(message, own, view) if asked.kind.dimension == "day" else own
    for kind in _rank_kinds(slots):
        of_kind = [slot for slot in slots if slot.kind is kind]
        free = [
            one
            for one in find_values(message, of_kind[0], view.env)
            if not _overlaps_taken(one, taken)
        ]
        free = [one for one in free if message[one.start : one.end] not in values.values()]
        if asked is not None and asked.kind is not kind:
            free = [one for one in free if not _overlaps_taken(one, own)]
        if kind.dimension == "day":
            free = [one for one in free if not periods.is_no_day(message, one, lang)]
            if len(of_kind) == 1:
                free = periods.keep_future_days(message, free, of_kind[0], view)
        if kind.dimension == "money" and len(free) > 1:
            free = [one for one in free if not _is_led_to(message, one, view.lang)]
        for slot, one in _assign_values(message, of_kind, free, slots, view):
            values[slot.name] = one.said
            taken.append(one)
    open_ = [slot for slot in slots if slot.name not in values]
    # In "pay Ann 25" the number is not Ann's.
    said = tuple(value for value in values.values() if isinstance(value, str) and value)
    return values | _assign_left_over(message, open_, [*taken, *own], view, said)


def _is_formed(slot: SlotBrief) -> bool:
    """Whether what the slot takes is no number: a day, or the own form of a plugin's type."""
    own_form = slot.kind.dimension is None and slot.kind.has_form and not slot.kind.has_values
    return own_form or slot.kind.dimension in _FORMED_DIMENSIONS


def _rank_kinds(slots: Sequence[SlotBrief]) -> list[SlotType]:
    """The types whose values have a form: what is a date is no number of people."""
    kinds = {slot.kind for slot in slots if slot.kind.has_form and not slot.kind.has_values}
    return sorted(kinds, key=lambda kind: (kind.form_rank, kind.kind))


def _find_choices(message: str, slots: Sequence[SlotBrief], lang: Language) -> dict[str, str]:
    """Values of choices; where two slots have the same one, the words alone cannot tell."""
    choices = [slot for slot in slots if slot.kind.has_values]
    named = {slot.name: find_choice(message, slot, lang) for slot in choices}
    told = list(named.values())
    return {
        name: value
        for name, value in named.items()
        if value is not None and told.count(value) == 1 and not value.isdecimal()
    }


def _assign_values(
    message: str,
    slots: Sequence[SlotBrief],
    free: list[ValueSpan],
    all_slots: Sequence[SlotBrief],
    view: View,
) -> list[tuple[SlotBrief, ValueSpan]]:
    numeric = slots[0].kind.is_number
    dated = slots[0].kind.dimension == "day"
    pairs = periods.assign_days(message, slots, free, view.lang) if dated else []
    if slots[0].kind.dimension == "money":
        counting = [slot for slot in (*all_slots, *view.active) if slot.kind.is_number]
        free = [
            one
            for one in free
            if not any(_is_number_of_slot(message, one, slot, view) for slot in counting)
        ]
        pairs = separate_amounts(message, slots, free, view.lang)
    for slot in slots if numeric else ():
        counted = [one for one in free if _is_number_of_slot(message, one, slot, view)]
        if counted:
            pairs.append((slot, counted[0]))
            free = [one for one in free if one is not counted[0]]
    if len(slots) == 1 and len(free) == 1 and not numeric and not pairs:
        # A number by itself is money only where nothing else is to be counted.
        counting = [s for s in all_slots if s.kind.is_number and not has_unit(s, view.lang)]
        rivals = [s for s in counting if not _says_count(message, s, view)]
        bare = _BARE_NUMBER.fullmatch(message[free[0].start : free[0].end])
        is_sure = not bare or not (rivals or _is_name(message, free[0], view.lang))
        if slots[0].kind.dimension != "money" or is_sure:
            pairs.append((slots[0], free[0]))
    if not pairs and slots[0].kind.dimension == "count":
        return _find_party(message, slots, view.lang)
    return pairs


def _is_number_of_slot(message: str, one: ValueSpan, slot: SlotBrief, view: View) -> bool:
    noun = find_counted_noun(message, one.end, view.lang)
    if is_counted_by_slot(message, one, slot, view.lang) or is_unit_of(noun, slot, view.lang):
        return True
    if not holds_party_size(slot, view.lang):
        return False
    if is_party(message, one.start, one.end, view.lang):
        return True
    # "For 8" where a time is asked is a time.
    timed = view.asked is not None and view.asked.kind.dimension == "time"
    if not timed and is_for_party(message, one.start, one.end, view.lang):
        return True
    return count_company(message[one.start : one.end], view.env.base_language) is not None


def _says_count(message: str, slot: SlotBrief, view: View) -> bool:
    return any(
        _is_number_of_slot(message, one, slot, view) for one in find_values(message, slot, view.env)
    )


def _find_party(
    message: str, slots: Sequence[SlotBrief], lang: Language
) -> list[tuple[SlotBrief, ValueSpan]]:
    """ "Only me": how many people, where one slot counts them."""
    of_people = [slot for slot in slots if holds_party_size(slot, lang)]
    for part in _CLAUSE.finditer(message) if len(of_people) == 1 else ():
        count = count_people(normalise(part[0]), lang)
        if count is not None:
            return [(of_people[0], ValueSpan(part.start(), part.end(), count, str(count)))]
    return []


def _assign_left_over(
    message: str,
    slots: Sequence[SlotBrief],
    taken: Sequence[ValueSpan],
    view: View,
    said: tuple[str, ...],
) -> dict[str, Any]:
    """The one number left over, for the one slot that counts something."""
    counting = [slot for slot in slots if slot.kind.is_countable]
    if len(counting) != 1 or counting[0].kind.dimension == "money":
        return {}
    free = [
        one
        for one in find_values(message, counting[0], view.env)
        if not _overlaps_taken(one, taken)
        and (message[: one.start].rstrip().endswith(said) or not _is_name(message, one, view.lang))
    ]
    if len(free) != 1 or is_unit(find_counted_noun(message, free[0].end, view.lang), view.lang):
        return {}
    formed = (
        find_values(message, SlotBrief(name=name, flow="", type=name), view.env)
        for name, kind in slot_types().items()
        if kind.dimension in _FORMED_DIMENSIONS
    )
    # "Between 7 and 8 pm" are two times.
    joint = view.lang.pattern("count.joint").match(message, free[0].end)
    whole = replace(free[0], end=joint.end() + 1 if joint else free[0].end)
    is_formed = any(_overlaps_taken(whole, others) for others in formed)
    return {} if is_formed else {counting[0].name: free[0].said}


def _is_name(message: str, one: ValueSpan, lang: Language) -> bool:
    """Whether a number only tells which one is meant: "room 5"."""
    # What has more digits is a phone number or a reference.
    figure = lang.pattern("count.figure", cased=True).fullmatch(one.said)
    figure = figure or lang.pattern("count.in_words").fullmatch(one.said)
    if figure is not None and is_rate(message, one.end, lang):
        return False
    return figure is None or _is_led_to(message, one, lang)


def _is_led_to(message: str, one: ValueSpan, lang: Language) -> bool:
    return lang.pattern("count.names", cased=True).search(message[: one.start]) is not None


def _overlaps_taken(one: ValueSpan, taken: Sequence[ValueSpan]) -> bool:
    return any(one.start < other.end and other.start < one.end for other in taken)


def separate_amounts(
    message: str, slots: Sequence[SlotBrief], amounts: Sequence[ValueSpan], lang: Language
) -> list[tuple[SlotBrief, ValueSpan]]:
    """Two amounts for two slots, where one is said beside the name of its slot."""
    if len(slots) != 2 or len(amounts) != 2:
        return []
    beside = [_collect_clause_words(message, one, amounts, lang) for one in amounts]
    general = lang.words("amounts.general")
    own = [extract_words(speak_name(slot.name), lang) - general for slot in slots]
    named = [
        (at, which)
        for at, words in enumerate(beside)
        for which, name in enumerate(own)
        if name and name <= words
    ]
    if len(named) != 1 and sorted(named) not in ([(0, 0), (1, 1)], [(0, 1), (1, 0)]):
        return []
    at, which = named[0]
    return [(slots[which], amounts[at]), (slots[1 - which], amounts[1 - at])]


def _collect_clause_words(
    message: str, one: ValueSpan, amounts: Sequence[ValueSpan], lang: Language
) -> frozenset[str]:
    """The words of its clause, without those that belong to the other amount."""
    first = max((other.end for other in amounts if other.end <= one.start), default=0)
    last = min((other.start for other in amounts if other.start >= one.end), default=len(message))
    clause = lang.pattern("amounts.clause")
    before = clause.split(message[first : one.start])[-1]
    behind = clause.split(message[one.end : last])[0]
    return extract_words(normalise(f"{before} {behind}"), lang)


def find_recipient(message: str, slots: Sequence[SlotBrief], lang: Language) -> dict[str, str]:
    """The person beside an amount, where the flow has one slot for a person."""
    texts = [slot for slot in slots if slot.kind.is_short_text]
    people = [slot for slot in texts if is_slot_about(slot, "people.slot", lang)]
    if len(people) != 1:
        return {}
    names = ("people.name_first", "people.amount_first")
    matches = (lang.pattern(name).search(message) for name in names)
    return next(({people[0].name: match["name"]} for match in matches if match), {})


def find_called_names(message: str, slots: Sequence[SlotBrief], lang: Language) -> dict[str, str]:
    """The name in a message, where one slot is for the name of something."""
    texts = [slot for slot in slots if slot.kind.is_short_text]
    names = [slot for slot in texts if is_slot_about(slot, "naming.slot", lang)]
    found = lang.pattern("naming.called").search(message)
    if found is None or len(names) != 1 or len(found["name"].split()) > _MAX_CALLED_WORDS:
        return {}
    return {names[0].name: found["name"]}
