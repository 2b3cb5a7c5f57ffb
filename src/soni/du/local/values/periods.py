"""Which of two days is which: from when to when, moved from one to another; days that were."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from soni.du.context import SlotBrief
from soni.du.local.values.days import is_now, is_over
from soni.du.local.values.value_search import ValueSpan, find_values
from soni.du.local.view import View
from soni.du.local.words.words import normalise, speak_name
from soni.language import Language


def find_period_slots(
    slots: Sequence[SlotBrief], lang: Language
) -> tuple[SlotBrief, SlotBrief] | None:
    """Of two days that a flow asks for, the first and the last; None: it has no such two."""
    return _order_slots(slots, "periods.slot_of_end", lang)


def _order_slots(
    slots: Sequence[SlotBrief], of_second: str, lang: Language
) -> tuple[SlotBrief, SlotBrief] | None:
    """Two slots, the one that a pattern is of behind the other."""
    pattern = lang.pattern(of_second, cased=True)
    second = [slot for slot in slots if pattern.search(speak_name(slot.name))]
    second = second or [slot for slot in slots if pattern.search(normalise(slot.description))]
    if len(slots) != 2 or len(second) != 1:
        return None
    return next(slot for slot in slots if slot is not second[0]), second[0]


def assign_days(
    message: str, slots: Sequence[SlotBrief], days: Sequence[ValueSpan], lang: Language
) -> list[tuple[SlotBrief, ValueSpan]]:
    """Which day is which, by the words before it."""
    span = find_period_slots(slots, lang)
    # From one day something is moved, to the other it is.
    pair = span or _order_slots(slots, "periods.slot_of_new", lang)
    if pair is None or not 0 < len(days) <= 2:
        return []
    first, last = pair
    before = [message[a : b.start] for a, b in zip((0, *(d.end for d in days)), days, strict=False)]
    back = lang.pattern("periods.back")
    if len(days) == 1:
        return [(last if back.search(before[0]) else first, days[0])]
    turned = back.search(before[0]) and not back.search(before[1])
    opening, closing = (days[1], days[0]) if turned else (days[0], days[1])
    # What is moved may be moved to an earlier day.
    return [(first, opening), (last, move_after(closing, opening.value, lang) if span else closing)]


def find_period(message: str, slots: Sequence[SlotBrief], view: View) -> dict[str, str]:
    """The days that the words alone settle: both of a flow that asks for two, or one that was."""
    days = [slot for slot in slots if slot.kind.dimension == "day"]
    said = find_values(message, days[0], view.env) if days else []
    said = keep_future_days(message, said, days[0], view) if len(days) == 1 else said
    kept = drop_denied_values(message, said, days[0], view.lang) if len(days) == 1 else []
    if len(kept) == 1 < len(said):
        return {days[0].name: kept[0].said}
    if len(said) == 2:
        return {slot.name: one.said for slot, one in assign_days(message, days, said, view.lang)}
    if len(said) == len(days) == 1 and said[0].said == said[0].value:
        # The type by itself would read the next day of that name.
        return {days[0].name: said[0].said}
    return {}


def keep_future_days(
    message: str, values: Sequence[ValueSpan], slot: SlotBrief, view: View
) -> list[ValueSpan]:
    """The days without those that are over, for a slot about what is to come.

    Who was asked for the day means it, and is told what is wrong with it.
    """
    if view.asked is not None and view.asked.name == slot.name:
        return list(values)
    return [
        day for day in values if not is_over(message, day.start, day.end, day.value, slot, view.env)
    ]


def is_no_day(message: str, day: ValueSpan, lang: Language) -> bool:
    """Whether words that may be a day say how long, later than what, or how urgent it is."""
    if is_now(message[day.start : day.end], lang) or is_relative(message, day, lang):
        return True
    return lang.pattern("periods.long").fullmatch(day.said) is not None


def drop_durations(message: str, values: Sequence[ValueSpan], view: View) -> list[ValueSpan]:
    """The days of a message without what says how long, where a flow asks for that as well.

    "Two years fixed" is no day in any flow.
    """
    long, goes_on = view.lang.pattern("periods.long"), view.lang.pattern("values.goes_on")
    timed = any(slot.kind.dimension == "duration" for slot in view.active)
    return [
        day
        for day in values
        if not long.fullmatch(day.said)
        or is_relative(message, day, view.lang)
        or (not timed and goes_on.match(message, day.end))
    ]


def is_relative(message: str, day: ValueSpan, lang: Language) -> bool:
    """ "A day later": than what, the words do not say."""
    return lang.pattern("periods.later").match(message[day.end :]) is not None


def move_after(day: ValueSpan, start: Any, lang: Language) -> ValueSpan:
    """A weekday counts from the beginning: "on Monday, back on Thursday"."""
    begins, said = _parse_date(start), _parse_date(day.value)
    if begins is None or said is None or said > begins:
        return day
    if not lang.pattern("periods.weekday").fullmatch(day.said):
        return day
    moved = begins + timedelta(days=(said.weekday() - begins.weekday() - 1) % 7 + 1)
    return ValueSpan(day.start, day.end, moved.isoformat(), moved.isoformat())


def settle_day(message: str, day: ValueSpan, slot: SlotBrief, view: View) -> str:
    """A day that was asked, seen from the beginning if it is the end of something."""
    pair = find_period_slots([one for one in view.active if one.kind.dimension == "day"], view.lang)
    if pair is None or pair[1].name != slot.name:
        return day.said
    start, said = _parse_date(view.get_value(pair[0])), _parse_date(day.value)
    if start is not None and said is not None and is_relative(message, day, view.lang):
        return (start + (said - view.context.now.date())).isoformat()
    return move_after(day, start, view.lang).said


def _parse_date(value: Any) -> date | None:
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return None
    return value if isinstance(value, date) else None


def drop_denied_values(
    message: str, values: list[ValueSpan], slot: SlotBrief, lang: Language
) -> list[ValueSpan]:
    """The values of a message without those that were denied, or said more exactly afterwards."""
    if len(values) < 2:
        return values
    i_mean = lang.pattern("wanted_day.i_mean")
    if i_mean.match(message, values[-1].end) or _is_finer(values, slot):
        return values[-1:]
    if not slot.kind.is_dated:
        return values
    return [one for one in values if not _is_denied(message, one, lang)] or values


def _is_denied(message: str, one: ValueSpan, lang: Language) -> bool:
    clause = lang.pattern("wanted_day.clause")
    said = f"{clause.split(message[: one.start])[-1]} {clause.split(message[one.end :])[0]}"
    return lang.pattern("wanted_day.denied").search(said) is not None


def _is_finer(values: list[ValueSpan], slot: SlotBrief) -> bool:
    """ "On Sunday? the 15th": the Sunday that is the 15th."""
    if slot.kind.dimension != "day" or len(values) != 2:
        return False
    first, last = (date.fromisoformat(one.value).weekday() for one in values)
    numbered = [any(map(str.isdigit, one.said)) for one in values]
    return first == last and numbered == [False, True]
