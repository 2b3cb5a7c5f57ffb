"""Texts with ``{name}`` placeholders: substituted in one pass, never evaluated."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from soni.core.errors import NotationError
from soni.core.paths import NAME_PATTERN, is_private

MAX_TEXT: Final = 20_000

Resolver = Callable[[tuple[str, ...], str | None], str]
"""Returns the text to show for a path and a filter (or None)."""

_BRACES: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_PLACEHOLDER: Final = re.compile(
    rf"\s*({NAME_PATTERN}(?:\.(?:{NAME_PATTERN}|[0-9]{{1,9}}))*)\s*(?:\|\s*({NAME_PATTERN})\s*)?"
)


class TemplateError(NotationError):
    """A text whose braces cannot be read."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One ``{path | filter}`` and where it stands."""

    path: tuple[str, ...]
    filter: str | None
    offset: int


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed text, to render with different values."""

    text: str
    parts: tuple[str | Placeholder, ...]

    @property
    def placeholders(self) -> tuple[Placeholder, ...]:
        return tuple(part for part in self.parts if isinstance(part, Placeholder))

    @property
    def names(self) -> frozenset[str]:
        """The root names the text reads: ``flight`` for ``{flight.price}``."""
        return frozenset(placeholder.path[0] for placeholder in self.placeholders)

    @property
    def filters(self) -> tuple[str, ...]:
        """The filters the text uses, each once, in order."""
        used = (placeholder.filter for placeholder in self.placeholders)
        return tuple(dict.fromkeys(name for name in used if name is not None))

    def render(self, resolve: Resolver) -> str:
        """The text with every placeholder replaced; values are never parsed as templates."""
        return "".join(
            resolve(part.path, part.filter) if isinstance(part, Placeholder) else part
            for part in self.parts
        )


@lru_cache(maxsize=2048)
def parse_template(text: str) -> Template:
    """Read a text, or raise TemplateError with the place and what to write instead."""
    if len(text) > MAX_TEXT:
        raise TemplateError(
            f"the text has {len(text):,} characters and may have {MAX_TEXT:,}",
            offset=MAX_TEXT,
            remedy="split it into several messages",
        )
    parts: list[str | Placeholder] = []
    end = 0
    for brace in _BRACES.finditer(text):
        parts += [text[end : brace.start()], _parse_placeholder(brace)]
        end = brace.end()
    parts.append(text[end:])
    return Template(str(text), tuple(part for part in parts if part))


def _parse_placeholder(brace: re.Match[str]) -> str | Placeholder:
    found, offset = brace.group(), brace.start()
    if found in ("{{", "}}"):
        return found[0]
    if brace.group(1) is None:
        raise TemplateError(
            f"a lone `{found}`", offset=offset, remedy=f"write {found * 2} for a literal brace"
        )
    inside = _PLACEHOLDER.fullmatch(brace.group(1))
    if inside is None:
        raise TemplateError(
            "the braces do not hold a name",
            offset=offset,
            remedy="write {name}, {flight.price} or {price | money}; write {{ for a literal brace",
        )
    path = tuple(inside.group(1).split("."))
    if any(is_private(part) for part in path):
        raise TemplateError(
            "names that begin with `_` are private",
            offset=offset,
            remedy="of these only _error, _error_type and _error_message can be shown",
        )
    return Placeholder(path, inside.group(2), offset)
