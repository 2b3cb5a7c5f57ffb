"""What words are in English, for assistants whose author wrote in English."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from soni.du.local.lexical.stems import fold, stem_word
from soni.du.local.words.words import content
from soni.language import Language


def in_english(root: str, lang: Language) -> frozenset[str]:
    """The English words for a stem; none if it is not known."""
    return _load_translations(lang).get(root, frozenset())


@lru_cache(maxsize=16)
def _load_translations(lang: Language) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for word, meanings in lang.table("lexical.translations").items():
        root = stem_word(fold(word), lang)
        found[root] = found.get(root, frozenset()) | content(meanings, lang)
    return MappingProxyType(found)
