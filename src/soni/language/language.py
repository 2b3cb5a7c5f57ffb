"""A language: its words by name, and the patterns that are composed of them."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

Entry = str | list[str] | dict[str, Any]
"""A pattern, a class of words, or a table of words with what each stands for."""

Sections = Mapping[str, Mapping[str, Entry]]

Rule = tuple[re.Pattern[str], str]
"""A pattern, and what takes its place."""

RESPONSES: Final = "responses"
"""The section of the sentences that Soni says: texts, no patterns."""

ONLY: Final = "only"
"""An entry `{only: ...}` replaces the English one instead of adding to it."""

# Quantifiers such as {0,3} begin with a digit, so they are never taken for a name.
NAME: Final = re.compile(r"\{([a-z_]\w*(?:\.[a-z_]\w*)?)\}")
"""A name in a pattern, to be replaced by its alternatives."""
_NEVER: Final = "(?!)"

_SPACES: Final = re.compile(r"(?P<class>\[\^?\]?(?:\\.|[^\]\\])*\])|\\s(?P<many>[*+])(?![?+])|\\.")
"""White space that repeats, beside what only looks like it: a class of signs, an escaped sign."""
# From each place of a run the rest of it could be read: the time would grow with its square.
_RUN: Final = r"\s(?<!\s\s)\s*+"


class Language:
    """The words of one language, asked for by name: `section.name`, as they stand in its file.

    Example:
        >>> find_language("en").pattern("cues.change").search("fix the date")

    Immutable apart from caches, and safe to use from many threads.
    """

    def __init__(self, code: str, sections: Sections, base: "Language | None" = None) -> None:
        """`base`: the language whose words are understood as well, which is English."""
        self.code: Final = code
        self.sections: Final = sections
        self._base = base
        self._expressions: dict[str, str] = {}
        self._patterns: dict[tuple[str, bool], re.Pattern[str]] = {}
        self._alternatives: dict[str, tuple[re.Pattern[str], ...]] = {}
        self._words: dict[str, frozenset[str]] = {}
        self._rules: dict[str, tuple[Rule, ...]] = {}
        self._tables: dict[str, Mapping[str, Any]] = {}

    @property
    def has_models(self) -> bool:
        """Whether the sentence models that come with Soni know the language."""
        return bool(self.sections["language"].get("models"))

    def words(self, name: str) -> frozenset[str]:
        """A class of words, as they stand in the file; `{name}` by itself is another class."""
        if name not in self._words:
            section = name.partition(".")[0]
            found = set[str]()
            for word in _iter_alternatives(self._find_entries(name)):
                inserted = NAME.fullmatch(word)
                found |= self.words(_full_name(inserted[1], section)) if inserted else {word}
            self._words[name] = frozenset(found)
        return self._words[name]

    def table(self, name: str) -> Mapping[str, Any]:
        """What each word of a table stands for. The language's own words win over English."""
        if name not in self._tables:
            joined: dict[str, Any] = {}
            for entry in reversed(self._find_entries(name)):
                if not isinstance(entry, dict):
                    raise TypeError(f"{name!r} of language {self.code!r} is no table")
                joined |= entry
            self._tables[name] = MappingProxyType(joined)
        return self._tables[name]

    def rules(self, name: str) -> tuple[Rule, ...]:
        """The rules of a table of patterns and their replacements, in order."""
        if name not in self._rules:
            section = name.partition(".")[0]
            self._rules[name] = tuple(
                (re.compile(self.compose(pattern, section)), replacement)
                for pattern, replacement in self.table(name).items()
            )
        return self._rules[name]

    def expression(self, name: str) -> str:
        """The regular expression of a class, table or pattern, as a group without a name."""
        if name not in self._expressions:
            section = name.partition(".")[0]
            found = list(dict.fromkeys(_iter_alternatives(self._find_entries(name))))
            parts = [self.compose(part, section) for part in found]
            self._expressions[name] = f"(?:{'|'.join(parts)})" if parts else _NEVER
        return self._expressions[name]

    def pattern(self, name: str, *, cased: bool = False) -> re.Pattern[str]:
        """The compiled pattern of that name; `cased`: capital letters count."""
        key = name, cased
        if key not in self._patterns:
            flags = re.NOFLAG if cased else re.IGNORECASE
            self._patterns[key] = re.compile(self.expression(name), flags)
        return self._patterns[key]

    def patterns(self, name: str) -> tuple[re.Pattern[str], ...]:
        """Each alternative as a pattern of its own, those of English first.

        So all of them may have groups of the same names.
        """
        if name not in self._alternatives:
            section = name.partition(".")[0]
            parts = dict.fromkeys(_iter_alternatives(reversed(self._find_entries(name))))
            self._alternatives[name] = tuple(
                re.compile(self.compose(part, section), re.IGNORECASE) for part in parts
            )
        return self._alternatives[name]

    def compose(self, text: str, section: str) -> str:
        """A text of a section with the alternatives of each `{name}` in its place.

        `\\s+` and `\\s*` read a run of white space from its beginning and as a whole.
        """

        def expand(match: re.Match[str]) -> str:
            return self.expression(_full_name(match[1], section))

        return NAME.sub(expand, _SPACES.sub(_read_run, text))

    def _find_entries(self, name: str) -> list[Entry]:
        """The entry in this language and in English, the language's own first."""
        section, _, key = name.partition(".")
        own = self.sections.get(section, {}).get(key)
        if isinstance(own, dict) and own.keys() == {ONLY}:
            return [own[ONLY]]
        if self._base is None:
            if own is None:
                known = ", ".join(sorted(self.sections.get(section, ())))
                raise KeyError(
                    f"no words are named {name!r}; {section!r} has: {known or 'nothing'}"
                )
            return [own]
        if own is not None and key not in self._base.sections.get(section, ()):
            # A class used only by the language's own patterns.
            return [own]
        inherited = self._base._find_entries(name)
        return inherited if own is None else [own, *inherited]


def _read_run(found: re.Match[str]) -> str:
    if found["many"] is None:
        return found[0]
    return f"(?:{_RUN})" if found["many"] == "+" else f"(?:{_RUN})?"


def _full_name(name: str, section: str) -> str:
    return name if "." in name else f"{section}.{name}"


def _iter_alternatives(entries: Iterable[Entry]) -> Iterable[str]:
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        else:
            yield from entry
