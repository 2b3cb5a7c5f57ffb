"""The available languages: files of this folder, and those of plugins."""

import json
import re
from functools import lru_cache
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from soni.language.language import Language, Sections

_ENGLISH: Final = "en"
GROUP: Final = "soni.languages"
"""Entry points `de = "package"`: the package holds `de.yaml`."""


def find_language(code: str) -> Language:
    """The language of a code such as `es` or `es-MX`.

    A language without a file is read with the words of English, and has no models.
    """
    return _load_language(get_base_language(code))


def has_language(code: str) -> bool:
    """Whether the words of a language are known."""
    return get_base_language(code) in list_language_codes()


def get_base_language(code: str) -> str:
    """The language without its region: `es` of `es-MX`."""
    return re.split("[-_]", code)[0].lower()


@lru_cache(maxsize=1)
def list_language_codes() -> frozenset[str]:
    """The codes of all languages that there are words of."""
    names = [path.name for path in _get_folder().iterdir()]
    own = (name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))
    return frozenset({*own, *(point.name for point in entry_points(group=GROUP))})


@lru_cache(maxsize=64)
def _load_language(code: str) -> Language:
    base = None if code == _ENGLISH else _load_language(_ENGLISH)
    return Language(code, _load_sections(code), base)


def _load_sections(code: str) -> Sections:
    if code not in list_language_codes():
        return {"language": {}}
    folder = _find_folder(code)
    compiled = folder.joinpath(f"{code}.json")
    if compiled.is_file():
        sections: Sections = json.loads(compiled.read_text(encoding="utf-8"))
        return sections
    from soni.language.source import read_sections

    return read_sections(folder.joinpath(f"{code}.yaml"))


def _find_folder(code: str) -> Traversable:
    """The folder of a language's file: this one, or the package of a plugin."""
    if _get_folder().joinpath(f"{code}.yaml").is_file():
        return _get_folder()
    point = next(iter(entry_points(group=GROUP, name=code)))
    return files(point.value)


def _get_folder() -> Traversable:
    return files(__package__)
