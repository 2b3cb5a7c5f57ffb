"""How long something takes, and not how often it is done or which day it is."""

from soni.du.context import SlotBrief
from soni.du.local.words.words import normal, speak_name
from soni.language import Language


def is_no_length(message: str, start: int, end: int, slot: SlotBrief, lang: Language) -> bool:
    """Whether a unit only says which ("the day"), or how often ("every two weeks")."""
    before = message[:start]
    if lang.pattern("lengths.long").search(before):
        return True
    # "A second car" is one more.
    second = lang.pattern("lengths.second").fullmatch(message, start, end)
    if second and not lang.pattern("values.goes_on").match(message, end):
        return True
    told = f"{speak_name(slot.name)} {normal(slot.description)}"
    if lang.pattern("lengths.often").search(before):
        return lang.pattern("lengths.slot_of_frequency", cased=True).search(told) is None
    if not lang.pattern("units.time").fullmatch(message, start, end):
        return False
    if lang.pattern("lengths.all_of").search(before):
        return False
    alone = lang.pattern("lengths.alone").fullmatch(before)
    return not (alone and lang.pattern("lengths.nothing_more").match(message, end))
