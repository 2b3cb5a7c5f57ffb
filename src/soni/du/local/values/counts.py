"""How many people: "my wife, the two kids and me" are four."""

import re
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import is_slot_about
from soni.language import Language, find_language
from soni.slots.parsers.numbers import parse_words
from soni.slots.parsers.words import convert_number_words, tidy_text

# More than this is told in figures.
_MAX_PARTY: Final = 20


def holds_party_size(slot: SlotBrief, lang: Language) -> bool:
    """Whether a slot says how many people there are."""
    return is_slot_about(slot, "party.slot", lang)


def is_party(message: str, start: int, end: int, lang: Language) -> bool:
    """Whether a number of a message is how many "we" are."""
    if lang.pattern("party.we_are").search(message[:start]):
        return True
    return lang.pattern("party.of_us").match(message[end:]) is not None


def is_for_party(message: str, start: int, end: int, lang: Language) -> bool:
    """Whether something is for so many, of whom nothing else is said: "sushi for 9"."""
    if not lang.pattern("party.for").search(message[:start]):
        return False
    return lang.pattern("values.goes_on").match(message, end) is not None


def count_company(said: str, language: str) -> int | None:
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
    return sum(known) if len(known) == len(sizes) and sum(known) <= _MAX_PARTY else None


def _count_member(member: str, language: str) -> int | None:
    lang = find_language(language)
    if lang.pattern("party.myself", cased=True).fullmatch(member):
        return 1
    some = lang.pattern("party.members", cased=True).fullmatch(member)
    if some:
        said = some["count"]
        count = int(said) if said.isdecimal() else parse_words(said, language)
        if count is not None:
            return count
    one = lang.pattern("party.member", cased=True).fullmatch(member)
    # "My kids" are more than one, but how many?
    return 1 if one and not one["who"].endswith("s") else None


def holds_day_of_month(slot: SlotBrief, lang: Language) -> bool:
    """Whether a number is the day of any month: "on the 28th"."""
    of_month = is_slot_about(slot, "ordinals.slot_of_month_day", lang)
    return slot.kind.dimension == "count" and of_month


def parse_day_of_month(said: str, language: str) -> str | None:
    """The number of an ordinal; None: the words are none."""
    digits = convert_number_words(tidy_text(said) or "", language, ordinals=True)
    ordinal = find_language(language).pattern("ordinals.ordinal", cased=True).fullmatch(digits)
    return re.sub(r"\D", "", digits) if ordinal else None


def selects_by_ordinal(message: str, start: int, end: int, language: str) -> bool:
    """Whether an ordinal tells which of something it is: "a second car", "the 4th floor"."""
    if parse_day_of_month(message[start:end], language) is None:
        return False
    lang = find_language(language)
    # "The 22nd" is a day, unless it is one of something.
    if lang.pattern("ordinals.figure").search(message, start, end):
        return lang.pattern("ordinals.thing").match(message, end) is not None
    is_day = ("values.goes_on", "ordinals.of_a_day")
    return not any(lang.pattern(name).match(message, end) for name in is_day)
