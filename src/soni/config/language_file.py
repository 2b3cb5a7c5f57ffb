"""A language's file: what is wrong in it, and what it lacks against English."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from soni.config.data_builder import DataBuilder
from soni.config.files import read_source
from soni.config.pattern_growth import SlowText, find_slow_text, looks_back
from soni.config.positions import Mark
from soni.config.yaml import MappingNode, ScalarNode, SequenceNode, YamlNode, parse_yaml
from soni.core.errors import Problem, UnreadableFile, clip, describe_value, find_nearest
from soni.language import Language, find_language
from soni.language.language import NAME, ONLY, RESPONSES, Sections
from soni.language.source import HEAD, find_missing, name_calendar

_HEAD_KEYS: Final = ("name", "models")
_NO_PATTERNS: Final = (HEAD, RESPONSES)
_FASTER: Final = (
    "say how often something is repeated at most, such as {0,5}, or write {grammar.phrase} for "
    "anything as far as what follows"
)
# Shorter lists may be equal by chance.
_MIN_SHARED_WORDS: Final = 4


def is_language_file(path: Path) -> bool:
    """Whether a file holds the words of a language: it says `language:` at its top."""
    if not path.is_file():
        return False
    try:
        node, _ = parse_yaml(read_source(path))
    except UnreadableFile:
        return False
    return isinstance(node, MappingNode) and HEAD in node.entries


def examine_language(path: Path) -> list[Problem]:
    """Every problem of a language's file, mistakes first, then what it lacks."""
    node, problems = parse_yaml(read_source(path))
    assert isinstance(node, MappingNode)
    try:
        problems += _LanguageChecker(path.stem, node).find_problems()
    except UnreadableFile as unreadable:
        problems.append(unreadable.problem)
    return sorted(problems, key=_rank_problem)


def _rank_problem(problem: Problem) -> tuple[bool, int, int]:
    return problem.severity != "error", problem.line or 0, problem.column or 0


@dataclass(frozen=True)
class _Alternative:
    """One alternative of a class or pattern, or a word of a table."""

    section: str
    name: str
    text: str
    mark: Mark

    @property
    def references(self) -> Iterator[str]:
        """The full names that are inserted into it."""
        for match in NAME.finditer(self.text):
            yield match[1] if "." in match[1] else f"{self.section}.{match[1]}"


class _LanguageChecker:
    def __init__(self, code: str, node: MappingNode) -> None:
        self._code = code
        self._node = node
        self._problems: list[Problem] = []
        self._base = None if code == "en" else find_language("en")
        self._english = self._base.sections if self._base is not None else {}
        self._sections = {
            section: (mark, each.entries)
            for section, (mark, each) in node.entries.items()
            if isinstance(each, MappingNode)
        }
        plain = DataBuilder().build(node)
        self._plain: dict[str, Any] = {key: plain[key] for key in self._sections}

    def find_problems(self) -> list[Problem]:
        """Everything that is wrong, then what is missing."""
        self._check_head()
        self._check_sections()
        alternatives = [
            one
            for section, (_, entries) in self._sections.items()
            if section not in _NO_PATTERNS
            for name, (_, node) in entries.items()
            for one in self._iter_alternatives(section, name, node)
        ]
        self._check_responses()
        is_sound = not self._problems and self._check_references(alternatives)
        if is_sound:
            self._check_patterns(alternatives)
        if not self._problems:
            self._check_growth()
        self._check_duplicates(alternatives)
        if self._base is not None:
            self._check_names(alternatives)
            self._report_missing()
        return self._problems

    def _check_head(self) -> None:
        mark, node = self._node.entries[HEAD]
        entries = node.entries if isinstance(node, MappingNode) else {}
        if "name" not in entries:
            remedy = "add `name: ...` under `language:`"
            self._add_problem(mark, "E102", "'name' is missing", remedy)
        for key, (place, _) in entries.items():
            if key not in _HEAD_KEYS:
                remedy = find_nearest(key, _HEAD_KEYS) or "remove it"
                self._add_problem(place, "E101", f"unknown key '{clip(key)}'", remedy, _HEAD_KEYS)

    def _check_sections(self) -> None:
        for section, (mark, node) in self._node.entries.items():
            if not isinstance(node, MappingNode):
                what = describe_value(DataBuilder().build(node))
                message = f"expected names with their words under '{clip(section)}', found {what}"
                self._add_problem(mark, "E103", message, "write `name: [word, word]` under it")

    def _iter_alternatives(self, section: str, name: str, node: YamlNode) -> Iterator[_Alternative]:
        if isinstance(node, MappingNode):
            if node.entries.keys() == {ONLY}:
                yield from self._iter_alternatives(section, name, node.entries[ONLY][1])
                return
            for word, (mark, _) in node.entries.items():
                yield _Alternative(section, name, word, mark)
            return
        for item in node.items if isinstance(node, SequenceNode) else [node]:
            text = self._get_text(item)
            if text is not None:
                yield _Alternative(section, name, text, item.mark)

    def _get_text(self, node: YamlNode) -> str | None:
        if isinstance(node, ScalarNode) and isinstance(node.value, str):
            return node.value
        message = f"expected a text, found {describe_value(DataBuilder().build(node))}"
        self._add_problem(node.mark, "E103", message, "put it in quotes")
        return None

    def _check_names(self, alternatives: Iterable[_Alternative]) -> None:
        """A name must be one of English, or a part of the language's own patterns."""
        used = {name for one in alternatives for name in one.references}
        for section, (mark, entries) in self._sections.items():
            if section == HEAD:
                continue
            known = tuple(self._english.get(section, ()))
            if not known and not any(f"{section}.{name}" in used for name in entries):
                names = tuple(name for name in self._english if name != HEAD)
                remedy = find_nearest(section, names) or "take one of these"
                message = f"no section is named '{clip(section)}'"
                self._add_problem(mark, "E601", message, remedy, names)
                continue
            for name, (place, _) in entries.items():
                if name not in known and f"{section}.{name}" not in used:
                    message = f"nothing asks for '{clip(f'{section}.{name}')}'"
                    remedy = f"remove it, or use {{{name}}} in a pattern"
                    remedy = find_nearest(name, known) or remedy
                    self._add_problem(place, "E601", message, remedy, known)

    def _check_responses(self) -> None:
        """A sentence is given the same values in every language."""
        _, entries = self._sections.get(RESPONSES, (None, {}))
        for name, (_, node) in entries.items():
            text = self._get_text(node)
            if text is None:
                continue
            given = _find_placeholders(self._english.get(RESPONSES, {}).get(name, text))
            for wrong in sorted(_find_placeholders(text) - given):
                message = f"the sentence '{clip(name)}' has no value '{clip(wrong)}'"
                remedy = find_nearest(wrong, sorted(given)) or "leave it out"
                self._add_problem(node.mark, "E602", message, remedy, sorted(given))

    def _check_references(self, alternatives: Iterable[_Alternative]) -> bool:
        """Whether every name in a pattern is defined and none refers to itself."""
        names = {
            f"{section}.{name}"
            for sections in (self._english, {key: own for key, (_, own) in self._sections.items()})
            for section, entries in sections.items()
            for name in entries
        }
        uses: dict[str, set[str]] = {}
        sound = True
        for one in alternatives:
            for name in one.references:
                uses.setdefault(f"{one.section}.{one.name}", set()).add(name)
                if name not in names:
                    same = [each for each in names if each.startswith(name.partition(".")[0])]
                    remedy = find_nearest(name, names) or "write a class of that name, or remove it"
                    message = f"no words are named '{clip(name)}'"
                    self._add_problem(one.mark, "E602", message, remedy, sorted(same))
                    sound = False
        for name in uses:
            if name in _find_parts(name, uses):
                section, _, key = name.partition(".")
                place = self._sections[section][1][key][0]
                message = f"'{clip(name)}' is made of itself"
                self._add_problem(place, "E602", message, "write out the words that it needs")
                sound = False
        return sound

    def _check_patterns(self, alternatives: Iterable[_Alternative]) -> None:
        lang = Language(self._code, self._plain, self._base)
        wrong = set[tuple[str, str]]()
        for one in alternatives:
            reason = _find_compile_error(lang.compose(one.text, one.section))
            # A mistake in a class is reported there, not wherever the class is inserted.
            if reason and not any(tuple(name.split(".")) in wrong for name in one.references):
                message = f"this is no regular expression: {clip(reason)}"
                remedy = "put a backslash before a sign that is meant"
                self._add_problem(one.mark, "E603", message, remedy)
            if reason:
                wrong.add((one.section, one.name))
        for section, (_, entries) in self._sections.items():
            for name, (place, _) in entries.items() if section not in _NO_PATTERNS else ():
                if (section, name) in wrong or _has_shared_groups(
                    self._base or lang, section, name
                ):
                    continue
                reason = _find_compile_error(lang.expression(f"{section}.{name}"))
                if reason:
                    message = f"with those of English these alternatives are none: {clip(reason)}"
                    remedy = "name a group in one alternative only, or write {only: ...}"
                    self._add_problem(place, "E603", message, remedy)

    def _check_growth(self) -> None:
        """No pattern that words of this file are a part of may be slow over a long message."""
        lang = Language(self._code, self._plain, self._base)
        own = {
            f"{section}.{name}": place
            for section, (_, entries) in self._sections.items()
            for name, (place, _) in entries.items()
        }
        uses: dict[str, set[str]] = {}
        for name, used in (*_iter_uses(self._english), *_iter_uses(self._plain)):
            uses.setdefault(name, set()).update(used)
        parts = set[str]().union(*uses.values())
        told = set[str]()
        for name in sorted(uses.keys() - parts):
            inside = [each for each in (name, *sorted(_find_parts(name, uses))) if each in own]
            slow = _find_slow_text(lang, name) if inside and inside[0] not in told else None
            if slow is not None:
                told.add(inside[0])
                shown = clip(slow.start + slow.part * 3)
                message = f"'{clip(name)}' takes longer and longer over '{shown} ...'"
                reason = f"{message}: {slow.growth:.0f} times as long over a few times the text"
                self._add_problem(own[inside[0]], "E606", reason, _FASTER)

    def _check_duplicates(self, alternatives: Iterable[_Alternative]) -> None:
        classes: dict[tuple[str, str], dict[str, Mark]] = {}
        for one in alternatives:
            words = classes.setdefault((one.section, one.name), {})
            if one.text in words:
                line, _ = one.mark.source.locate(words[one.text].start)
                message = f"'{clip(one.text)}' stands twice in '{one.name}'; first in line {line}"
                self._add_problem(one.mark, "E604", message, "keep one of the two")
            words.setdefault(one.text, one.mark)
        lists: dict[frozenset[str], str] = {}
        for (section, name), words in classes.items():
            first = lists.setdefault(frozenset(words), f"{section}.{name}")
            if first != f"{section}.{name}" and len(words) >= _MIN_SHARED_WORDS:
                place = self._sections[section][1][name][0]
                message = f"'{section}.{name}' has the same words as '{first}'"
                self._add_problem(place, "E605", message, f"write '{{{first}}}' instead of them")

    def _report_missing(self) -> None:
        # Days and months need not be written: Babel has them.
        calendar = {**name_calendar(self._code), **self._plain.get("calendar", {})}
        own = {**self._plain, "calendar": calendar}
        missing: dict[str, list[str]] = {}
        for name in find_missing(own, self._english):
            missing.setdefault(name.partition(".")[0], []).append(name)
        absent = [missing.pop(section) for section in [*missing] if section not in self._sections]
        if absent:
            names = [name for section in absent for name in section]
            message = f"{len(absent)} sections of English are missing, with {len(names)} names"
            remedy = "add those that the language needs; until then English words stand for them"
            self._add_problem(self._node.entries[HEAD][0], "W607", message, remedy, names)
        for section, names in missing.items():
            mark = self._sections[section][0]
            count = len(self._english[section])
            message = f"'{section}' lacks {len(names)} of the {count} names that English has"
            remedy = f"add what the language needs: {', '.join(names)}"
            self._add_problem(mark, "W607", message, remedy)

    def _add_problem(
        self, mark: Mark, code: str, message: str, remedy: str, available: Iterable[str] = ()
    ) -> None:
        problem = mark.make_problem(message, code=code, remedy=remedy, available=tuple(available))
        self._problems.append(problem)


def _has_shared_groups(english: Language, section: str, name: str) -> bool:
    """Whether the alternatives share group names, because each is compiled separately."""
    if name not in english.sections.get(section, ()):
        return False
    groups = [frozenset(each.groupindex) for each in english.patterns(f"{section}.{name}")]
    return len(groups) > 1 and bool(groups[0]) and len(set(groups)) == 1


def _find_placeholders(text: object) -> set[str]:
    return {match[1] for match in NAME.finditer(str(text))}


def _find_parts(name: str, uses: dict[str, set[str]]) -> set[str]:
    """The names that a name is made of, directly or through others."""
    reached, left = set[str](), list(uses.get(name, ()))
    while left:
        one = left.pop()
        if one not in reached:
            reached.add(one)
            left += uses.get(one, ())
    return reached


def _iter_uses(sections: Sections) -> Iterator[tuple[str, set[str]]]:
    """Each name with the full names that are inserted into its patterns."""
    for section, entries in sections.items():
        for name, entry in entries.items() if section not in _NO_PATTERNS else ():
            inner = entry[ONLY] if isinstance(entry, dict) and entry.keys() == {ONLY} else entry
            texts = [inner] if isinstance(inner, str) else map(str, inner)
            found = {match[1] for text in texts for match in NAME.finditer(text)}
            yield f"{section}.{name}", {n if "." in n else f"{section}.{n}" for n in found}


def _find_slow_text(lang: Language, name: str) -> SlowText | None:
    # Where alternatives share the names of groups, each is asked for by itself.
    apart = _find_compile_error(lang.expression(name)) is not None
    patterns = lang.patterns(name) if apart else (lang.pattern(name),)
    found = (find_slow_text(each, anywhere=looks_back(each)) for each in patterns)
    return next((slow for slow in found if slow is not None), None)


def _find_compile_error(expression: str) -> str | None:
    try:
        re.compile(f"(?:{expression})", re.IGNORECASE)
    except re.error as error:
        return str(error)
    return None
