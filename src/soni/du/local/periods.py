"""From when to when: which of two days is the end, and days that count from the beginning."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Final

from soni.du.context import SlotBrief
from soni.du.local.finding import Found, found
from soni.du.local.view import View
from soni.du.local.words import normal, spoken

_END: Final = re.compile(
    r"\b(?:return|back|end|until|till|check ?out|last day|vuelta|regreso|fin|hasta|salida del?)\b"
)
_BACK: Final = re.compile(
    r"\b(?:return\w*|back|until|till|vuelta|vuelv\w*|volver|regres\w*|hasta)\b|"
    r"\b(?:to|through|al)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_LATER: Final = re.compile(
    r"\s*(?:later|earlier|after(?:wards)?|después|antes|más tarde)\b", re.IGNORECASE
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


def assigned(
    message: str, slots: Sequence[SlotBrief], days: Sequence[Found]
) -> list[tuple[SlotBrief, Found]]:
    """Which day is which end, by the words before it."""
    pair = ends(slots)
    if pair is None or not 0 < len(days) <= 2:
        return []
    first, last = pair
    before = [message[a : b.start] for a, b in zip((0, *(d.end for d in days)), days, strict=False)]
    if len(days) == 1:
        return [(last if _BACK.search(before[0]) else first, days[0])]
    turned = _BACK.search(before[0]) and not _BACK.search(before[1])
    opening, closing = (days[1], days[0]) if turned else (days[0], days[1])
    return [(first, opening), (last, after(closing, opening.value))]


def period(message: str, slots: Sequence[SlotBrief], view: View) -> dict[str, str]:
    """Both days of a flow that asks for two, where the message names both."""
    days = [slot for slot in slots if slot.type == "date"]
    said = found(message, days[0], view.env) if days else []
    return (
        {slot.name: one.said for slot, one in assigned(message, days, said)}
        if len(said) == 2
        else {}
    )


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
    pair = ends([one for one in view.active if one.type == "date"])
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
