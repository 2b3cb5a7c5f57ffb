"""A flow laid out on a sheet: boxes and lines in pixels, in no notation yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from soni.config.pictures.cells import LABEL, Cell, Cells, Way, cells_of
from soni.config.pictures.layout import BEND, Layout, Place, arrange
from soni.config.pictures.model import ENDINGS, Picture

ROW = 16.0
"""The height of a line of text."""

_BOX = 240.0
_ENDING = 84.0
_ACROSS = _BOX + 28
_PADDING = 18.0
_BETWEEN = 15.0
_PORTS = 34.0

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A cell, its centre and its size."""

    cell: Cell
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Path:
    """A way and its points: straight from the first to the second, curved to the third, ..."""

    way: Way
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Sheet:
    """A flow as it is drawn."""

    name: str
    boxes: tuple[Box, ...]
    paths: tuple[Path, ...]
    width: float
    height: float


def sheet_of(picture: Picture) -> Sheet:
    """Lay a flow out."""
    cells = cells_of(picture)
    desk = _Desk(cells, layout := arrange(list(cells.lines)), _bands(cells, layout))
    boxes = [desk.box(cell, layout.cells[at]) for at, cell in enumerate(cells.all)]
    words = [desk.box(way.word, _spot(way, layout)) for way in cells.ways if way.word is not None]
    ports = desk.ports(boxes)
    paths = [Path(way, desk.points(at, way, boxes, ports)) for at, way in enumerate(cells.ways)]
    width = max(box.x + box.width / 2 for box in [*boxes, *words])
    return Sheet(picture.name, (*boxes, *words), tuple(paths), width, desk.bands[-1][1])


def _spot(way: Way, layout: Layout) -> Place:
    """Where the word on a way stands: at the bend next to where it comes from."""
    bends = layout.bends[way.cells[0], way.cells[-1]]
    return bends[-1] if way.up else bends[0]


def _height(cell: Cell) -> float:
    return len(cell.rows) * ROW + (0 if cell.kind == LABEL else _PADDING)


def _bands(cells: Cells, layout: Layout) -> list[Point]:
    """The top and the bottom of each layer, as high as the highest there."""
    heights: dict[int, float] = {}
    placed = [(cell, layout.cells[at]) for at, cell in enumerate(cells.all)]
    placed += [(way.word, _spot(way, layout)) for way in cells.ways if way.word is not None]
    for cell, place in placed:
        heights[place.layer] = max(heights.get(place.layer, 0), _height(cell))
    bands: list[Point] = []
    for layer in range(max(heights) + 1):
        top = bands[-1][1] + _BETWEEN if bands else 0.0
        bands.append((top, top + heights.get(layer, 0)))
    return bands


@dataclass(frozen=True)
class _Desk:
    """Turns places into pixels."""

    cells: Cells
    layout: Layout
    bands: Sequence[Point]

    def box(self, cell: Cell, place: Place) -> Box:
        top, bottom = self.bands[place.layer]
        small = cell.kind in ENDINGS
        wide = _ENDING if small else _BOX
        return Box(cell, _across(place), (top + bottom) / 2, wide, _height(cell))

    def ports(self, boxes: Sequence[Box]) -> Mapping[tuple[int, int], float]:
        """Where ways touch their first (0) and last (-1) box, so that no two do at one point."""
        touching: dict[tuple[int, int], list[tuple[float, int]]] = {}
        for at, way in enumerate(self.cells.ways):
            passed = self._passed(way)
            touching.setdefault((way.cells[0], 0), []).append((passed[1].x, at))
            touching.setdefault((way.cells[-1], -1), []).append((passed[-2].x, at))
        found: dict[tuple[int, int], float] = {}
        for (cell, end), ways in touching.items():
            box, gaps = boxes[cell], len(ways) - 1
            step = min(_PORTS, (box.width - 60) / gaps) if gaps and box.cell.kind != LABEL else 0
            for index, (_, at) in enumerate(sorted(ways)):
                found[at, end] = box.x + (index - gaps / 2) * step
        return found

    def points(
        self, at: int, way: Way, boxes: Sequence[Box], ports: Mapping[tuple[int, int], float]
    ) -> tuple[Point, ...]:
        above, below = boxes[way.cells[0]], boxes[way.cells[-1]]
        first, *between, last = self._passed(way)
        points = [(ports[at, 0], above.y + above.height / 2)]
        points.append((ports[at, 0], self.bands[first.layer][1]))
        for place in between:
            points += [(_across(place), y) for y in self.bands[place.layer]]
        points.append((ports[at, -1], self.bands[last.layer][0]))
        points.append((ports[at, -1], below.y - below.height / 2))
        return tuple(reversed(points) if way.up else points)

    def _passed(self, way: Way) -> list[Place]:
        """All places along a way, from its first cell to its last."""
        passed = [self.layout.cells[way.cells[0]]]
        for line in way.lines:
            passed += [*self.layout.bends[line], self.layout.cells[line[1]]]
        return passed


def _across(place: Place) -> float:
    return place.x * _ACROSS + _BOX / 2
