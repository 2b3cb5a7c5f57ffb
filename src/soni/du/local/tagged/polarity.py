"""Yes or no for what a sentence names: no denial, no no."""

from collections.abc import Iterable
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import content, normal, speak_name
from soni.du.tagger.reading import Reading
from soni.language import Language

# "Drivable" is what still drives.
_ROOT: Final = 4
# Which of yes and no is meant, and that one of them is: the name of the slot says the rest.
_POLE: Final = 0.8
_HINT: Final = 0.03


def is_so(slot: SlotBrief, text: str, lang: Language) -> bool:
    """Whether a sentence names what a yes-or-no slot is about, and denies nothing."""
    said = normal(text)
    if not slot.kind.is_polar or lang.pattern("polarity.denied").search(said):
        return False
    words = content(speak_name(slot.name), lang)
    named = {word[:_ROOT] for word in words if len(word) >= _ROOT}
    return bool(named & {word[:_ROOT] for word in content(said, lang)})


def polar(
    text: str, slots: Iterable[SlotBrief], reading: Reading, lang: Language
) -> dict[str, bool]:
    """ "I do want the paper bill": a yes or no for what is called by its whole name."""
    told = {(one.flow, one.name): one for one in reading.slots}
    said = content(normal(text), lang)
    found: dict[str, bool] = {}
    for slot in slots:
        read = told.get((slot.flow, slot.name))
        if not slot.kind.is_polar or read is None:
            continue
        value, likely = max(read.values.items(), key=lambda one: one[1], default=("", 0.0))
        if (
            content(speak_name(slot.name), lang) <= said
            and likely >= _POLE
            and read.inform >= _HINT
        ):
            found[slot.name] = value == "true"
    return found
