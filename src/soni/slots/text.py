"""A long text, with its lines."""

from soni.slots.string import StringSlot


class TextSlot(StringSlot):
    """A complaint, a description, an address over several lines."""

    kind = "text"
    longest = 10_000


SLOT = TextSlot()
