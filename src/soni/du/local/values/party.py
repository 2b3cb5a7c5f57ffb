"""How many people: "my wife, the two kids and me" are four."""

from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import normal, speak_name
from soni.language import Language, find_language
from soni.slots.reading.numbers import parse_words

# More than this is told in figures.
_MANY: Final = 20


def is_of_people(slot: SlotBrief, lang: Language) -> bool:
    """Whether a slot says how many people there are."""
    told = f"{speak_name(slot.name)} {normal(slot.description)}"
    return lang.pattern("party.slot", cased=True).search(told) is not None


def is_party(message: str, start: int, end: int, lang: Language) -> bool:
    """Whether a number of a message is how many "we" are."""
    if lang.pattern("party.we_are").search(message[:start]):
        return True
    return lang.pattern("party.of_us").match(message[end:]) is not None


def is_for(message: str, start: int, end: int, lang: Language) -> bool:
    """Whether something is for so many, of whom nothing else is said: "sushi for 9"."""
    if not lang.pattern("party.for").search(message[:start]):
        return False
    return lang.pattern("values.goes_on").match(message, end) is not None


def company(said: str, language: str) -> int | None:
    """How many people a list of them has; None: it is no such list, or does not say."""
    lang = find_language(language)
    myself = lang.pattern("party.myself", cased=True)
    text = lang.pattern("party.lead").sub("", " ".join(said.casefold().split()).strip(" .!"))
    between = lang.pattern("party.between", cased=True)
    members = [member.strip() for member in between.split(text) if member.strip()]
    # Who does not count themselves may be listing anything.
    if len(members) < 2 or not any(myself.fullmatch(member) for member in members):
        return None
    sizes = [_count_member(member, language) for member in members]
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) and sum(known) <= _MANY else None


def _count_member(member: str, language: str) -> int | None:
    lang = find_language(language)
    if lang.pattern("party.myself", cased=True).fullmatch(member):
        return 1
    some = lang.pattern("party.members", cased=True).fullmatch(member)
    count = _number(some["count"], language) if some else None
    if count is not None:
        return count
    one = lang.pattern("party.member", cased=True).fullmatch(member)
    # "My kids" are more than one, but how many?
    return 1 if one and not one["who"].endswith("s") else None


def _number(said: str, language: str) -> int | None:
    return int(said) if said.isdecimal() else parse_words(said, language)
