"""An item of the list that is shown, by its place, by its words, or by what is special about it."""

import re
from collections.abc import Sequence
from typing import Final

from soni.commands import Command, SetSlot
from soni.du.context import SlotBrief
from soni.du.local.values.finding import Found, found
from soni.du.local.view import View
from soni.du.local.words.lexicon import bared
from soni.du.local.words.words import content, normal

# Around what an item is known by.
_AROUND: Final = frozenset({
    *("one", "ones", "that", "this", "which", "whichever", "take", "pick", "choose", "go", "with"),
    *("i'll", "i'd", "let'", "give", "from", "by", "then", "guess", "think", "ok", "okay", "want"),
    *("have", "be", "goe", "leave", "leaving", "departing", "going", "called", "named", "yeah"),
    *("quiero", "ese", "esa", "tomo", "con", "a", "al"),
})  # fmt: skip
_ENDS: Final = {"good": "best", "bett": "best", "early": "earliest", "earli": "earliest"}
_SPECIAL: Final = re.compile(
    r"\b(?:the|is|el|la|lo)\s+(?:\w+est|(?:most|least|más|menos|mejor|peor)(?:\s+\w+)?)\b"
)
_CLOCK: Final = re.compile(
    r"\d:\d|\d\s*[ap]\.?\s?m\b|\bde la (?:mañana|tarde|noche)\b", re.IGNORECASE
)
_COUNTED: Final = re.compile(r"(?:number|option|no|número|opción) (\w+)")
_PLAIN: Final = re.compile(
    r"(?:the |that |a )?(?P<what>cheap|fast|quick|earl[iy]|late|short|long|near|close|big|large|"
    r"small|high|low|new|old|nice|good|bett|warm|cold|hot|thin)(?:[gnt]?e?r)? (?:one|option)",
    re.IGNORECASE,
)
# One short vowel before one consonant: "big", "hot" and "thin", but neither "cheap" nor "long".
_DOUBLED: Final = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")


def picked(message: str, view: View) -> Command | None:
    """The item that a message picks, if it is clear that it does."""
    slot = view.asked
    if slot is None or not view.is_listed:
        return None
    said = bared(normal(message), view.lang)
    ordinals = view.lang.table("lexicon.ordinals")
    if said in ordinals or view.lang.pattern("cues.place").fullmatch(said):
        return SetSlot(slot_name=slot.name, value=message)
    counted = _COUNTED.fullmatch(said)
    if counted is not None and counted[1] in ordinals:
        return SetSlot(slot_name=slot.name, value=str(ordinals[counted[1]]))
    label = _label(message, view)
    if label is not None:
        return SetSlot(slot_name=slot.name, value=label)
    if _SPECIAL.search(said):
        return SetSlot(slot_name=slot.name, value=message)
    plain = _PLAIN.fullmatch(said)
    if plain is None or not view.is_english:
        return None
    return SetSlot(slot_name=slot.name, value=f"the {_most(plain['what'].casefold())} one")


def _label(message: str, view: View) -> str | None:
    """The one that alone has the time, and all the words, that were said."""
    labels: list[str] = view.data["options"]
    said = _times(message, view)
    if said:
        # By its words "the 10 am one" would be the one at 7:10 am, too.
        times = {label: {one.value for one in _times(label, view)} for label in labels}
        timed = [label for label in labels if times[label] & {one.value for one in said}]
        if len(timed) == 1:
            return timed[0]
        labels = timed or [label for label in labels if not times[label]]
        message = _without(message, said) if timed else message
    words = content(bared(normal(message), view.lang), view.lang) - _AROUND
    named = [one for one in labels if words and words <= content(normal(one), view.lang)]
    return named[0] if len(named) == 1 else None


def _times(text: str, view: View) -> list[Found]:
    # Most words are no time, and reading them as one takes a while.
    if not _CLOCK.search(text):
        return []
    return found(text, SlotBrief(name="time", flow="", type="time"), view.env)


def _without(text: str, values: Sequence[Found]) -> str:
    for one in reversed(values):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text


def _most(what: str) -> str:
    """ "Cheap" as it stands in "the cheapest": what an author writes a rule for."""
    if what in _ENDS:
        return _ENDS[what]
    if _DOUBLED.fullmatch(what):
        what += what[-1]
    return f"{what}st" if what.endswith("e") else f"{what}est"
