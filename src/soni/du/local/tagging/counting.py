"""Which slot a number is for, by the noun behind it: a "3 star hotel" says nothing of rooms."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import describe_slot, extract_words, normalise
from soni.language import Language

_MIN_STEM: Final = 3


@dataclass(frozen=True)
class CountedNumber:
    """A number in a message, and the slots that hold how many there are of what follows it."""

    value: str
    start: int
    end: int
    counts: frozenset[str]


def find_numbers(message: str, briefs: Iterable[SlotBrief], lang: Language) -> list[CountedNumber]:
    """The numbers of a message."""
    words = {brief.name: _list_nouns(brief, lang) for brief in briefs}
    digits = lang.table("count.digits")
    return [
        CountedNumber(
            digits.get(found["number"].lower(), found["number"]),
            *found.span("number"),
            _find_counted_slots(found["noun"] or "", words, lang),
        )
        for found in lang.pattern("count.number").finditer(message)
    ]


def list_counted_slots(message: str, briefs: Iterable[SlotBrief], lang: Language) -> frozenset[str]:
    """The slots for which the message says how many there are."""
    known = [brief for brief in briefs if is_counter(brief)]
    return frozenset().union(*(one.counts for one in find_numbers(message, known, lang)))


def is_counter(brief: SlotBrief) -> bool:
    """Whether the slot holds how many there are of something."""
    if brief.kind.is_number:
        return True
    return brief.kind.has_values and all(value.isdecimal() for value in brief.values)


def _list_nouns(brief: SlotBrief, lang: Language) -> frozenset[str]:
    words = extract_words(describe_slot(brief), lang) - lang.words("count.dull")
    people = lang.words("count.people")
    return words | people if words & people and is_counter(brief) else words


def _find_counted_slots(
    noun: str, words: Mapping[str, frozenset[str]], lang: Language
) -> frozenset[str]:
    """The slots with the noun in their name or description; "bath" is in "bathrooms" too."""
    stems = extract_words(normalise(noun), lang)
    return frozenset(
        name
        for name, known in words.items()
        if any(is_same_noun(stem, word) for stem in stems for word in known)
    )


def is_same_noun(one: str, other: str) -> bool:
    """Whether two words without their endings may be one: "bath" and "bathroom"."""
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= _MIN_STEM and long.startswith(short))


def clean_name(start: int, said: str, message: str, lang: Language) -> str:
    """A name as it is called: without what leads to it, with an article only if that is its own."""
    here = said[:1].isupper() and message.startswith(said, start)
    article = lang.pattern("name.own_article", cased=True).search(message, 0, start)
    if here and article:
        return f"{article[0]}{said}"
    return strip_article(lang.pattern("name.led", cased=True).sub("", said), lang)


def strip_article(said: str, lang: Language) -> str:
    """ "The Lisbon raincoat" is a raincoat; "the Hague" and "The Hobbit" are called so."""
    bare = lang.pattern("name.indefinite", cased=True).sub("", said)
    rest = lang.pattern("name.definite", cased=True).sub("", bare)
    words, small = rest.split(), lang.words("name.small_words")
    named = bool(words) and all(word[0].isupper() or word in small for word in words)
    return bare if named else rest


def extract_place(said: str, slot: str, lang: Language) -> str:
    """Of "surface on Bridge Street" the street, for a slot that is called after such a place."""
    if not lang.pattern("name.place_noun", cased=True).search(slot):
        return said
    found = lang.pattern("name.place", cased=True).fullmatch(said)
    return found["name"] if found else said
