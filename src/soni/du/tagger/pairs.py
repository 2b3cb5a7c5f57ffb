"""Pairs of a slot of a starting flow and a known value it may carry over: "a hotel there"."""

from collections.abc import Iterator
from typing import NamedTuple

from soni.du.tagger.mentions import format_words, holds_value, normalise_author_text
from soni.du.tagger.moment import Moment, MomentSlot, Source

PAIR_FLAGS = (
    *("same_name", "same_text", "same_kind", "current", "others", "offered", "told"),
    *("said", "required", "requested", "filled", "same_flow", "recent", "only"),
)
_WHERE = PAIR_FLAGS[3:7]


class Pair(NamedTuple):
    """A slot and a source, by their indexes in the moment."""

    slot: int
    source: int
    flags: tuple[float, ...]


def find_pairs(moment: Moment, flow: str, message: str) -> list[Pair]:
    """The pairs with a value of the slot's kind; the message is normalised."""
    return [
        pair
        for place, slot in enumerate(moment.slots)
        if flow in slot.flows
        for pair in _iter_pairs(place, slot, moment, flow, message)
    ]


def _iter_pairs(
    place: int, slot: MomentSlot, moment: Moment, flow: str, message: str
) -> Iterator[Pair]:
    fitting = [n for n, source in enumerate(moment.sources) if may_carry(slot, source)]
    different = {format_words(moment.sources[n].value) for n in fitting}
    requested, required, filled = slot.flags[0], slot.flags[7], slot.flags[5]
    for order, number in enumerate(fitting):
        source = moment.sources[number]
        flags = (
            source.name == slot.name,
            source.text == slot.text,
            source.kind == slot.kind,
            *(source.where == where for where in _WHERE),
            holds_value(message, format_words(source.value)),
            required,
            requested,
            filled,
            source.flow == flow or source.flow in slot.flows,
            1 / (1 + order),
            len(different) == 1,
        )
        yield Pair(place, number, tuple(map(float, flags)))


def may_carry(slot: MomentSlot, source: Source) -> bool:
    """Whether the value is of the slot's kind."""
    if isinstance(source.value, list | tuple | dict):
        return False
    value = format_words(source.value)
    if slot.kind == "choice":
        return any(normalise_author_text(choice.value) == value for choice in slot.choices)
    if slot.kind == "boolean":
        return source.name == slot.name
    counted = value.strip().isdigit() and source.kind == "choice"
    given = ("number" if counted else "text") if source.kind == "choice" else source.kind
    return given == slot.kind
