"""Parses YAML 1.2 into nodes with positions. No objects are constructed; work is bounded."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

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

from soni.config.guard import MAX_DEPTH, MAX_PROBLEMS, refuse_bombs, too_deep
from soni.config.positions import Mark, Source
from soni.config.syntax import in_words, resolve
from soni.core.errors import Problem, Unreadable, clip

__all__ = ["Entries", "Items", "Node", "Scalar", "Unreadable", "parse_yaml"]

_ANEW: Final = "write it anew"
_CORE: Final = "tag:yaml.org,2002:"
_COLLECTIONS: Final = (None, "!", f"{_CORE}map", f"{_CORE}seq")


@dataclass(frozen=True, eq=False)
class Scalar:
    """A single value."""

    value: Any
    mark: Mark


@dataclass(frozen=True, eq=False)
class Items:
    """A list."""

    mark: Mark
    items: list["Node"] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Entries:
    """A mapping; its keys are texts, each with its place."""

    mark: Mark
    entries: dict[str, tuple[Mark, "Node"]] = field(default_factory=dict)


Node = Scalar | Items | Entries


def parse_yaml(source: Source) -> tuple[Node | None, list[Problem]]:
    """The file's document (None: it is empty) and the mistakes that leave it readable.

    Raises `Unreadable` where the rest of the file has no meaning.
    """
    refuse_bombs(source)
    parser = _Parser(source)
    try:
        return parser.document(), parser.problems
    except MarkedYAMLError as error:
        raise Unreadable(in_words(error, source)) from None
    except ReaderError as error:
        mark = Mark(source, error.position, error.position + 1)
        raise Unreadable(
            mark.problem("this character cannot stand in YAML", code="E155", remedy="remove it")
        ) from None
    except (YAMLError, ValueError, OverflowError) as error:
        mark = Mark(source, 0, 0)
        raise Unreadable(
            mark.problem(f"this is not YAML: {clip(str(error))}", code="E120", remedy=_ANEW)
        ) from None


class _Parser:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self._events: Iterator[Any] = iter(YAML(typ="safe", pure=True).parse(source.text))
        self._anchors: dict[str, Node | None] = {}

    def document(self) -> Node | None:
        event = self._next()
        while not isinstance(event, DocumentStartEvent | StreamEndEvent):
            event = self._next()
        if isinstance(event, StreamEndEvent):
            return None
        node = self._node(self._next(), 0)
        while not isinstance(event := self._next(), StreamEndEvent):
            if isinstance(event, DocumentStartEvent):
                self._stop(
                    self._mark(event),
                    "E134",
                    "a second document begins here",
                    "keep one document in each file: remove the `---` or use two files",
                )
        return node

    def _next(self) -> Any:
        return next(self._events)

    def _mark(self, event: Any) -> Mark:
        return Mark(self.source, event.start_mark.index, event.end_mark.index)

    def _stop(self, mark: Mark, code: str, message: str, remedy: str) -> NoReturn:
        raise Unreadable(mark.problem(message, code=code, remedy=remedy))

    def _bent(self, mark: Mark, code: str, message: str, remedy: str) -> None:
        """A mistake that leaves the rest readable."""
        if len(self.problems) == MAX_PROBLEMS:
            self._stop(mark, code, message, f"{remedy}; the file has too many mistakes to go on")
        self.problems.append(mark.problem(message, code=code, remedy=remedy))

    def _node(self, event: Any, depth: int) -> Node:
        mark = self._mark(event)
        if depth > MAX_DEPTH:
            raise too_deep(mark)
        if isinstance(event, AliasEvent):
            return self._alias(event, mark)
        if event.anchor is not None:
            # None while it is open, to detect an alias inside of what it names.
            self._anchors[event.anchor] = None
        node = self._parse_anchor(event, mark, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _parse_anchor(self, event: Any, mark: Mark, depth: int) -> Node:
        if isinstance(event, ScalarEvent):
            return self._scalar(event, mark)
        if event.tag not in _COLLECTIONS:
            self._foreign(event.tag, mark)
        if isinstance(event, SequenceStartEvent):
            return self._items(mark, depth)
        assert isinstance(event, MappingStartEvent)
        return self._entries(mark, depth)

    def _alias(self, event: Any, mark: Mark) -> Node:
        if event.anchor not in self._anchors:
            remedy = "name what it stands for with `&`, or put the text in quotes"
            self._stop(
                mark, "E132", f"nothing is named '&{clip(event.anchor)}' before this", remedy
            )
        node = self._anchors[event.anchor]
        if node is None:
            message = f"'*{clip(event.anchor)}' stands inside of itself"
            self._stop(mark, "E132", message, "write it out")
        return node

    def _scalar(self, event: ScalarEvent, mark: Mark) -> Scalar:
        tag, text = event.tag, event.value
        if tag is None or tag == "!":
            plain = event.style is None and tag is None
            tag = None if plain else f"{_CORE}str"
        kind = tag.removeprefix(_CORE) if tag is not None else None
        try:
            return Scalar(resolve(text, kind), mark)
        except LookupError:
            self._foreign(str(tag), mark)
        except ValueError as error:
            remedy = "write it otherwise; a text goes in quotes"
            self._bent(mark, "E136", str(error), remedy)
        # Lone surrogates cannot be printed, so they are replaced.
        return Scalar(text.encode("utf-8", "replace").decode(), mark)

    def _foreign(self, tag: str, mark: Mark) -> None:
        remedy = "remove it; put a text that begins with `!` in quotes"
        self._bent(mark, "E131", f"the tag '{clip(tag)}' means nothing here", remedy)

    def _items(self, mark: Mark, depth: int) -> Items:
        items = []
        while not isinstance(event := self._next(), SequenceEndEvent):
            items.append(self._node(event, depth + 1))
        return Items(self._whole(mark, event), items)

    def _entries(self, mark: Mark, depth: int) -> Entries:
        entries: dict[str, tuple[Mark, Node]] = {}
        while not isinstance(event := self._next(), MappingEndEvent):
            key = self._key(self._node(event, depth + 1), self._mark(event))
            value = self._node(self._next(), depth + 1)
            if key is not None:
                self._add(entries, key, self._mark(event), value)
        return Entries(self._whole(mark, event), entries)

    def _whole(self, mark: Mark, end: Any) -> Mark:
        text = self.source.text[mark.start : end.end_mark.index]
        return Mark(self.source, mark.start, mark.start + len(text.rstrip()))

    def _key(self, node: Node, mark: Mark) -> str | None:
        if not isinstance(node, Scalar):
            what = "a mapping" if isinstance(node, Entries) else "a list"
            remedy = 'put an expression in quotes: "{{ ... }}"'
            self._bent(mark, "E135", f"{what} cannot be a key", remedy)
            return None
        if not mark.text.strip():
            self._bent(mark, "E135", "a key is missing here", "write it before the `:`")
            return None
        if mark.text == "<<":
            remedy = "write the keys out; YAML 1.2 has no merging of mappings"
            self._bent(mark, "E133", "'<<' is not a key", remedy)
            return None
        return _as_key(node.value)

    def _add(
        self, entries: dict[str, tuple[Mark, Node]], key: str, mark: Mark, value: Node
    ) -> None:
        if key not in entries:
            entries[key] = (mark, value)
            return
        line, _ = self.source.place(entries[key][0].start)
        message = f"the key '{clip(key)}' is written twice; first in line {line}"
        self._bent(mark, "E114", message, "keep one of the two")


def _as_key(value: Any) -> str:
    # Keys such as `3:` and `true:` are cases or choices, which are stored as words.
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)
