"""The words of languages: one data file each, `en.yaml`, `es.yaml`, compiled once when needed.

The file's name is the language's code. English is complete: every name that the code asks for
stands there. Any other language adds its own words to those of English, because people mix them.
"""

from soni.language.language import Language
from soni.language.registry import (
    find_language,
    get_base_language,
    has_language,
    list_language_codes,
)

__all__ = ["Language", "find_language", "get_base_language", "has_language", "list_language_codes"]
