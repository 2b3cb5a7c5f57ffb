"""A day, stored as ISO text, given to actions and expressions as a `date`."""

import re
from datetime import date, datetime, timedelta
from typing import Any

from soni.slots.base import SlotEnv, SlotLike, SlotType, refuse

_RELATIVE = {
    "today": 0, "tomorrow": 1, "yesterday": -1,
    "hoy": 0, "mañana": 1, "manana": 1, "ayer": -1,
}  # fmt: skip
_MONTHS = {
    "en": ("January", "February", "March", "April", "May", "June", "July", "August",
           "September", "October", "November", "December"),
    "es": ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto",
           "septiembre", "octubre", "noviembre", "diciembre"),
}  # fmt: skip
_DAYS = {
    "en": ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    "es": ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
}


class DateSlot(SlotType):
    """`2026-03-02`, `2 March 2026`, `tomorrow`, `friday`, relative to the conversation's clock."""

    kind = "date"

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> str:
        """Take dates, ISO text and how people say days."""
        if isinstance(value, datetime):
            return value.date().isoformat()
        if isinstance(value, date):
            return value.isoformat()
        found = _spoken(value.strip().lower(), env) if isinstance(value, str) else None
        if found is None:
            raise refuse(self.kind)
        return found.isoformat()

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """ISO text of a day."""
        return isinstance(stored, str) and _iso(stored) is not None

    def revive(self, stored: Any) -> date:
        """The `date` itself."""
        return date.fromisoformat(stored)

    def show(self, stored: Any, language: str) -> str:
        """`2 March 2026`, `2 de marzo de 2026`."""
        day = date.fromisoformat(stored)
        month = _MONTHS.get(language, _MONTHS["en"])[day.month - 1]
        return f"{day.day} de {month} de {day.year}" if language == "es" else (
            f"{day.day} {month} {day.year}"
        )  # fmt: skip


def _spoken(text: str, env: SlotEnv) -> date | None:
    today = env.now.date()
    if text in _RELATIVE:
        return today + timedelta(days=_RELATIVE[text])
    for names in (_DAYS.get(env.language, ()), _DAYS["en"]):
        if text in names:
            # A weekday said on that weekday means the next one.
            return today + timedelta(days=(names.index(text) - today.weekday() - 1) % 7 + 1)
    return _iso(text) or _with_month(text, env.language, today.year)


def _iso(text: str) -> date | None:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return None
    return _day(*(int(part) for part in text.split("-")))


def _with_month(text: str, language: str, this_year: int) -> date | None:
    words = re.findall(r"[a-záéíóúñ]+|\d+", re.sub(r"(\d)(?:st|nd|rd|th)\b", r"\1", text))
    numbers = [int(word) for word in words if word.isdigit() and len(word) <= 4]
    names = [
        [month.lower() for month in _MONTHS.get(language, _MONTHS["en"])],
        [month.lower() for month in _MONTHS["en"]],
    ]
    for months in names:
        named = [months.index(word) + 1 for word in words if word in months]
        if len(named) == 1 and len(numbers) in (1, 2):
            year = numbers[1] if len(numbers) == 2 else this_year
            return _day(year, named[0], numbers[0])
    return None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


SLOT = DateSlot()
