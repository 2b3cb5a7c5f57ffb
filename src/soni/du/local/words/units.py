"""Which slot a measure is for: "8 gb" where gigabytes are asked, "12 kilos" where a weight is."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import describe_slot
from soni.language import Language

_UNITS: Final = (
    *("gigabyte", "megabyte", "terabyte", "kilogram", "gram", "pound", "kilometre", "mile"),
    *("metre", "centimetre", "foot", "area", "litre", "kilowatt_hour", "percent", "year"),
    *("month", "week", "day", "night", "hour", "minute"),
)
_MEASURED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "of_weight": ("kilogram", "gram", "pound"),
    "of_distance": ("kilometre", "mile"),
    "of_length": ("metre", "centimetre", "foot"),
    "of_area": ("area",),
    "of_data": ("gigabyte", "megabyte", "terabyte"),
})  # fmt: skip
"""What something may be measured in, where its slot only says what is measured."""


def find_counted_noun(message: str, end: int, lang: Language) -> str:
    """The word that a number which ends there counts; nothing where none follows."""
    found = lang.pattern("measures.noun", cased=True).match(message, end)
    return found["noun"].casefold() if found else ""


def is_unit(noun: str, lang: Language) -> bool:
    """Whether a word says what something is measured in."""
    return _is_measure("unit", noun, lang)


def has_unit(slot: SlotBrief, lang: Language) -> bool:
    """Whether a slot says what it is measured in."""
    return any(is_unit(word, lang) for word in _list_slot_words(slot, lang))


def is_unit_of(noun: str, slot: SlotBrief, lang: Language) -> bool:
    """Whether a slot is measured in a unit, however both write it."""
    units = [one for one in _UNITS if _is_measure(one, noun, lang)]
    words = _list_slot_words(slot, lang)
    if any(_is_measure(one, word, lang) for one in units for word in words):
        return True
    if not units or has_unit(slot, lang):
        return False
    kinds = [
        some
        for kind, some in _MEASURED.items()
        if any(_is_measure(kind, word, lang) for word in words)
    ]
    return any(one in some for some in kinds for one in units)


def _is_measure(measure: str, word: str, lang: Language) -> bool:
    return lang.pattern(f"measures.{measure}").fullmatch(word) is not None


def _list_slot_words(slot: SlotBrief, lang: Language) -> list[str]:
    return lang.pattern("measures.for_each").sub("", describe_slot(slot)).split()
