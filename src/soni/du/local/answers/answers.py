"""The answer to the open question, with the words around it."""

import re
from dataclasses import replace
from typing import Any, Final

from soni.commands import Command, SetSlot
from soni.du.context import SlotBrief
from soni.du.local.values.choices import find_choice, find_numbered_choice, has_numbers
from soni.du.local.values.codes import find_code, holds_code
from soni.du.local.values.counts import holds_day_of_month, holds_party_size, is_party
from soni.du.local.values.periods import drop_denied_values, drop_durations, settle_day
from soni.du.local.values.route import find_route
from soni.du.local.values.value_search import ValueSpan, find_phone_spans, find_values
from soni.du.local.view import View
from soni.du.local.words.lexicon import is_cardinal, means, strip_polite_words
from soni.du.local.words.mentions import is_counted_noun
from soni.du.local.words.questions import asks_openly
from soni.du.local.words.words import extract_words, normalise, speak_name
from soni.language import Language, find_language

_CLAUSE_END: Final = re.compile(r"[,;.!]\s")
# A longer message says more than which value it is.
_MAX_CHOICE_WORDS: Final = 3


def find_answer(message: str, slot: SlotBrief, view: View) -> Any:
    """The value the message gives to the slot that was asked; None if it gives none."""
    text = normalise(message)
    if slot.kind.is_polar:
        told = _read_yes_or_no(text, slot, view)
        # "Not really, whenever you have time".
        opening, *more = _CLAUSE_END.split(message, maxsplit=1)
        return _read_yes_or_no(normalise(opening), slot, view) if told is None and more else told
    if slot.kind.has_values:
        return _read_choice(message, text, slot, view)
    if slot.kind.is_short_text:
        return find_code(message, slot, view.lang)
    if slot.kind.dimension == "count" and (count := count_people(text, view.lang)) is not None:
        return count
    single = view.lang.pattern("answer.single").search(text)
    if slot.kind.dimension == "count" and single and is_counted_noun(single[1], slot, view.lang):
        return 1
    values = [
        one
        for one in find_values(message, slot, view.env)
        if not _belongs_to_date(message, one, slot, view)
        and not is_for_other_slot(message, one, slot, view)
    ]
    values = values or find_hours(message, slot, view)
    values = values or _find_phone_digits(message, slot, view.lang)
    if slot.kind.dimension == "day":
        values = drop_durations(message, values, view)
    values = [one for one in values if not _is_refused(message, one, view.lang)]
    if not values:
        return None
    best = choose_value(message, values, slot, view.lang)
    return settle_day(message, best, slot, view) if slot.kind.dimension == "day" else best.said


def read_bare_answer(message: str, view: View) -> Command | None:
    """An answer that is nothing but the value."""
    slot = view.asked
    if slot is None or view.is_listed:
        return None
    said = strip_closing(message, view.lang)
    text = normalise(said)
    value: Any = None
    if slot.kind.dimension == "count":
        value = count_people(text, view.lang)
    elif slot.kind.is_polar:
        value = _read_polar_word(text, slot, view.lang)
    elif slot.kind.has_values:
        short = len(text.split()) <= _MAX_CHOICE_WORDS and not any(map(str.isdecimal, text))
        value = _read_choice(said, text, slot, view) if short else None
    if value is None:
        whole = find_values(said, slot, view.env)
        fits = whole and (whole[0].start, whole[0].end) == (0, len(said))
        value = find_answer(said, slot, view) if fits else None
    return SetSlot(slot_name=slot.name, value=value) if value is not None else None


def _read_polar_word(text: str, slot: SlotBrief, lang: Language) -> bool | None:
    """ "Without", "with breakfast", "not urgent"."""
    first, _, rest = text.partition(" ")
    short = lang.pattern("answer.shortly").fullmatch(text)
    if short is not None:
        return short["no"] is None
    named = not rest or bool(extract_words(rest, lang) & extract_words(speak_name(slot.name), lang))
    if first in lang.words("grammar.with") and named:
        return True
    return False if first in lang.words("answer.opening_without") and named else None


def strip_reassurance(text: str, view: View) -> str | None:
    """What is left of a text behind "no problem"; None: it does not begin so.

    Where problems are what is asked about, the words are an answer.
    """
    match = view.lang.pattern("answer.no_trouble").match(text)
    asked = normalise(view.prompt) if view.asked else ""
    if match is None or view.lang.pattern("answer.trouble").search(asked):
        return None
    return text[match.end() :].strip()


def _read_yes_or_no(text: str, slot: SlotBrief, view: View) -> bool | None:
    rest = strip_reassurance(text, view)
    if rest is not None:
        return _read_yes_or_no(rest, slot, view) if rest else None
    for meaning, value in (("affirm", True), ("deny", False)):
        if means(text, meaning, view.lang):
            return value
    by_word = _read_polar_word(text, slot, view.lang)
    if by_word is not None:
        return by_word
    first = text.partition(" ")[0]
    if first in view.lang.words("answer.opening_yes"):
        return True
    return False if first in view.lang.words("answer.opening_no") else None


def _read_choice(message: str, text: str, slot: SlotBrief, view: View) -> str | None:
    ends = find_route(message, view.active, view.lang)
    if ends:
        # "To Rome" is no answer to where from.
        return ends.get(slot.name)
    value = find_choice(message, slot, view.lang)
    if value is not None:
        return value
    two = view.lang.pattern("answer.this_not_that").fullmatch(message)
    if two is not None and find_choice(two["old"], slot, view.lang) is not None:
        return find_choice(two["new"], slot, view.lang)
    said = strip_polite_words(text, view.lang)
    if is_cardinal(said, view.lang) and has_numbers(slot, view.lang):
        # "1" where there are 2, 3 and 4 is none of them.
        return find_numbered_choice(said, slot, view.lang)
    place = view.lang.table("lexicon.ordinals").get(said, 0)
    return list(slot.values)[place - 1] if 0 < place <= len(slot.values) else None


def count_people(text: str, lang: Language) -> int | None:
    """The number of people in "just me" (1) or "me and my wife" (2)."""
    if lang.pattern("answer.alone").fullmatch(text):
        return 1
    return 2 if lang.pattern("answer.two").fullmatch(text) else None


def _belongs_to_date(message: str, one: ValueSpan, slot: SlotBrief, view: View) -> bool:
    """Whether a number belongs to a day: the 10 of "on March 10"."""
    if not slot.kind.is_countable or holds_day_of_month(slot, view.lang):
        return False
    days = find_values(message, SlotBrief(name="day", flow="", type="date"), view.env)
    # "10.10" may be an amount; with a word it is a day.
    is_money = slot.kind.dimension == "money"
    days = [day for day in days if not is_money or any(map(str.isalpha, day.said))]
    unit = view.lang.pattern("answer.time_unit")
    return any(
        day.start <= one.start and one.end <= day.end and not unit.search(day.said) for day in days
    )


def is_for_other_slot(message: str, one: ValueSpan, slot: SlotBrief, view: View) -> bool:
    """Whether a number counts what another slot holds: "three bags", where kilos are asked."""
    if not slot.kind.is_countable or is_counted_by_slot(message, one, slot, view.lang):
        return False
    others = [s for s in view.active if s.kind.is_number and s.name != slot.name]
    party = is_party(message, one.start, one.end, view.lang) and holds_party_size(slot, view.lang)
    return not party and any(
        is_counted_for_slot(message, one, other, view.lang) for other in others
    )


def is_counted_for_slot(message: str, one: ValueSpan, slot: SlotBrief, lang: Language) -> bool:
    """Whether a number says how many there are of what the slot is about."""
    party = holds_party_size(slot, lang) and is_party(message, one.start, one.end, lang)
    return party or is_counted_by_slot(message, one, slot, lang)


def find_hours(message: str, slot: SlotBrief, view: View) -> list[ValueSpan]:
    """ "4 would be fine": a bare number is the hour where that is asked, if it counts nothing."""
    number = SlotBrief(name="hour", flow="", type="integer")
    counting = [one for one in view.active if one.kind.is_countable]
    before = view.lang.pattern("answer.before_hour")
    bare = [
        one
        for one in (find_values(message, number, view.env) if slot.kind.dimension == "time" else ())
        if before.search(message[: one.start])
        and not is_party(message, one.start, one.end, view.lang)
        and not any(is_counted_by_slot(message, one, other, view.lang) for other in counting)
    ]
    if len(bare) != 1:
        return []
    [one] = bare
    at_hour = view.lang.table("rewriting.phrases")["at_hour"].format(message[one.start :])
    told = find_values(f"{message[: one.start]}{at_hour}", slot, view.env)
    return [replace(one, value=at.value, said=at.said) for at in told]


def _find_phone_digits(message: str, slot: SlotBrief, lang: Language) -> list[ValueSpan]:
    """Digits that can only be the phone number that was asked, valid or not."""
    places = find_phone_spans(message, lang, asked=True) if slot.kind.dimension == "phone" else ()
    return [ValueSpan(*place, message[slice(*place)], message[slice(*place)]) for place in places]


def choose_value(
    message: str, values: list[ValueSpan], slot: SlotBrief, lang: Language
) -> ValueSpan:
    """Of several values the corrected one, or the one before the slot's own noun."""
    said = [one for one in values if not _is_refused(message, one, lang)]
    values = drop_denied_values(message, said or values, slot, lang)
    if lang.pattern("answer.repaired").search(message[values[0].end : values[-1].start]):
        return values[-1]
    return next((one for one in values if is_counted_by_slot(message, one, slot, lang)), values[0])


def _is_refused(message: str, one: ValueSpan, lang: Language) -> bool:
    """ "Not two, three": whether a value is named only to be left out."""
    return lang.pattern("choices.refusing_end").search(message[: one.start]) is not None


def is_counted_by_slot(message: str, one: ValueSpan, slot: SlotBrief, lang: Language) -> bool:
    """Whether the word after a number is what the slot is about: "3 nights"."""
    after = re.match(r"[\s-]*(\w+)", message[one.end :])
    return after is not None and is_counted_noun(after[1], slot, lang)


def strip_lead(message: str, language: str) -> str:
    """An answer in free words, without what only leads to it."""
    lang = find_language(language)
    bare = strip_closing(message, lang)
    lead = lang.pattern("lead.before").match(bare)
    end = lead.end() if lead else 0
    rest = bare[end:].strip()
    # What seems to lead to a name may be its beginning: "Call of Duty".
    title = lang.pattern("lead.title", cased=True).match(bare)
    if len(rest) < 2 or (end and title is not None and title.end() <= end):
        return bare
    return rest.strip(' "“”')


def strip_closing(message: str, lang: Language) -> str:
    """A message without what people put behind an answer: "please", "I think"."""
    return lang.pattern("lead.after").sub("", message.strip())


def needs_words(text: str, view: View) -> bool:
    """Whether a yes or no is no answer to what was asked.

    "Great" is one to "how was it?", and none to "who is it for?". To "which size?" neither is, and
    the type of the slot will say so.
    """
    slot = view.asked
    if slot is None or not slot.kind.is_short_text:
        return False
    asked, lang = view.prompt, view.lang
    if lang.pattern("answer.asks_who").search(asked):
        return True
    openly = asks_openly(asked, lang) and not lang.pattern("answer.asks_how").match(asked)
    no_code = text.split()[0] in lang.words("answer.no_code")
    return (openly or holds_code(slot, lang)) and no_code


def is_hesitation(text: str, view: View) -> bool:
    """ "Hm", "let me think": nothing yet. "Maybe", "no problem": neither yes nor no."""
    asked = view.asked
    if view.asks_yes_or_no and strip_reassurance(text, view) == "":
        return True
    if means(text, "pause", view.lang):
        return asked is None or not asked.kind.is_polar
    return asked is None and view.asks_yes_or_no and means(text, "skip", view.lang)
