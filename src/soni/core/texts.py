"""Texts an author writes: one sentence, variations of it, or either per language."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from types import MappingProxyType
from typing import Annotated, Final, TypeAlias

from pydantic import Field

from soni.language import find_language, get_base_language, list_language_codes
from soni.language.language import RESPONSES

Variations: TypeAlias = str | Annotated[list[str], Field(min_length=1)]
Text: TypeAlias = Variations | Annotated[dict[str, Variations], Field(min_length=1)]

DEFAULT_LANGUAGE = "en"


def choose_sentence(text: Text, language: str, seed: str) -> str:
    """The one sentence to say: the language's, and of its variations the one `seed` picks."""
    if isinstance(text, str):
        return text
    sentences = list_variations(text, language)
    if len(sentences) == 1:
        return sentences[0]
    digest = blake2b(seed.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return sentences[int.from_bytes(digest, "big") % len(sentences)]


def list_variations(text: Text, language: str) -> list[str]:
    """All that can be said in a language.

    A language the author did not write falls back to English, then to the first one given.
    """
    if isinstance(text, dict):
        wanted = (language, get_base_language(language), DEFAULT_LANGUAGE)
        text = next((text[name] for name in wanted if name in text), next(iter(text.values())))
    return [text] if isinstance(text, str) else text


def iter_sentences(text: Text) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every sentence of a text, with the path to it."""
    if isinstance(text, str):
        yield (), text
    elif isinstance(text, list):
        for index, sentence in enumerate(text):
            yield (index,), sentence
    else:
        for language, variations in text.items():
            for path, sentence in iter_sentences(variations):
                yield (language, *path), sentence


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
