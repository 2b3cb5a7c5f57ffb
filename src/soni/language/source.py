"""A language's file as its author writes it: read, checked, and compiled for quick loading."""

from collections.abc import Iterator
from importlib.resources.abc import Traversable

from soni.language.language import Sections


def read_sections(source: Traversable) -> Sections:
    """The sections of a language's YAML file."""
    # Only the compiled form is read at run time, so most processes never need the YAML library.
    from ruamel.yaml import YAML

    loaded: Sections = YAML(typ="safe").load(source.read_text(encoding="utf-8"))
    return loaded


def find_missing(own: Sections, english: Sections) -> Iterator[str]:
    """The names that English has and a language lacks."""
    for section, entries in english.items():
        for name in entries:
            if name not in own.get(section, {}):
                yield f"{section}.{name}"
