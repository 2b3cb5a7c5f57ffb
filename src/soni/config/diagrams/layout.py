"""The layout of a diagram: layers of boxes, and the bends of the lines between them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from soni.core.errors import SoniError

Line = tuple[int, int]
"""From one box to another, both by number."""

# The width of a line that passes between boxes; a box has 1.
_BEND_WIDTH = 0.15


@dataclass(frozen=True)
class GridPosition:
    """The centre of a box or bend: `x` in boxes from the left, the layer from the top."""

    x: float
    layer: int


@dataclass(frozen=True)
class Layout:
    """A place for each box, and for each line the bends on its way down."""

    cells: Mapping[int, GridPosition]
    bends: Mapping[Line, tuple[GridPosition, ...]]


def find_upward_lines(lines: Sequence[Line]) -> frozenset[Line]:
    """The lines that close a cycle and therefore must lead up."""
    onwards: dict[int, list[int]] = {}
    for a, b in lines:
        onwards.setdefault(a, []).append(b)
        onwards.setdefault(b, [])
    found: set[Line] = set()
    seen: set[int] = set()
    for root in onwards:
        if root in seen:
            continue
        # A stack of its own: a flow may be longer than Python's recursion is deep.
        open_boxes, todo = {root}, [(root, iter(onwards[root]))]
        seen.add(root)
        while todo:
            here, ahead = todo[-1]
            to = next(ahead, None)
            if to is None:
                todo.pop()
                open_boxes.discard(here)
            elif to in open_boxes:
                found.add((here, to))
            elif to not in seen:
                seen.add(to)
                open_boxes.add(to)
                todo.append((to, iter(onwards[to])))
    return frozenset(found)


def arrange_boxes(lines: Sequence[Line]) -> Layout:
    """Arrange the boxes of lines that all lead down.

    Lines must be unique, and none may lead to its own box.
    """
    boxes = {box for line in lines for box in line}
    layers: dict[int, list[tuple[float, int]]] = {}
    onwards: dict[int, list[int]] = {}
    width = 0.0
    for points, _, _, pieces in _load_engine()(lines, vertex_spacing=1, dummy_size=_BEND_WIDTH):
        left, top = min(x for _, (x, _) in points), max(y for _, (_, y) in points)
        for box, (x, y) in points:
            layers.setdefault(round(top - y), []).append((x - left + width + 0.5, box))
        width += max(x for _, (x, _) in points) - left + 1
        for a, b in pieces:
            onwards.setdefault(a, []).append(b)
    places = {
        box: GridPosition(x, layer)
        for layer, row in layers.items()
        for x, box in _spread_row(sorted(row), boxes)
    }
    bends = {
        (box, to): tuple(places[bend] for bend in passed)
        for box in boxes
        for to, passed in _follow_lines(box, onwards, boxes)
    }
    return Layout({box: places[box] for box in boxes}, bends)


def _spread_row(row: Sequence[tuple[float, int]], boxes: set[int]) -> Iterator[tuple[float, int]]:
    """The items of a layer without overlaps, which the engine leaves in rare cases."""
    free = 0.0
    for x, box in row:
        half = 0.5 if box in boxes else _BEND_WIDTH / 2
        x = max(x, free + half)
        free = x + half
        yield x, box


def _follow_lines(
    box: int, onwards: Mapping[int, Sequence[int]], boxes: set[int]
) -> Iterator[tuple[int, list[int]]]:
    """For every line from a box: its target and the bends before it."""
    for to in onwards.get(box, ()):
        passed = []
        while to not in boxes:
            passed.append(to)
            (to,) = onwards[to]
        yield to, passed


def _load_engine() -> Callable[..., Any]:
    try:
        from fast_sugiyama import from_edges  # of the extra `graph`
    except ImportError:
        raise SoniError(
            "To draw SVG, Soni needs a library for the layout: pip install 'soni[graph]'. "
            "The formats mermaid and json need none."
        ) from None
    return from_edges
