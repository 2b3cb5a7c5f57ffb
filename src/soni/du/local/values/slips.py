"""Days as people type them in a hurry: "tomorow", "wensday", "tmrw", "right now"."""

import re
from difflib import get_close_matches
from functools import lru_cache
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
_SHORT: Final = {
    **dict.fromkeys(("tmrw", "tmr", "tmw", "tmrow", "2moro", "2morrow", "tomo"), "tomorrow"),
    **dict.fromkeys(("2day", "tday"), "today"),
}
_NOW: Final = re.compile(
    r"right now|just now|right away|straight away|immediately|asap|as soon as possible|"
    r"ahora mismo|enseguida|cuanto antes",
    re.IGNORECASE,
)
# Shorter words are like too many others.
_SHORTEST: Final = 5
_ALIKE: Final = 0.82


def mended(said: str) -> str:
    """The words of a day as they were meant; themselves if nothing is wrong with them."""
    if _NOW.fullmatch(said):
        return "today"
    return " ".join(_word(word) for word in said.split())


@lru_cache(maxsize=2048)
def _word(word: str) -> str:
    low = word.casefold()
    if low in _SHORT:
        return _SHORT[low]
    if len(low) < _SHORTEST or low in _DAYS or not low.isalpha():
        return word
    near = get_close_matches(low, _DAYS, 1, _ALIKE)
    return near[0] if near and near[0][0] == low[0] else word
