"""What names a thing instead of counting: "my card ending in 1234", "order 5567", "SK482"."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import (
    extract_words,
    is_slot_about,
    normalise,
    speak_name,
    stem_plural,
)
from soni.language import Language

_ADDRESS: Final = re.compile(r"\d{1,4}[A-Za-z]?(?:\s+[A-Z][a-z'-]+){1,4}(?:,.*)?")
# Where nobody asked for a code, "12B" is a house or a seat.
_HOUSE_NUMBER: Final = re.compile(r"\d+[A-Z]", re.IGNORECASE)
# A shorter one may be an amount or a day.
_MIN_CODE_LENGTH: Final = 8
# Who says so many words without a sign of a code says something else.
_MIN_SENTENCE_WORDS: Final = 3


def holds_code(slot: SlotBrief, lang: Language) -> bool:
    """Whether a slot is for a number or a code that names something."""
    if not slot.kind.is_short_text or is_slot_about(slot, "codes.slot_of_place", lang):
        return False
    token = lang.pattern("codes.token", cased=True)
    if slot.examples and all(token.fullmatch(example) for example in slot.examples):
        return True
    if lang.pattern("codes.slot_in_short", cased=True).search(speak_name(slot.name)):
        return True
    return is_slot_about(slot, "codes.slot", lang)


def holds_reference_number(slot: SlotBrief, lang: Language) -> bool:
    """Whether a whole number names something, and counts nothing: "invoice number"."""
    named = lang.pattern("codes.slot_of_number", cased=True).search(speak_name(slot.name))
    return slot.kind.dimension == "count" and named is not None


def find_address_slot(
    value: object, slots: Sequence[SlotBrief], lang: Language
) -> SlotBrief | None:
    """The one slot for an address, if a value is one: "8 Park Lane" is no serial number."""
    texts = [slot for slot in slots if slot.kind.is_short_text]
    homes = [slot for slot in texts if is_slot_about(slot, "codes.slot_of_place", lang)]
    return homes[0] if len(homes) == 1 and _ADDRESS.fullmatch(str(value)) else None


def find_codes(
    message: str, slots: Sequence[SlotBrief], lang: Language, *, named: bool = False
) -> dict[str, str]:
    """The code in a message, for the one slot that holds codes.

    It is told by the word before it, or by its own form (`named`: by that word alone).
    """
    coded = [slot for slot in slots if holds_code(slot, lang)]
    numbers = [slot for slot in slots if holds_reference_number(slot, lang)]
    if not coded and len(numbers) == 1:
        return _find_numbered_things(message, numbers[0], lang)
    if len(coded) != 1:
        return {}
    led = _find_led_codes(message, coded[0], "codes.leads", lang)
    found = [
        one
        for one in _iter_tokens(message, lang)
        if _is_mixed(one) and not _HOUSE_NUMBER.fullmatch(one)
    ]
    found = [one for one in found if any(code in one for code in led)] or led or found
    found = found if led or not named else []
    return {coded[0].name: found[0]} if len(found) == 1 else {}


def _find_numbered_things(message: str, slot: SlotBrief, lang: Language) -> dict[str, str]:
    """ "Invoice 20944": the number behind what it is the number of."""
    led = _find_led_codes(message, slot, "codes.leads_number", lang)
    return {slot.name: led[0]} if len(led) == 1 and led[0].isdecimal() else {}


def _find_led_codes(message: str, slot: SlotBrief, leads: str, lang: Language) -> list[str]:
    words = extract_words(speak_name(slot.name), lang) | lang.words(leads)
    led = lang.pattern("codes.led").finditer(message)
    return [one["code"] for one in led if stem_plural(normalise(one["before"]), lang) in words]


def find_code(message: str, slot: SlotBrief, lang: Language) -> str | None:
    """The one thing in a message that can be the code that was asked for: "it says 49006"."""
    if not holds_code(slot, lang):
        return None
    found = list(_iter_tokens(message, lang))
    mixed = [one for one in found if _is_mixed(one)]
    if len(mixed) == 1:
        return mixed[0]
    # Where more has digits, it may be in groups.
    digits = [word for word in message.split() if any(map(str.isdigit, word))]
    return found[0] if len(found) == len(digits) == 1 else None


def has_no_code(message: str, slot: SlotBrief, lang: Language) -> bool:
    """Whether a sentence cannot be the code that a slot is for: "haha, you're quick"."""
    some = len(normalise(message).split()) >= _MIN_SENTENCE_WORDS
    spelt = lang.pattern("codes.spelt").search(message)
    return some and holds_code(slot, lang) and spelt is None


def is_no_code(value: str, slot: SlotBrief, lang: Language) -> bool:
    """Whether words that somebody said cannot be the code that a slot holds: "no hot water"."""
    if slot.examples and all(any(map(str.isdigit, example)) for example in slot.examples):
        return holds_code(slot, lang) and lang.pattern("codes.spelt").search(value) is None
    return has_no_code(value, slot, lang)


def is_code(text: str, lang: Language) -> bool:
    """Whether a whole text is a code, in groups or not: "GB29 NWBK 6016 1331 9268 19"."""
    words = text.split()
    numbered = [word for word in words if any(sign.isdigit() for sign in word)]
    return (
        sum(map(len, numbered)) >= _MIN_CODE_LENGTH
        and len(numbered) * 2 > len(words)
        and not lang.pattern("codes.plain").search(text)
    )


def _iter_tokens(message: str, lang: Language) -> Iterator[str]:
    """What looks like a code, with the groups it is written in: "KX19 ABC"."""
    group_before = lang.pattern("codes.group_before", cased=True)
    group_behind = lang.pattern("codes.group_behind", cased=True)
    closed = 0
    for one in lang.pattern("codes.token", cased=True).finditer(message):
        if one.start() < closed or lang.pattern("codes.measure").fullmatch(one[0]):
            continue
        start, end = one.span()
        while (before := group_before.search(message, closed, start)) is not None:
            start = before.start()
        while (behind := group_behind.match(message, end)) is not None:
            end = behind.end()
        closed = end
        yield message[start:end]


def _is_mixed(code: str) -> bool:
    return any(map(str.isalpha, code)) and any(map(str.isdigit, code))
