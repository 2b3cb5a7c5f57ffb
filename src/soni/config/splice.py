"""Replaces values in a YAML text and leaves the rest as the author wrote it."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from soni.config.data_builder import DataBuilder
from soni.config.dump import dump_yaml, format_inline
from soni.config.positions import Mark, Path, Positions, Source
from soni.config.yaml import UnreadableFile, parse_yaml


def splice_values(positions: Positions, source: Source, changes: Mapping[Path, Any]) -> str | None:
    """The text with other values at these paths, each of which is a key of a mapping.

    None if replacing their text is not enough, for instance because one is an alias.
    """
    wanted = deepcopy(positions.data)
    for path, value in changes.items():
        _get_inside(wanted, path[:-1])[path[-1]] = value
    # A comment behind a value may leave room for nothing but one line.
    for on_one_line in (False, True):
        text = _exchange_values(positions, source, changes, on_one_line)
        if text is not None and _parse_source(Source(source.file, text)) == wanted:
            return text
    return None


def _exchange_values(
    positions: Positions, source: Source, changes: Mapping[Path, Any], on_one_line: bool
) -> str | None:
    text = source.text
    places = {path: _find_range(positions, path) for path in changes}
    for path, place in sorted(places.items(), key=lambda item: -(item[1] or (0, 0))[0]):
        if place is None:
            return None
        start, end = place
        key = positions.keys[path]
        if on_one_line or _is_in_brackets(positions, path):
            written = f"{key.text}: {format_inline(changes[path])}"
        else:
            column = source.locate(key.start)[1] - 1
            opened = positions.values[path].text[:1] in ("-", "")
            written = _format_block(key.text, changes[path], column, opened=opened)
        text = text[:start] + written + text[end:]
    return text


def _format_block(key: str, value: Any, column: int, *, opened: bool) -> str:
    text = dump_yaml({"x": value}, lambda path: opened and len(path) == 1)
    _, _, rest = text.rstrip("\n").partition("x:")
    return f"{key}:" + rest.replace("\n", "\n" + " " * column)


def _find_range(positions: Positions, path: Path) -> tuple[int, int] | None:
    """From the key to the end of its value."""
    key, value = positions.keys.get(path), positions.values.get(path)
    if key is None or value is None:
        return None
    if not value.text.strip():
        colon = key.source.text.find(":", key.end)
        return key.start, colon + 1
    end = _find_end(positions, path, value)
    # What an alias stands for is written before it.
    return (key.start, end) if key.end <= value.start < end else None


def _find_end(positions: Positions, path: Path, mark: Mark) -> int:
    """Where the last value inside ends: comments below it belong to what follows."""
    below = (
        each for at, each in positions.values.items() if at != path and at[: len(path)] == path
    )
    inner = [each for each in below if each.text.strip()]
    if not inner or mark.text[:1] in ("[", "{"):
        return mark.start + len(mark.text.rstrip())
    return max(each.start + len(each.text.rstrip()) for each in _find_leaves(inner))


def _find_leaves(marks: list[Mark]) -> list[Mark]:
    """Marks that hold no other, or all of what they hold in brackets."""
    starts = sorted(mark.start for mark in marks)
    return [
        mark
        for mark in marks
        if mark.text[:1] in ("[", "{") or not any(mark.start < start < mark.end for start in starts)
    ]


def _is_in_brackets(positions: Positions, path: Path) -> bool:
    around = (positions.values.get(path[:length]) for length in range(len(path)))
    return any(mark is not None and mark.text[:1] in ("[", "{") for mark in around)


def _get_inside(data: Any, path: Path) -> Any:
    for part in path:
        data = data[part]
    return data


def _parse_source(source: Source) -> Any:
    try:
        node, problems = parse_yaml(source)
        return None if node is None or problems else DataBuilder().build(node)
    except UnreadableFile:
        return None
