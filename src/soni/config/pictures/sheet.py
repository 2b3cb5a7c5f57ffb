"""A flow laid out on a sheet: boxes and lines in pixels, in no notation yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from soni.config.pictures.cells import LABEL, Cell, Cells, Way, cells_of
from soni.config.pictures.layout import Layout, Place, arrange
from soni.config.pictures.model import ENDINGS, Picture

ROW = 16.0
"""The height of a line of text."""

_BOX = 240.0
_ENDING = 84.0
_ACROSS = _BOX + 28
_PADDING = 18.0
_BETWEEN = 30.0
_PORTS = 34.0
_WORDS = 58.0
_WORD = 22.0

Point = tuple[float, float]
Ports = Mapping[tuple[int, int], float]


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
    desk = _Desk.of(cells_of(picture))
    ways = desk.cells.ways
    boxes = [desk.box(at, cell) for at, cell in enumerate(desk.cells.all)]
    ports = desk.ports(boxes)
    paths = [Path(way, desk.points(at, way, boxes, ports)) for at, way in enumerate(ways)]
    boxes += [_word(path) for path in paths if path.way.word]
    right = max([box.x + box.width / 2 for box in boxes] + [x for p in paths for x, _ in p.points])
    return Sheet(picture.name, tuple(boxes), tuple(paths), right, desk.bands[-1][1])


def _word(path: Path) -> Box:
    """The word on a way, beside the box that it leaves."""
    x, y = path.points[0]
    middle = y - _WORD / 2 if path.way.up else y + _WORD / 2
    return Box(Cell(LABEL, (("label", path.way.word),)), x, middle, 0, ROW - 2)


@dataclass(frozen=True)
class _Desk:
    """Turns places into pixels."""

    cells: Cells
    layout: Layout
    bands: Sequence[Point]
    """The top and the bottom of each layer, as high as the highest cell there."""

    @classmethod
    def of(cls, cells: Cells) -> "_Desk":
        layout = arrange(list(cells.lines))
        heights = [0.0] * (max(place.layer for place in layout.cells.values()) + 1)
        for at, cell in enumerate(cells.all):
            layer = layout.cells[at].layer
            heights[layer] = max(heights[layer], _height(cell))
        for way in cells.ways:
            # A word needs room on both sides, as boxes stay in the middle of their layer.
            layer = layout.cells[way.cells[-way.up]].layer
            box = _height(cells.all[way.cells[-way.up]])
            heights[layer] = max(heights[layer], box + 2 * _WORD * bool(way.word))
        bands: list[Point] = []
        for height in heights:
            top = bands[-1][1] + _BETWEEN if bands else 0.0
            bands.append((top, top + height))
        return cls(cells, layout, bands)

    def box(self, at: int, cell: Cell) -> Box:
        place = self.layout.cells[at]
        wide = _ENDING if cell.kind in ENDINGS else _BOX
        return Box(cell, _across(place), sum(self.bands[place.layer]) / 2, wide, _height(cell))

    def ports(self, boxes: Sequence[Box]) -> Ports:
        """Where ways touch their first (0) and last (-1) box, so that no two do at one point."""
        touching: dict[tuple[int, int], list[tuple[float, int]]] = {}
        for at, way in enumerate(self.cells.ways):
            passed = self._list_places(way)
            touching.setdefault((way.cells[0], 0), []).append((passed[1].x, at))
            touching.setdefault((way.cells[-1], -1), []).append((passed[-2].x, at))
        found: dict[tuple[int, int], float] = {}
        for (cell, end), ways in touching.items():
            box, gaps = boxes[cell], len(ways) - 1
            words = any(self.cells.ways[at].word for _, at in ways)
            room = 0.0 if box.cell.kind == LABEL else (box.width - 60) / max(1, gaps)
            step = min(_WORDS if words else _PORTS, room)
            for index, (_, at) in enumerate(sorted(ways)):
                found[at, end] = box.x + (index - gaps / 2) * step
        return found

    def points(self, at: int, way: Way, boxes: Sequence[Box], ports: Ports) -> tuple[Point, ...]:
        above, below = boxes[way.cells[0]], boxes[way.cells[-1]]
        first, *between, last = self._list_places(way)
        points = [(ports[at, 0], above.y + above.height / 2)]
        points.append((ports[at, 0], self.bands[first.layer][1]))
        for place in between:
            points += [(_across(place), y) for y in self.bands[place.layer]]
        points.append((ports[at, -1], self.bands[last.layer][0]))
        points.append((ports[at, -1], below.y - below.height / 2))
        return tuple(reversed(points) if way.up else points)

    def _list_places(self, way: Way) -> list[Place]:
        """All places along a way, from its first cell to its last."""
        passed = [self.layout.cells[way.cells[0]]]
        for line in way.lines:
            passed += [*self.layout.bends[line], self.layout.cells[line[1]]]
        return passed


def _height(cell: Cell) -> float:
    return len(cell.rows) * ROW + (0 if cell.kind == LABEL else _PADDING)


def _across(place: Place) -> float:
    return (place.x - 0.5) * _ACROSS + _BOX / 2
