"""Which words tell one choice from the others: "twice" of "charged twice", not "charged"."""

from functools import lru_cache
from typing import Final

from soni.du.context import FlowBrief, SlotBrief
from soni.du.local.words.kin import inflected, slipped
from soni.du.local.words.words import content, normal, spoken

# They stand in names of all kinds: "new phone", "can't find it", "costs too much".
_COMMON: Final = frozenset({
    *("new", "other", "another", "too", "much", "more", "not", "never", "only", "one", "got"),
    *("can't", "cant", "cannot", "don't", "dont", "doesn't", "doesnt", "won't", "wont", "isn't"),
    *("isnt", "was", "were", "been", "with", "from", "without", "our", "your", "this", "that"),
    *("have", "has", "all", "any", "every", "same", "off", "out", "up", "down", "there"),
    *("here", "back"),
})  # fmt: skip


def tells(text: str, slot: SlotBrief, value: str, flow: FlowBrief | None = None) -> bool:
    """Whether a text has all words of a name of a choice, or one that can only be about it."""
    forms = tuple(map(spoken, (value, *slot.values[value])))
    said = normal(text)
    if any(_has(said, form) for form in forms):
        return True
    dull = _dull(slot, value, flow)
    words = {word for form in forms for word in content(form) if len(word) > 2} - dull
    telling = content(said) - dull
    return any(
        inflected(one, word) or slipped(one, word)
        for one in telling
        for word in words
        if one in words or not any(inflected(one, other) for other in dull)
    )


def _has(said: str, form: str) -> bool:
    """Whether a name is said, as it is or with its words elsewhere: "only the boiler"."""
    words = content(form)
    apart = len(words) > 1 and words <= content(said)
    return bool(form) and (apart or f" {form} " in f" {said} ")


def _dull(slot: SlotBrief, value: str, flow: FlowBrief | None) -> frozenset[str]:
    """Words that are said whichever choice is meant.

    A description may list the choices, and an example make one: what a value is called counts
    in spite of them, if it is called so in one word. Of "wrong ticket", a ticket says nothing.
    """
    others = (form for name, same in slot.values.items() if name != value for form in (name, *same))
    about = _words(slot.description) | (words_of(flow) if flow is not None else frozenset())
    own = _words(value)
    return _COMMON | _words(slot.name, *others) | (about - own if len(own) == 1 else about)


def words_of(flow: FlowBrief) -> frozenset[str]:
    """The words that a flow is told with."""
    return _words(flow.name, flow.description, *flow.examples)


@lru_cache(maxsize=1024)
def _words(*texts: str) -> frozenset[str]:
    return frozenset().union(*(content(spoken(text)) for text in texts))
