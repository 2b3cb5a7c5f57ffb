"""Days and times as people type them in a hurry: "tomorow", "tmrw", "quater past", "right now"."""

import re
from difflib import get_close_matches
from typing import Final

_DAYS: Final = (
    *("today", "tonight", "tomorrow", "yesterday", "weekend"),
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("january", "february", "march", "april", "june", "july", "august", "september"),
    *("october", "november", "december"),
    *("mañana", "ayer", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
    *("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre"),
    *("octubre", "noviembre", "diciembre"),
)
# No days by themselves: what is like them becomes one only beside other words.
_BESIDE: Final = (
    *("quarter", "half", "past", "after", "next", "week", "month", "morning", "afternoon"),
    *("evening", "night", "o'clock", "oclock", "midnight", "noon", "minutes"),
)
_SHORT: Final = {
    **dict.fromkeys(("teh", "hte", "th"), "the"),
    **dict.fromkeys(("nxt", "nxet"), "next"),
    "frist": "first",
    **dict.fromkeys(("haf", "hlf", "hlaf"), "half"),
    **dict.fromkeys(("tmrw", "tmr", "tmw", "tmrow", "2moro", "2morrow", "tomo"), "tomorrow"),
    **dict.fromkeys(("2day", "tday"), "today"),
}
# Words of their own that are as like to a day as a slip is.
_OTHERS: Final = frozenset({
    *("doing", "domino", "junior", "juniors", "marched", "marches", "mates", "mayor", "mayores"),
    *("mines", "minus", "miracles", "moaning", "monarch", "moth", "mourning", "pasta", "paste"),
    *("quartet", "sturdy", "tight", "vines"),
})  # fmt: skip
_NOW: Final = re.compile(
    r"right now|just now|right away|straight away|immediately|asap|as soon as possible|"
    r"ahora mismo|enseguida|cuanto antes",
    re.IGNORECASE,
)
_CONTRACTED: Final = re.compile(r"(?P<bare>.*\w)['\u2019](?:(?P<may>s)|ll|d)", re.IGNORECASE)
# "Friday's delivery" has a day, but "an hour's drive" is no length, nor "today's rate" a day.
_DAY: Final = re.compile(r"(?!.*\btoday).*(?:day|tomorrow)", re.IGNORECASE)
_SUITS: Final = re.compile(
    r"\s+(?:(?:not|too|just|about|probably|really|quite|all|very|more than|totally)\s+)*"
    r"(?:fine|good|great|ok|okay|alright|right|best|better|perfect|ideal|plenty|enough|easier|"
    r"easiest|loads|fab|cool|lovely|short|long|much|impossible|possible|what|when|i|my)\b|\s*$",
    re.IGNORECASE,
)
# Shorter words are like too many others.
_SHORTEST: Final = 5
_ALIKE: Final = 0.82
# With more letters too many, or too few, words are not so much alike.
_LONGER: Final = 3


def mended(said: str) -> str:
    """The words of a day as they were meant; themselves if nothing is wrong with them."""
    if _NOW.fullmatch(said):
        return "today"
    return " ".join(_word(word) for word in said.split())


def is_now(said: str) -> bool:
    """Whether words say how urgent something is: a day only for who was asked for one."""
    return _NOW.fullmatch(said) is not None


def uncontracted(message: str, start: int, end: int) -> str:
    """Words without the "is" or "will" that is written with them: "wensday's good"."""
    found = _CONTRACTED.fullmatch(message, start, end)
    if found is None:
        return message[start:end]
    owns = found["may"] and not (_DAY.fullmatch(found["bare"]) or _SUITS.match(message, end))
    return message[start:end] if owns else found["bare"]


def _word(word: str) -> str:
    low = word.casefold()
    if low in _SHORT:
        return _SHORT[low]
    if len(low) < _SHORTEST - 1 or low in (*_DAYS, *_BESIDE, *_OTHERS) or not low.isalpha():
        return word
    known = _BESIDE if len(low) < _SHORTEST else (*_DAYS, *_BESIDE)
    # People miss a first letter less often than they use another word. Comparing takes long.
    may = [one for one in known if one[0] == low[0] and abs(len(one) - len(low)) <= _LONGER]
    near = get_close_matches(low, may, 1, _ALIKE) if may else []
    return near[0] if near else word
