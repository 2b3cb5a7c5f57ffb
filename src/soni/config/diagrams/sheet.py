"""A flow laid out on a sheet: boxes and lines in pixels, independent of SVG."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from soni.config.diagrams.layout import Layout, Line, Place, arrange, upward
from soni.config.diagrams.model import ENDINGS, FLOW, Edge, Node, Picture
from soni.config.diagrams.text import tidy, width, wrap_text

LABEL = "label"


_ROOM = 30.0
"""Letters in a line of a box."""


_CELL_WORD = 8.0


_CELL_WORDS = 4
"""Letters of a word beside a box, and how many of them there is room for."""


@dataclass(frozen=True)
class Cell:
    """A node or a label with its text."""

    kind: str
    """A node's kind, or `label`."""

    rows: tuple[tuple[str, str], ...]
    """Its lines of text, each with what it is: `head`, `text`, `when`, `label`."""


@dataclass(frozen=True)
class Way:
    """An edge and the cells along it, by number, from the topmost down."""

    edge: Edge
    cells: tuple[int, ...]
    up: bool = False
    """Whether the edge leads from the last cell to the first."""

    word: str = ""
    """A label short enough to stand beside the source box."""

    arrow: bool = True

    @property
    def lines(self) -> tuple[Line, ...]:
        """From each cell to the one below."""
        return tuple(zip(self.cells, self.cells[1:], strict=False))


@dataclass
class Cells:
    """The cells of a picture and the ways between them."""

    all: list[Cell] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)
    lines: dict[Line, None] = field(default_factory=dict)
    """Each line once, in the order of the flow."""

    def add(self, cell: Cell) -> int:
        """Add a cell and return its number."""
        self.all.append(cell)
        return len(self.all) - 1

    def connect(self, edge: Edge, source: int, target: int, *, up: bool, apart: bool) -> None:
        """Add an edge between two cells; `apart`: with a cell for its label."""
        above, below = (target, source) if up else (source, target)
        if source == target:
            down = (source, self.add(_make_label_cell(edge)))
            self._add(Way(edge, down, arrow=False))
            self._add(Way(edge, down, up=True))
        elif (above, below) in self.lines or (edge.label and apart):
            self._add(Way(edge, (above, self.add(_make_label_cell(edge)), below), up))
        else:
            self._add(Way(edge, (above, below), up, word=tidy(edge.label)))

    def _add(self, way: Way) -> None:
        self.ways.append(way)
        self.lines |= dict.fromkeys(way.lines)


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
    """Converts grid places into pixels."""

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
            # Room on both sides, because boxes are centred in their layer.
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
        """The x at which each way touches its first (0) and last (-1) box, all different."""
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


def cells_of(picture: Picture) -> Cells:
    """The cells of a picture."""
    cells = Cells()
    nodes = {node.id: node for node in picture.nodes}
    numbers = {node.id: cells.add(_cell(node)) for node in picture.nodes if not _leaf(node)}
    ends: list[tuple[Edge, int, int]] = []
    for edge in picture.edges:
        to = nodes[edge.target]
        # One end node per edge: lines to a shared one would cross the whole diagram.
        target = cells.add(_cell(to)) if _leaf(to) else numbers[to.id]
        ends.append((edge, numbers[edge.source], target))
    back = upward([(source, target) for _, source, target in ends])
    crowd = Counter(source for _, source, _ in ends) + Counter(target for _, target in back)
    # Next to a long label, short ones get a cell too, so that their targets share a layer.
    aloof = {source for edge, source, _ in ends if width(edge.label) > _CELL_WORD}
    for edge, source, target in ends:
        apart = source in aloof or crowd[source] > _CELL_WORDS
        cells.connect(edge, source, target, up=(source, target) in back, apart=apart)
    return cells


def _leaf(node: Node) -> bool:
    return node.kind == FLOW or node.kind in ENDINGS


def _make_label_cell(edge: Edge) -> Cell:
    return Cell(LABEL, tuple(("label", row) for row in wrap_text(edge.label, _ROOM, 2)))


def _cell(node: Node) -> Cell:
    return Cell(node.kind, tuple(_iter_rows(node)))


def _iter_rows(node: Node) -> Iterator[tuple[str, str]]:
    if node.kind not in ENDINGS:
        # Bold letters need more room.
        yield from (("head", row) for row in wrap_text(node.head, 0.9 * _ROOM, 1))
    yield from (("text", row) for row in wrap_text(node.text, _ROOM, 2))
    if node.when is not None:
        yield from (("when", row) for row in wrap_text(f"when {node.when}", _ROOM, 2))
