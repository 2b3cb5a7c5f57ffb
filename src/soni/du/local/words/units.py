"""Which slot a measure is for: "8 gb" where gigabytes are asked, "12 kilos" where a weight is."""

import re
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import normal, spoken

# One unit each, as it is written in full and in short.
_SAME: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"gb|gbs|gigs?|gigas?|gigabytes?",
        r"mb|mbs|megas?|megabytes?",
        r"tb|tbs|teras?|terabytes?",
        r"kg|kgs|kilos?|kilogram(?:me)?s?|kilogramos?",
        r"g|gr|grs|grams?|grammes?|gramos?",
        r"lb|lbs|pounds?|libras?",
        r"km|kms|k[ií]l[oó]met(?:re|er|ro)s?|mileage|kilometraje",
        r"mi|miles?|millas?|mileage",
        r"m|mts?|met(?:re|er|ro)s?",
        r"cm|cms|cent[ií]met(?:re|er|ro)s?",
        r"ft|foot|feet|pies?",
        r"m2|m²|sqm|(?:square|sq) m(?:et(?:re|er)s?)?|acres?|hect[aá]re?as?|"
        r"(?:square|sq) (?:ft|feet|foot|yards?)|metros? cuadrados?",
        r"l|lt|lts|lit(?:re|er|ro)s?",
        r"kwh|kilowatt\w*|kilovatios?",
        r"percent|percentage|porcentaje|ciento",
        r"yrs?|years?|años?|age|edad",
        r"months?|mes|meses",
        r"weeks?|wks?|semanas?",
        r"days?|d[ií]as?",
        r"nights?|noches?",
        r"hrs?|h|hours?|horas?",
        r"mins?|minutes?|minutos?",
    )
)
# What is measured, where a slot does not say in what.
_KINDS: Final = (
    (re.compile(r"weigh\w*|peso|heavy"), _SAME[3:6]),
    (re.compile(r"distance|distancia|odometer|recorrido"), _SAME[6:8]),
    (re.compile(r"height|altura|size|estatura|length|width|largo|ancho"), _SAME[8:11]),
    (re.compile(r"area|surface|superficie"), _SAME[11:12]),
    (re.compile(r"data|datos|storage"), _SAME[:3]),
)
_UNIT: Final = re.compile("|".join(f"(?:{one.pattern})" for one in _SAME))
_FOR_EACH: Final = re.compile(r"\b(?:an?|per|each|every) (?:day|week|month|year|night|hour)\b")
_NOUN: Final = re.compile(
    r"[\s-]*(?:(?:more|separate|different|whole|full|of|the|other|de|más|otr[oa]s)\s+)*"
    r"(?P<noun>(?:(?:square|sq|cubic)\.?\s+|metros?\s+(?=c))?[^\W\d_]+[²2]?)"
)


def noun_behind(message: str, end: int) -> str:
    """The word that a number which ends there counts; nothing where none follows."""
    found = _NOUN.match(message, end)
    return found["noun"].casefold() if found else ""


def is_unit(noun: str) -> bool:
    """Whether a word says what something is measured in."""
    return _UNIT.fullmatch(noun) is not None


def _told(slot: SlotBrief) -> list[str]:
    """The words for a slot. "Tablets a day" are not measured in days."""
    return _FOR_EACH.sub("", f"{spoken(slot.name)} {normal(slot.description)}").split()


def measured(slot: SlotBrief) -> bool:
    """Whether a slot says what it is measured in."""
    words = _told(slot)
    return any(_UNIT.fullmatch(word) for word in words)


def is_unit_of(noun: str, slot: SlotBrief) -> bool:
    """Whether a slot is measured in a unit, however both write it."""
    units = [one for one in _SAME if one.fullmatch(noun)]
    words = _told(slot)
    if any(one.fullmatch(word) for one in units for word in words):
        return True
    own = [one for one in _SAME if any(one.fullmatch(word) for word in words)]
    kinds = [some for kind, some in _KINDS if any(kind.fullmatch(word) for word in words)]
    return not own and any(one in some for some in kinds for one in units)
