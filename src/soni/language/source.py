"""A language's file as its author writes it: read, checked, and compiled for quick loading."""

import unicodedata
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any, Final

from soni.language.language import NAME, RESPONSES, Entry, Sections

HEAD: Final = "language"
"""The section that says what the language is; it has no words."""

_CALENDAR: Final = "calendar"
# Shorter abbreviations are often words: German "so" is an abbreviation of Sunday.
_SHORTEST_NAME: Final = 3


def read_sections(source: Traversable) -> Sections:
    """The sections of a language's YAML file, with the names of days and months."""
    # Only the compiled form is read at run time, so most processes never need the YAML library.
    from ruamel.yaml import YAML

    loaded: dict[str, Any] = YAML(typ="safe").load(source.read_text(encoding="utf-8"))
    named = name_calendar(source.name.removesuffix(".yaml"))
    return loaded | {_CALENDAR: {**named, **loaded.get(_CALENDAR, {})}}


def find_missing(own: Sections, english: Sections) -> Iterator[str]:
    """The names that English has and a language lacks.

    Patterns that English composes of names are not among them, since a language gives those names.
    """
    for section, entries in english.items():
        for name, entry in entries.items() if section != HEAD else ():
            if name not in own.get(section, {}) and (
                section == RESPONSES or not is_composed(entry)
            ):
                yield f"{section}.{name}"


def is_composed(entry: Entry) -> bool:
    """Whether a pattern is made of other names."""
    alternatives = [entry] if isinstance(entry, str) else list(entry)
    return any(NAME.search(str(alternative)) for alternative in alternatives)


def name_calendar(code: str) -> dict[str, dict[str, int]]:
    """The days and months of a language by their names, as Babel has them."""
    from babel import Locale, UnknownLocaleError

    try:
        locale = Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        return {}
    return {
        "weekdays": _lower_names(locale.days, "wide"),
        "weekdays_short": _lower_names(locale.days, "abbreviated"),
        "months": _lower_names(locale.months, "wide"),
        "months_short": _lower_names(locale.months, "abbreviated"),
    }


def _lower_names(known: Mapping[str, Any], width: str) -> dict[str, int]:
    names: dict[str, int] = {}
    for context in ("format", "stand-alone"):
        for number, written in known[context][width].items():
            name = written.lower().rstrip(".")
            if len(name) >= _SHORTEST_NAME:
                names |= {name: number, _remove_accents(name): number}
    return names


def _remove_accents(name: str) -> str:
    apart = unicodedata.normalize("NFD", name)
    return "".join(sign for sign in apart if not unicodedata.combining(sign))
