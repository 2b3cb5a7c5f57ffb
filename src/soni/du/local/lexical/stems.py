"""Words as rules compare them: without accents, endings, and words that say nothing."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from soni.du.local.words.words import extract_words, normalise, strip_accents
from soni.language import Language

# Of shorter stems one begins like another by chance.
_ALIKE, _LONGER = 5, 4


def fold_text(text: str) -> str:
    """A text without case, signs and accents: people leave them out."""
    return strip_accents(normalise(text))


def stem_word(word: str, lang: Language) -> str:
    """A folded word without the endings of its verb or noun."""
    for pattern, replacement in lang.rules("lexical.stem"):
        shorter = pattern.sub(replacement, word)
        word = shorter if len(shorter) > 1 else word
    return word


def stem_text(text: str, lang: Language) -> frozenset[str]:
    """The words of a text that say something, each by its stem."""
    stop = lang.words("lexical.stop")
    words = (word for word in fold_text(text).split() if word not in stop)
    return frozenset(
        stem_word(word, lang) for word in words if len(word) > 1 and not word[0].isdigit()
    )


def is_same_stem(one: str, other: str) -> bool:
    """Whether two stems are of one word: the same, or one a little longer."""
    return one == other or one in iter_shorter_stems(other) or other in iter_shorter_stems(one)


def iter_shorter_stems(word: str) -> Iterator[str]:
    """The shorter stems that may be of the same word."""
    return (word[:end] for end in range(max(_ALIKE, len(word) - _LONGER), len(word)))


def read_agreement(message: str, lang: Language) -> bool | None:
    """True for a yes, False for a no, None for anything else."""
    said = fold_text(message)
    if lang.pattern("lexical_assent.no").fullmatch(said):
        return False
    return True if lang.pattern("lexical_assent.yes").fullmatch(said) else None


def translate_stem(root: str, lang: Language) -> frozenset[str]:
    """The English words for a stem; none if it is not known."""
    return _load_translations(lang).get(root, frozenset())


@lru_cache(maxsize=16)
def _load_translations(lang: Language) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for word, meanings in lang.table("lexical.translations").items():
        root = stem_word(fold_text(word), lang)
        found[root] = found.get(root, frozenset()) | extract_words(meanings, lang)
    return MappingProxyType(found)
