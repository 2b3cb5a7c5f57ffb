"""When "one" is a number, and when it stands for somebody or something."""

from soni.du.context import SlotBrief
from soni.du.local.words.mentions import is_counted_noun
from soni.du.local.words.words import find_whole_words
from soni.language import Language


def is_pronoun(value: str, message: str, slot: SlotBrief, lang: Language) -> bool:
    """Whether a "one" counts nothing of the slot's: "can one hire it", "could I get a new one"."""
    said = value.casefold()
    if not slot.kind.is_number or said not in lang.words("pronoun_one.one"):
        return False
    places = find_whole_words(said, message.casefold())
    return all(not _is_one_a_number(message, start, end, slot, lang) for start, end in places)


def _is_one_a_number(message: str, start: int, end: int, slot: SlotBrief, lang: Language) -> bool:
    noun = lang.pattern("pronoun_one.noun", cased=True).match(message, end)
    told = noun is not None and is_counted_noun(noun[1], slot, lang)
    return told or lang.pattern("pronoun_one.number").search(message[:start]) is not None
