"""Which of two days is which: from when to when, moved from one to another; days that were."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Final

from soni.du.context import SlotBrief
from soni.du.local.values.finding import Found, found
from soni.du.local.values.halves import GOES_ON
from soni.du.local.values.past import is_over
from soni.du.local.values.slips import is_now
from soni.du.local.values.wished import wished
from soni.du.local.view import View
from soni.du.local.words.words import normal, spoken

_END: Final = re.compile(
    r"\b(?:return|back|end|until|till|check ?out|last day|vuelta|regreso|fin|hasta|salida del?)\b"
)
_NEW: Final = re.compile(r"\b(?:new|moved? to|change[ds]? to|instead|nuev[oa])\b")
_BACK: Final = re.compile(
    r"\b(?:return\w*|back|until|till|vuelta|vuelv\w*|volver|regres\w*|hasta)\b|"
    r"\b(?:to|through|al)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_LATER: Final = re.compile(
    r"\s*(?:later|earlier|after(?:wards)?|después|antes|más tarde)\b", re.IGNORECASE
)
_LONG: Final = re.compile(
    r"(?!(?:in|within|en|dentro de|hace) )(?:for |por |durante |para )?\w+ "
    r"(?:days?|weeks?|months?|years?|d[ií]as?|semanas?|mes(?:es)?|años?)",
    re.IGNORECASE,
)
_WEEKDAY: Final = re.compile(
    r"(?:on |el |the |that )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|lunes|martes|miércoles|"
    r"jueves|viernes|sábado|domingo)",
    re.IGNORECASE,
)


def ends(slots: Sequence[SlotBrief]) -> tuple[SlotBrief, SlotBrief] | None:
    """Of two days that a flow asks for, the first and the last; None: it has no such two."""
    last = [slot for slot in slots if _END.search(spoken(slot.name))]
    last = last or [slot for slot in slots if _END.search(normal(slot.description))]
    if len(slots) != 2 or len(last) != 1:
        return None
    return next(slot for slot in slots if slot is not last[0]), last[0]


def _moved(slots: Sequence[SlotBrief]) -> tuple[SlotBrief, SlotBrief] | None:
    """Of two days, the one that something is moved from and the one that it is moved to."""
    new = [slot for slot in slots if _NEW.search(spoken(slot.name))]
    new = new or [slot for slot in slots if _NEW.search(normal(slot.description))]
    if len(slots) != 2 or len(new) != 1:
        return None
    return next(slot for slot in slots if slot is not new[0]), new[0]


def assigned(
    message: str, slots: Sequence[SlotBrief], days: Sequence[Found]
) -> list[tuple[SlotBrief, Found]]:
    """Which day is which, by the words before it."""
    span = ends(slots)
    pair = span or _moved(slots)
    if pair is None or not 0 < len(days) <= 2:
        return []
    first, last = pair
    before = [message[a : b.start] for a, b in zip((0, *(d.end for d in days)), days, strict=False)]
    if len(days) == 1:
        return [(last if _BACK.search(before[0]) else first, days[0])]
    turned = _BACK.search(before[0]) and not _BACK.search(before[1])
    opening, closing = (days[1], days[0]) if turned else (days[0], days[1])
    # What is moved may be moved to an earlier day.
    return [(first, opening), (last, after(closing, opening.value) if span else closing)]


def period(message: str, slots: Sequence[SlotBrief], view: View) -> dict[str, str]:
    """The days that the words alone settle: both of a flow that asks for two, or one that was."""
    days = [slot for slot in slots if slot.kind.dimension == "day"]
    said = found(message, days[0], view.env) if days else []
    said = to_come(message, said, days[0], view) if len(days) == 1 else said
    if len(days) == 1 < len(said) and len(kept := wished(message, said, days[0])) == 1:
        return {days[0].name: kept[0].said}
    if len(said) == 2:
        return {slot.name: one.said for slot, one in assigned(message, days, said)}
    if len(said) == len(days) == 1 and said[0].said == said[0].value:
        # The type by itself would read the next day of that name.
        return {days[0].name: said[0].said}
    return {}


def to_come(message: str, values: Sequence[Found], slot: SlotBrief, view: View) -> list[Found]:
    """The days without those that are over, for a slot about what is to come.

    Who was asked for the day means it, and is told what is wrong with it.
    """
    if view.asked is not None and view.asked.name == slot.name:
        return list(values)
    return [
        day for day in values if not is_over(message, day.start, day.end, day.value, slot, view.env)
    ]


def is_no_day(message: str, day: Found) -> bool:
    """Whether words that may be a day say how long, later than what, or how urgent it is."""
    urgent = is_now(message[day.start : day.end])
    return urgent or _LONG.fullmatch(day.said) is not None or is_relative(message, day)


def days(message: str, values: Sequence[Found], view: View) -> list[Found]:
    """The days of a message without what says how long, where a flow asks for that as well.

    "Two years fixed" is no day in any flow.
    """
    timed = any(slot.kind.dimension == "duration" for slot in view.active)
    return [
        day
        for day in values
        if not _LONG.fullmatch(day.said)
        or is_relative(message, day)
        or (not timed and GOES_ON.match(message, day.end))
    ]


def is_relative(message: str, day: Found) -> bool:
    """ "A day later": than what, the words do not say."""
    return _LATER.match(message[day.end :]) is not None


def after(day: Found, start: Any) -> Found:
    """A weekday counts from the beginning: "on Monday, back on Thursday"."""
    begins, said = _day(start), _day(day.value)
    if begins is None or said is None or said > begins or not _WEEKDAY.fullmatch(day.said):
        return day
    moved = begins + timedelta(days=(said.weekday() - begins.weekday() - 1) % 7 + 1)
    return Found(day.start, day.end, moved.isoformat(), moved.isoformat())


def settled(message: str, day: Found, slot: SlotBrief, view: View) -> str:
    """A day that was asked, seen from the beginning if it is the end of something."""
    pair = ends([one for one in view.active if one.kind.dimension == "day"])
    if pair is None or pair[1].name != slot.name:
        return day.said
    start, said = _day(view.value(pair[0])), _day(day.value)
    if start is not None and said is not None and is_relative(message, day):
        return (start + (said - view.context.now.date())).isoformat()
    return after(day, start).said


def _day(value: Any) -> date | None:
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return None
    return value if isinstance(value, date) else None
