"""A name in capitals that nothing else claims.

Where a name stands the tagger knows long before it is sure that the slot is filled: it has read
more messages without one. Where a flow starts and a name is left over, it is hardly there for
nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from soni.du.context import DialogueContext, SlotBrief
from soni.du.local.tagged.values import accepts
from soni.du.local.values.choices import find_choice
from soni.du.local.words.words import content, normal
from soni.du.tagger.reading import SlotReading, Span
from soni.language import Language, find_language

_STARTS: Final = re.compile(r"(?:^|[.!?]\s+)\W*$")
# How sure it must be that the slot is filled, and where the name stands.
_HINT: Final = 0.03
_PLACED: Final = 0.7
# A sentence begins with a capital anyhow.
_SURELY: Final = 0.95
# What has a form of its own is no name: "Friday".
_DAY: Final = SlotBrief(name="day", flow="", type="date")


def assign_unclaimed_names(
    message: str,
    slots: Sequence[SlotBrief],
    read: Iterable[SlotReading],
    values: Mapping[str, Any],
    context: DialogueContext,
) -> dict[str, str]:
    """By slot the name that stands there, where the slot has no value and the name no slot."""
    if message.isupper():
        return {}
    own = {slot.name: slot for slot in slots if slot.kind.is_short_text and slot.name not in values}
    likely = sorted((one for one in read if one.name in own), key=lambda one: -one.inform)
    taken = [normal(str(value)) for value in values.values()]
    found: dict[str, str] = {}
    lang = find_language(context.language)
    for one in likely:
        name = _name(message, one, lang)
        if name is None or _is_taken(name, taken, lang) or accepts(_DAY, name, context):
            continue
        if not any(slot.kind.has_values and find_choice(name, slot, lang) for slot in slots):
            found[one.name] = name
            taken.append(normal(name))
    return found


def _name(message: str, read: SlotReading, lang: Language) -> str | None:
    """The name that the tagger finds, if it does."""
    first = next(iter(read.spans), Span(0, 0, 0.0))
    name = message[first.start : first.end]
    least = _SURELY if _STARTS.search(message, 0, first.start) else _PLACED
    sure = first.probability >= least and read.inform >= max(_HINT, read.dontcare)
    return name if sure and lang.pattern("name.capitals").fullmatch(name) else None


def _is_taken(name: str, taken: Iterable[str], lang: Language) -> bool:
    """Whether a value has a word of the name in it."""
    words = content(normal(name), lang)
    return not words or any(words & content(value, lang) for value in taken)
