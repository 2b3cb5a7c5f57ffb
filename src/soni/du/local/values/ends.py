"""Both ends of a way or of a time: what stands behind "from" is where it begins, never where to."""

from collections.abc import Iterable, Mapping

from soni.du.local.words.words import speak_name
from soni.language import Language


def other_end(
    slot: str, message: str, start: int, names: Iterable[str], lang: Language
) -> str | None:
    """The slot for the other end, if the word before a value says that it is meant for that."""
    before = message[:start]
    opposite = {"begin": "ends.to_before", "end": "ends.from_before"}.get(_side(slot, lang) or "")
    wrong = opposite is not None and lang.pattern(opposite).search(before)
    return twins(names, lang).get(slot) if wrong else None


def twins(names: Iterable[str], lang: Language) -> Mapping[str, str]:
    """Slots that are the two ends of one thing: `from_city` and `to_city`."""
    sides_of = lang.words("ends.begin") | lang.words("ends.end") | lang.words("ends.dull")
    known: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for name in names:
        side = _side(name, lang)
        if side is not None:
            rest = tuple(w for w in speak_name(name).split() if w not in sides_of)
            known.setdefault(rest, {}).setdefault(side, []).append(name)
    pairs: dict[str, str] = {}
    for sides in known.values():
        begin, end = sides.get("begin", []), sides.get("end", [])
        if len(begin) == len(end) == 1:
            pairs |= {begin[0]: end[0], end[0]: begin[0]}
    return pairs


def _side(name: str, lang: Language) -> str | None:
    words = set(speak_name(name).split())
    begins, ends = (bool(words & lang.words(f"ends.{side}")) for side in ("begin", "end"))
    return None if begins == ends else "begin" if begins else "end"
