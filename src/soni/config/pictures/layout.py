"""Where things go in a drawing: layers of boxes, and the bends of the lines between them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from soni.core.errors import SoniError

Line = tuple[int, int]
"""From one box to another, both by number."""

BEND = 0.2
"""How much room a line that passes between boxes has, where a box has 1."""

# Layers from one box to the next: a line bends at least once, so that a word fits onto it.
_APART = 2


@dataclass(frozen=True)
class Place:
    """A place in a layer. `x` counts boxes; layer 0 is the topmost."""

    x: float
    layer: int


@dataclass(frozen=True)
class Layout:
    """A place for each box, and for each line those that it passes on its way down."""

    cells: Mapping[int, Place]
    bends: Mapping[Line, tuple[Place, ...]]


def upward(lines: Sequence[Line]) -> frozenset[Line]:
    """The lines that lead back to where one came from, and so have to lead up."""
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


def arrange(lines: Sequence[Line]) -> Layout:
    """Arrange the boxes of some lines, all of which lead down.

    No line may be there twice, and none may lead to the box that it comes from.
    """
    places: dict[int, Place] = {}
    onwards: dict[int, list[int]] = {}
    width = 0.0
    drawn = _engine()(lines, vertex_spacing=1, dummy_size=BEND, minimum_length=_APART)
    for points, _, _, pieces in drawn:
        left, top = min(x for _, (x, _) in points), max(y for _, (_, y) in points)
        for box, (x, y) in points:
            places[box] = Place(x - left + width, round(top - y))
        width += max(x for _, (x, _) in points) - left + 1
        for a, b in pieces:
            onwards.setdefault(a, []).append(b)
    boxes = {box for line in lines for box in line}
    bends = {
        (box, to): tuple(places[bend] for bend in passed)
        for box in boxes
        for to, passed in _followed(box, onwards, boxes)
    }
    return Layout({box: places[box] for box in boxes}, bends)


def _followed(
    box: int, onwards: Mapping[int, Sequence[int]], boxes: set[int]
) -> Iterator[tuple[int, list[int]]]:
    """Every line from a box: where it leads, and what it passes."""
    for to in onwards.get(box, ()):
        passed = []
        while to not in boxes:
            passed.append(to)
            (to,) = onwards[to]
        yield to, passed


def _engine() -> Callable[..., Any]:
    try:
        from fast_sugiyama import from_edges  # of the extra `graph`
    except ImportError:
        raise SoniError(
            "To draw SVG, Soni needs a library for the layout: pip install 'soni[graph]'. "
            "The formats mermaid and json need none."
        ) from None
    return from_edges
