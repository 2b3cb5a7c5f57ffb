"""Words as rules compare them: without accents, endings, and words that say nothing."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from soni.du.local.words.words import content, normal, strip_accents
from soni.language import Language

# Of shorter stems one begins like another by chance.
_ALIKE, _LONGER = 5, 4


def fold(text: str) -> str:
    """A text without case, signs and accents: people leave them out."""
    return strip_accents(normal(text))


def stem_word(word: str, lang: Language) -> str:
    """A folded word without the endings of its verb or noun."""
    for pattern, replacement in lang.rules("lexical.stem"):
        shorter = pattern.sub(replacement, word)
        word = shorter if len(shorter) > 1 else word
    return word


def stems(text: str, lang: Language) -> frozenset[str]:
    """The words of a text that say something, each by its stem."""
    stop = lang.words("lexical.stop")
    words = (word for word in fold(text).split() if word not in stop)
    return frozenset(
        stem_word(word, lang) for word in words if len(word) > 1 and not word[0].isdigit()
    )


def alike(one: str, other: str) -> bool:
    """Whether two stems are of one word: the same, or one a little longer."""
    return one == other or one in beginnings(other) or other in beginnings(one)


def beginnings(word: str) -> Iterator[str]:
    """The shorter stems that may be of the same word."""
    return (word[:end] for end in range(max(_ALIKE, len(word) - _LONGER), len(word)))


def agrees(message: str, lang: Language) -> bool | None:
    """True for a yes, False for a no, None for anything else."""
    said = fold(message)
    if lang.pattern("lexical_assent.no").fullmatch(said):
        return False
    return True if lang.pattern("lexical_assent.yes").fullmatch(said) else None


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
