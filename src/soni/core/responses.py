"""Every sentence Soni says by itself. Authors override them by name."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from soni.core.texts import Text
from soni.language import find_language, list_language_codes
from soni.language.language import RESPONSES

OPTIONAL_RESPONSES: Final = ("welcome",)
"""Said only where an author defines them."""


@lru_cache(maxsize=1)
def built_in_responses() -> Mapping[str, Text]:
    """The sentences by name and language, as the languages' files have them."""
    found: dict[str, dict[str, str | list[str]]] = {}
    for code in sorted(list_language_codes()):
        for name, text in find_language(code).sections.get(RESPONSES, {}).items():
            found.setdefault(name, {})[code] = str(text)
    return MappingProxyType(found)
