"""Parses YAML 1.2 into nodes with positions. No objects are constructed; work is bounded."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)
from ruamel.yaml.reader import ReaderError

from soni.config.guard import MAX_DEPTH, MAX_PROBLEMS, make_depth_error, refuse_bombs
from soni.config.positions import Mark, Source
from soni.config.syntax import describe_yaml_error, resolve_scalar
from soni.core.errors import Problem, UnreadableFile, clip

__all__ = ["MappingNode", "ScalarNode", "SequenceNode", "UnreadableFile", "YamlNode", "parse_yaml"]

_CORE_TAG: Final = "tag:yaml.org,2002:"
_COLLECTION_TAGS: Final = (None, "!", f"{_CORE_TAG}map", f"{_CORE_TAG}seq")


@dataclass(frozen=True, eq=False)
class ScalarNode:
    """A single value."""

    value: Any
    mark: Mark


@dataclass(frozen=True, eq=False)
class SequenceNode:
    """A list."""

    mark: Mark
    items: list["YamlNode"] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class MappingNode:
    """A mapping; its keys are texts, each with its place."""

    mark: Mark
    entries: dict[str, tuple[Mark, "YamlNode"]] = field(default_factory=dict)


YamlNode = ScalarNode | SequenceNode | MappingNode


def parse_yaml(source: Source) -> tuple[YamlNode | None, list[Problem]]:
    """The file's document (None: it is empty) and the mistakes that leave it readable.

    Raises `UnreadableFile` where the rest of the file has no meaning.
    """
    refuse_bombs(source)
    parser = _Parser(source)
    try:
        return parser.parse_document(), parser.problems
    except MarkedYAMLError as error:
        raise UnreadableFile(describe_yaml_error(error, source)) from None
    except ReaderError as error:
        mark = Mark(source, error.position, error.position + 1)
        message = "this character cannot stand in YAML"
        raise mark.make_error(message, "E155", "remove it") from None
    except (YAMLError, ValueError, OverflowError) as error:
        message = f"this is not YAML: {clip(str(error))}"
        raise Mark(source, 0, 0).make_error(message, "E120", "write it anew") from None


class _Parser:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self._events: Iterator[Any] = iter(YAML(typ="safe", pure=True).parse(source.text))
        self._anchors: dict[str, YamlNode | None] = {}

    def parse_document(self) -> YamlNode | None:
        event = next(self._events)
        while not isinstance(event, DocumentStartEvent | StreamEndEvent):
            event = next(self._events)
        if isinstance(event, StreamEndEvent):
            return None
        node = self._parse_node(next(self._events), 0)
        while not isinstance(event := next(self._events), StreamEndEvent):
            if isinstance(event, DocumentStartEvent):
                remedy = "keep one document in each file: remove the `---` or use two files"
                message = "a second document begins here"
                raise self._make_mark(event).make_error(message, "E134", remedy)
        return node

    def _make_mark(self, event: Any) -> Mark:
        return Mark(self.source, event.start_mark.index, event.end_mark.index)

    def _add_problem(self, mark: Mark, code: str, message: str, remedy: str) -> None:
        """A mistake that leaves the rest readable."""
        if len(self.problems) == MAX_PROBLEMS:
            enough = f"{remedy}; the file has too many mistakes to go on"
            raise mark.make_error(message, code, enough)
        self.problems.append(mark.make_problem(message, code=code, remedy=remedy))

    def _parse_node(self, event: Any, depth: int) -> YamlNode:
        mark = self._make_mark(event)
        if depth > MAX_DEPTH:
            raise make_depth_error(mark)
        if isinstance(event, AliasEvent):
            return self._resolve_alias(event, mark)
        if event.anchor is not None:
            # None while it is open, to detect an alias inside of what it names.
            self._anchors[event.anchor] = None
        node = self._parse_value(event, mark, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _parse_value(self, event: Any, mark: Mark, depth: int) -> YamlNode:
        if isinstance(event, ScalarEvent):
            return self._parse_scalar(event, mark)
        if event.tag not in _COLLECTION_TAGS:
            self._report_tag(event.tag, mark)
        if isinstance(event, SequenceStartEvent):
            return self._parse_items(mark, depth)
        assert isinstance(event, MappingStartEvent)
        return self._parse_entries(mark, depth)

    def _resolve_alias(self, event: Any, mark: Mark) -> YamlNode:
        if event.anchor not in self._anchors:
            remedy = "name what it stands for with `&`, or put the text in quotes"
            message = f"nothing is named '&{clip(event.anchor)}' before this"
            raise mark.make_error(message, "E132", remedy)
        node = self._anchors[event.anchor]
        if node is None:
            message = f"'*{clip(event.anchor)}' stands inside of itself"
            raise mark.make_error(message, "E132", "write it out")
        return node

    def _parse_scalar(self, event: ScalarEvent, mark: Mark) -> ScalarNode:
        tag, text = event.tag, event.value
        if tag is None or tag == "!":
            plain = event.style is None and tag is None
            tag = None if plain else f"{_CORE_TAG}str"
        kind = tag.removeprefix(_CORE_TAG) if tag is not None else None
        try:
            return ScalarNode(resolve_scalar(text, kind), mark)
        except LookupError:
            self._report_tag(str(tag), mark)
        except ValueError as error:
            remedy = "write it otherwise; a text goes in quotes"
            self._add_problem(mark, "E136", str(error), remedy)
        # Lone surrogates cannot be printed, so they are replaced.
        return ScalarNode(text.encode("utf-8", "replace").decode(), mark)

    def _report_tag(self, tag: str, mark: Mark) -> None:
        remedy = "remove it; put a text that begins with `!` in quotes"
        self._add_problem(mark, "E131", f"the tag '{clip(tag)}' means nothing here", remedy)

    def _parse_items(self, mark: Mark, depth: int) -> SequenceNode:
        items = []
        while not isinstance(event := next(self._events), SequenceEndEvent):
            items.append(self._parse_node(event, depth + 1))
        return SequenceNode(self._span_to(mark, event), items)

    def _parse_entries(self, mark: Mark, depth: int) -> MappingNode:
        entries: dict[str, tuple[Mark, YamlNode]] = {}
        while not isinstance(event := next(self._events), MappingEndEvent):
            key = self._parse_key(self._parse_node(event, depth + 1), self._make_mark(event))
            value = self._parse_node(next(self._events), depth + 1)
            if key is not None:
                self._add_entry(entries, key, self._make_mark(event), value)
        return MappingNode(self._span_to(mark, event), entries)

    def _span_to(self, mark: Mark, end: Any) -> Mark:
        text = self.source.text[mark.start : end.end_mark.index]
        return Mark(self.source, mark.start, mark.start + len(text.rstrip()))

    def _parse_key(self, node: YamlNode, mark: Mark) -> str | None:
        if not isinstance(node, ScalarNode):
            what = "a mapping" if isinstance(node, MappingNode) else "a list"
            remedy = 'put an expression in quotes: "{{ ... }}"'
            self._add_problem(mark, "E135", f"{what} cannot be a key", remedy)
            return None
        if not mark.text.strip():
            self._add_problem(mark, "E135", "a key is missing here", "write it before the `:`")
            return None
        if mark.text == "<<":
            remedy = "write the keys out; YAML 1.2 has no merging of mappings"
            self._add_problem(mark, "E133", "'<<' is not a key", remedy)
            return None
        return _format_key(node.value)

    def _add_entry(
        self, entries: dict[str, tuple[Mark, YamlNode]], key: str, mark: Mark, value: YamlNode
    ) -> None:
        if key not in entries:
            entries[key] = (mark, value)
            return
        line, _ = self.source.locate(entries[key][0].start)
        message = f"the key '{clip(key)}' is written twice; first in line {line}"
        self._add_problem(mark, "E114", message, "keep one of the two")


def _format_key(value: Any) -> str:
    # Keys such as `3:` and `true:` are cases or choices, which are stored as words.
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)
