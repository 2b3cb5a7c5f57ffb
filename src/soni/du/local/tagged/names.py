"""Where a name begins and ends in a message: the tagger may cut it short or take too much."""

import re
from typing import Final

# "Round 22 Mill Lane", "under The Smiths": what leads to a name is no part of it.
_LED: Final = re.compile(
    r"^(?:round|around|at|to|in|into|from|under|near|on|for|by|of|with|called|named|via)\s+"
    r"(?=(?:the\s+)?(?:[A-Z]|\d))"
)
_INDEFINITE: Final = re.compile(r"^(?:an?|some)\s+(?=[^\W\d_])")
_DEFINITE: Final = re.compile(r"^the\s+(?=[^\W\d_])")
# "The" within a sentence is written so only in a name.
_TITLED: Final = re.compile(r"(?<=\S\s)The $")
_SMALL: Final = frozenset({"of", "and", "the", "in", "on", "at", "to", "for", "with", "a", "an"})

# What is called by a name of its own, and not described.
_NAMED: Final = re.compile(r"\b(?:road|street|avenue|lane|station|stop|city|town|village)\b")
_WITHIN: Final = re.compile(
    r"(?:[^\WA-Z]+\s+)*(?:in|on|at|along|near|by)\s+"
    r"(?P<name>[A-Z][\w'\u2019-]*(?:\s+[A-Z][\w'\u2019-]*)*)"
)


def name_at(start: int, said: str, message: str) -> str:
    """A name as it is called: without what leads to it, with an article only if that is its own."""
    here = said[:1].isupper() and message.startswith(said, start)
    if here and _TITLED.search(message, 0, start):
        return f"The {said}"
    return without_article(_LED.sub("", said))


def without_article(said: str) -> str:
    """ "The Lisbon raincoat" is a raincoat; "the Hague" and "The Hobbit" are called so."""
    bare = _INDEFINITE.sub("", said)
    rest = _DEFINITE.sub("", bare)
    words = rest.split()
    named = bool(words) and all(word[0].isupper() or word in _SMALL for word in words)
    return bare if named else rest


def place_of(said: str, slot: str) -> str:
    """Of "surface on Bridge Street" the street, for a slot that is called after such a place."""
    found = _WITHIN.fullmatch(said) if _NAMED.search(slot) else None
    return found["name"] if found else said
