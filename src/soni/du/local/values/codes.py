"""What names a thing instead of counting: "my card ending in 1234", "order 5567", "SK482"."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import content, normal, spoken, stem
from soni.language import Language

_CODED: Final = re.compile(
    r"\b(?:digits?|number|code|reference|id|identifier|iban|registration|licen[cs]e plate|cifras?|"
    r"número|código|referencia|matrícula)\b"
)
_NUMBER: Final = re.compile(r"\w (?:number|no|nr|code|reference|ref|id)$|^n[uú]mero de \w")
_SHORTLY: Final = re.compile(r"\b(?:no|nr|ref|id|plate)\b")
# "Street and number" is where somebody lives.
_PLACE: Final = re.compile(
    r"\b(?:address|street|house|home|post ?code|zip|direcci[óo]n|calle|domicilio)\b"
)
_AT: Final = re.compile(r"\d{1,4}[A-Za-z]?(?:\s+[A-Z][a-z'-]+){1,4}(?:,.*)?")
_CODE: Final = re.compile(
    r"(?<![^\W\d_])(?P<before>[^\W\d_]++)(?:['\u2019]s)?\s*(?:(?:in|with|on|is|en|con|es)\s+)?[#:]?\s*"
    r"(?P<code>(?=[\w-]{0,40}\d{3})[A-Z0-9][A-Z0-9-]{2,40})\b",
    re.IGNORECASE,
)
# Not a day, a time, an amount or an address.
_TOKEN: Final = re.compile(
    r"(?<![\w@./:$€£-])(?=[A-Z\d-]*\d{3}|[A-Z-]*\d[A-Z\d-]*[A-Z]|[A-Z]+-?\d{2}|"
    r"[a-z\d-]*\d[a-z-]+\d|[a-z]+-?\d{3})(?:[A-Z\d][A-Z\d-]{2,}|[a-z\d][a-z\d-]{3,})"
    r"(?![\w@/:-]|[.,]\d|\s?(?:[$€£%]|euros?|dollars?|pounds?|bucks|am|pm)\b)"
)
_MEASURE: Final = re.compile(
    r"\d+(?:st|nd|rd|th|am|pm|[kgmlhdxsw]|[kmc]?m|[kmgt]b|kg|kwh?|mg|ml|lbs?|oz|hrs?|mins?|yrs?|"
    r"ft|eur|usd|gbp)",
    re.IGNORECASE,
)
# Where nobody asked for a code, "12B" is a house or a seat.
_HOUSE: Final = re.compile(r"\d+[A-Z]", re.IGNORECASE)
_BEFORE: Final = re.compile(
    r"(?<!\S)(?!(?:ID|NO|NR|REF|PIN|IS|MY|THE)\b)(?:[A-Z\d]{2,5}|[B-HJ-Z])\s(?=$)"
)
_BEHIND: Final = re.compile(
    r"\s(?!(?:OK|PLS|AND|ON|FOR|THX)\b)(?:[A-Z]{2,4}|(?=[A-Z\d]*\d{3}|\d?[A-Z\d]*$)[A-Z\d]{1,5})(?![\w'/:])"
)
# A shorter one may be an amount or a day.
_LONG: Final = 8
_PLAIN: Final = re.compile(
    r"[^\w\s.#/-]|\b(?:is|the|my|it|to|for|on|at|and|es|el|la|mi|y)\b", re.IGNORECASE
)
_LEADS: Final = frozenset({
    *("ending", "end", "number", "no", "code", "reference", "ref", "id", "digit"),
    *("termina", "acaba", "terminada", "número", "código", "referencia"),
})  # fmt: skip
# Who says so many words without a sign of a code says something else.
_WORDS: Final = 3
_SPELT: Final = re.compile(
    r"\d|\b(?-i:[A-Z]{2,}|[A-Z](?= [A-Z]\b))\b|"
    r"\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|double|triple|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)\b",
    re.IGNORECASE,
)


def holds_code(slot: SlotBrief) -> bool:
    """Whether a slot is for a number or a code that names something."""
    if slot.type != "string" or _is_place(slot):
        return False
    name, about = spoken(slot.name), normal(slot.description)
    if slot.examples and all(_TOKEN.fullmatch(example) for example in slot.examples):
        return True
    return _SHORTLY.search(name) is not None or _CODED.search(f"{name} {about}") is not None


def is_number_of(slot: SlotBrief) -> bool:
    """Whether a whole number names something, and counts nothing: "invoice number"."""
    return slot.type == "integer" and _NUMBER.search(spoken(slot.name)) is not None


def where_it_belongs(value: object, slots: Sequence[SlotBrief]) -> SlotBrief | None:
    """The one slot for an address, if a value is one: "8 Park Lane" is no serial number."""
    homes = [slot for slot in slots if slot.type == "string" and _is_place(slot)]
    return homes[0] if len(homes) == 1 and _AT.fullmatch(str(value)) else None


def codes(
    message: str, slots: Sequence[SlotBrief], lang: Language, *, named: bool = False
) -> dict[str, str]:
    """The code in a message, for the one slot that holds codes.

    It is told by the word before it, or by its own form (`named`: by that word alone).
    """
    coded = [slot for slot in slots if holds_code(slot)]
    numbers = [slot for slot in slots if is_number_of(slot)]
    if not coded and len(numbers) == 1:
        return _numbered(message, numbers[0], lang)
    if len(coded) != 1:
        return {}
    words = content(spoken(coded[0].name), lang) | _LEADS
    led = [m["code"] for m in _CODE.finditer(message) if stem(normal(m["before"]), lang) in words]
    found = [one for one in _tokens(message) if _is_mixed(one) and not _HOUSE.fullmatch(one)]
    found = [one for one in found if any(code in one for code in led)] or led or found
    found = found if led or not named else []
    return {coded[0].name: found[0]} if len(found) == 1 else {}


def _numbered(message: str, slot: SlotBrief, lang: Language) -> dict[str, str]:
    """ "Invoice 20944": the number behind what it is the number of."""
    words = content(spoken(slot.name), lang) | {"number", "no"}
    led = [m["code"] for m in _CODE.finditer(message) if stem(normal(m["before"]), lang) in words]
    return {slot.name: led[0]} if len(led) == 1 and led[0].isdecimal() else {}


def coded(message: str, slot: SlotBrief) -> str | None:
    """The one thing in a message that can be the code that was asked for: "it says 49006"."""
    if not holds_code(slot):
        return None
    found = list(_tokens(message))
    mixed = [one for one in found if _is_mixed(one)]
    if len(mixed) == 1:
        return mixed[0]
    # Where more has digits, it may be in groups.
    digits = [word for word in message.split() if any(map(str.isdigit, word))]
    return found[0] if len(found) == len(digits) == 1 else None


def tells_no_code(message: str, slot: SlotBrief) -> bool:
    """Whether a sentence cannot be the code that a slot is for: "haha, you're quick"."""
    some = len(normal(message).split()) >= _WORDS
    return some and holds_code(slot) and _SPELT.search(message) is None


def is_no_code(value: str, slot: SlotBrief) -> bool:
    """Whether words that somebody said cannot be the code that a slot holds: "no hot water"."""
    if slot.examples and all(any(map(str.isdigit, example)) for example in slot.examples):
        return holds_code(slot) and _SPELT.search(value) is None
    return tells_no_code(value, slot)


def is_code(text: str) -> bool:
    """Whether a whole text is a code, in groups or not: "GB29 NWBK 6016 1331 9268 19"."""
    words = text.split()
    numbered = [word for word in words if any(sign.isdigit() for sign in word)]
    return (
        sum(map(len, numbered)) >= _LONG
        and len(numbered) * 2 > len(words)
        and not _PLAIN.search(text)
    )


def _tokens(message: str) -> Iterator[str]:
    """What looks like a code, with the groups it is written in: "KX19 ABC"."""
    closed = 0
    for one in _TOKEN.finditer(message):
        if one.start() < closed or _MEASURE.fullmatch(one[0]):
            continue
        start, end = one.span()
        while (before := _BEFORE.search(message, closed, start)) is not None:
            start = before.start()
        while (behind := _BEHIND.match(message, end)) is not None:
            end = behind.end()
        closed = end
        yield message[start:end]


def _is_mixed(code: str) -> bool:
    return any(map(str.isalpha, code)) and any(map(str.isdigit, code))


def _is_place(slot: SlotBrief) -> bool:
    return _PLACE.search(f"{spoken(slot.name)} {normal(slot.description)}") is not None
