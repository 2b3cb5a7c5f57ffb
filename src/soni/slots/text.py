"""A long text, with its lines."""

from soni.slots.string import StringSlot


class TextSlot(StringSlot):
    """A complaint, a description, an address over several lines."""

    kind = "text"
    takes_message = True
    longest = 10_000


SLOT = TextSlot()
