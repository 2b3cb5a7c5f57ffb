"""Texts an author writes: one sentence, variations of it, or either per language."""

from collections.abc import Iterator
from hashlib import blake2b
from typing import TypeAlias

Variations: TypeAlias = str | list[str]
Text: TypeAlias = Variations | dict[str, Variations]

DEFAULT_LANGUAGE = "en"


def choose(text: Text, language: str, seed: str) -> str:
    """The one sentence to say: the language's, and of its variations the one `seed` picks.

    A language the author did not write falls back to English, then to the first one given.
    """
    if isinstance(text, dict):
        base = language.split("-")[0]
        text = next(
            (text[name] for name in (language, base, DEFAULT_LANGUAGE) if name in text),
            next(iter(text.values())),
        )
    if isinstance(text, str):
        return text
    digest = blake2b(seed.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return text[int.from_bytes(digest, "big") % len(text)]


def sentences(text: Text) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every sentence of a text, with the path to it."""
    if isinstance(text, str):
        yield (), text
    elif isinstance(text, list):
        for index, sentence in enumerate(text):
            yield (index,), sentence
    else:
        for language, variations in text.items():
            for path, sentence in sentences(variations):
                yield (language, *path), sentence
