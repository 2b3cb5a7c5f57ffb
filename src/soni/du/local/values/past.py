"""Days that were: "since Saturday", "it was Thursday", or a slot for what has happened."""

from datetime import date

from soni.du.context import SlotBrief
from soni.du.local.words.words import normal, speak_name
from soni.language import Language
from soni.slots import SlotEnv
from soni.slots.reading.days import read_day
from soni.slots.reading.words import tidy_text


def day_that_was(
    message: str, start: int, end: int, said: str, slot: SlotBrief, env: SlotEnv
) -> date | None:
    """The day of a message as the last one of its name; None: nothing says that it has been."""
    text = tidy_text(said)
    if not text or not _has_been(message, start, end, slot, env.lang):
        return None
    return read_day(text, env.now.date(), env.base_language, past=True)


def is_over(message: str, start: int, end: int, value: str, slot: SlotBrief, env: SlotEnv) -> bool:
    """Whether a day has been, and so is none for what a slot says is to come."""
    told = f"{speak_name(slot.name)} {normal(slot.description)}"
    if env.lang.pattern("past.slot", cased=True).search(told):
        return False
    if not env.lang.pattern("past.slot_to_come", cased=True).search(told):
        return False
    today = env.now.date().isoformat()
    return value < today or (value == today and _has_been(message, start, end, slot, env.lang))


def _has_been(message: str, start: int, end: int, slot: SlotBrief, lang: Language) -> bool:
    before, after = _clause(message, start, end, lang)
    told = f"{speak_name(slot.name)} {normal(slot.description)}"
    if lang.pattern("past.slot", cased=True).search(told):
        return not lang.pattern("past.will_be").search(f"{before}{after}")
    wished, happened = lang.pattern("past.wished"), lang.pattern("past.happened")
    if wished.search(before) or wished.search(after):
        return False
    return bool(happened.search(before) or happened.search(after))


def _clause(message: str, start: int, end: int, lang: Language) -> tuple[str, str]:
    """What stands before and behind the day, up to where something else is said."""
    clause_end = lang.pattern("past.clause_end")
    return clause_end.split(message[:start])[-1], clause_end.split(message[end:])[0]
