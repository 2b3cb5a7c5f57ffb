"""A flow laid out on a sheet: boxes and lines in pixels, independent of SVG."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from soni.config.diagrams.layout import GridPosition, Layout, Line, arrange_boxes, find_upward_lines
from soni.config.diagrams.model import ENDINGS, FLOW, Edge, Node, Picture
from soni.config.diagrams.text import clean_line, width, wrap_text

LABEL = "label"
ROW_HEIGHT = 16.0
"""The height of a line of text."""

_LETTERS_PER_LINE = 30.0
# Letters of a word beside a box, and how many of them there is room for.
_MAX_WORD_LENGTH = 8.0
_MAX_WORDS = 4
_BOX_WIDTH = 240.0
_ENDING_WIDTH = 84.0
_COLUMN_WIDTH = _BOX_WIDTH + 28
_PADDING = 18.0
_LAYER_GAP = 30.0
_PORT_GAP = 34.0
_WORD_GAP = 58.0
_WORD_HEIGHT = 22.0

Point = tuple[float, float]
Ports = Mapping[tuple[int, int], float]


@dataclass(frozen=True)
class Cell:
    """A node or a label with its text."""

    kind: str
    """A node's kind, or `label`."""

    rows: tuple[tuple[str, str], ...]
    """Its lines of text, each with what it is: `head`, `text`, `when`, `label`."""

    node: str | None = None
    """The id of the node; None: a label."""


@dataclass(frozen=True)
class RoutedEdge:
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
    ways: list[RoutedEdge] = field(default_factory=list)
    lines: dict[Line, None] = field(default_factory=dict)
    """Each line once, in the order of the flow."""

    def add_cell(self, cell: Cell) -> int:
        """Add a cell and return its number."""
        self.all.append(cell)
        return len(self.all) - 1

    def connect(self, edge: Edge, source: int, target: int, *, up: bool, apart: bool) -> None:
        """Add an edge between two cells; `apart`: with a cell for its label."""
        above, below = (target, source) if up else (source, target)
        if source == target:
            down = (source, self.add_cell(_make_label_cell(edge)))
            self._add_way(RoutedEdge(edge, down, arrow=False))
            self._add_way(RoutedEdge(edge, down, up=True))
        elif (above, below) in self.lines or (edge.label and apart):
            label = self.add_cell(_make_label_cell(edge))
            self._add_way(RoutedEdge(edge, (above, label, below), up))
        else:
            self._add_way(RoutedEdge(edge, (above, below), up, word=clean_line(edge.label)))

    def _add_way(self, way: RoutedEdge) -> None:
        self.ways.append(way)
        self.lines |= dict.fromkeys(way.lines)


@dataclass(frozen=True)
class Box:
    """A cell, its centre and its size."""

    cell: Cell
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class DrawnPath:
    """A way and its points: straight from the first to the second, curved to the third, ..."""

    way: RoutedEdge
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Sheet:
    """A flow as it is drawn."""

    name: str
    boxes: tuple[Box, ...]
    paths: tuple[DrawnPath, ...]
    width: float
    height: float


def lay_out_sheet(picture: Picture) -> Sheet:
    """Lay a flow out."""
    desk = _SheetBuilder.from_cells(make_cells(picture))
    ways = desk.cells.ways
    boxes = [desk.place_box(at, cell) for at, cell in enumerate(desk.cells.all)]
    ports = desk.find_ports(boxes)
    paths = [DrawnPath(way, desk.find_points(at, way, boxes, ports)) for at, way in enumerate(ways)]
    boxes += [_make_word_box(path) for path in paths if path.way.word]
    right = max([box.x + box.width / 2 for box in boxes] + [x for p in paths for x, _ in p.points])
    return Sheet(picture.name, tuple(boxes), tuple(paths), right, desk.bands[-1][1])


def _make_word_box(path: DrawnPath) -> Box:
    """The word on a way, beside the box that it leaves."""
    x, y = path.points[0]
    middle = y - _WORD_HEIGHT / 2 if path.way.up else y + _WORD_HEIGHT / 2
    return Box(Cell(LABEL, (("label", path.way.word),)), x, middle, 0, ROW_HEIGHT - 2)


@dataclass(frozen=True)
class _SheetBuilder:
    """Converts grid places into pixels."""

    cells: Cells
    layout: Layout
    bands: Sequence[Point]
    """The top and the bottom of each layer, as high as the highest cell there."""

    @classmethod
    def from_cells(cls, cells: Cells) -> "_SheetBuilder":
        layout = arrange_boxes(list(cells.lines))
        heights = [0.0] * (max(place.layer for place in layout.cells.values()) + 1)
        # Room on both sides of a box with a word, because boxes are centred in their layer.
        with_words = {way.cells[-way.up] for way in cells.ways if way.word}
        for at, cell in enumerate(cells.all):
            layer, room = layout.cells[at].layer, 2 * _WORD_HEIGHT * (at in with_words)
            heights[layer] = max(heights[layer], _measure_height(cell) + room)
        bands: list[Point] = []
        for height in heights:
            top = bands[-1][1] + _LAYER_GAP if bands else 0.0
            bands.append((top, top + height))
        return cls(cells, layout, bands)

    def place_box(self, at: int, cell: Cell) -> Box:
        place = self.layout.cells[at]
        wide = _ENDING_WIDTH if cell.kind in ENDINGS else _BOX_WIDTH
        y = sum(self.bands[place.layer]) / 2
        return Box(cell, _find_x(place), y, wide, _measure_height(cell))

    def find_ports(self, boxes: Sequence[Box]) -> Ports:
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
            step = min(_WORD_GAP if words else _PORT_GAP, room)
            for index, (_, at) in enumerate(sorted(ways)):
                found[at, end] = box.x + (index - gaps / 2) * step
        return found

    def find_points(
        self, at: int, way: RoutedEdge, boxes: Sequence[Box], ports: Ports
    ) -> tuple[Point, ...]:
        above, below = boxes[way.cells[0]], boxes[way.cells[-1]]
        first, *between, last = self._list_places(way)
        points = [(ports[at, 0], above.y + above.height / 2)]
        points.append((ports[at, 0], self.bands[first.layer][1]))
        for place in between:
            points += [(_find_x(place), y) for y in self.bands[place.layer]]
        points.append((ports[at, -1], self.bands[last.layer][0]))
        points.append((ports[at, -1], below.y - below.height / 2))
        return tuple(reversed(points) if way.up else points)

    def _list_places(self, way: RoutedEdge) -> list[GridPosition]:
        """All places along a way, from its first cell to its last."""
        passed = [self.layout.cells[way.cells[0]]]
        for line in way.lines:
            passed += [*self.layout.bends[line], self.layout.cells[line[1]]]
        return passed


def _measure_height(cell: Cell) -> float:
    return len(cell.rows) * ROW_HEIGHT + (0 if cell.kind == LABEL else _PADDING)


def _find_x(place: GridPosition) -> float:
    return (place.x - 0.5) * _COLUMN_WIDTH + _BOX_WIDTH / 2


def make_cells(picture: Picture) -> Cells:
    """The cells of a picture."""
    cells = Cells()
    nodes = {node.id: node for node in picture.nodes}
    inner = (node for node in picture.nodes if not _is_leaf(node))
    numbers = {node.id: cells.add_cell(_make_cell(node)) for node in inner}
    ends: list[tuple[Edge, int, int]] = []
    for edge in picture.edges:
        to = nodes[edge.target]
        # One end node per edge: lines to a shared one would cross the whole diagram.
        target = cells.add_cell(_make_cell(to)) if _is_leaf(to) else numbers[to.id]
        ends.append((edge, numbers[edge.source], target))
    back = find_upward_lines([(source, target) for _, source, target in ends])
    crowd = Counter(source for _, source, _ in ends) + Counter(target for _, target in back)
    # Next to a long label, short ones get a cell too, so that their targets share a layer.
    aloof = {source for edge, source, _ in ends if width(edge.label) > _MAX_WORD_LENGTH}
    for edge, source, target in ends:
        apart = source in aloof or crowd[source] > _MAX_WORDS
        cells.connect(edge, source, target, up=(source, target) in back, apart=apart)
    return cells


def _is_leaf(node: Node) -> bool:
    return node.kind == FLOW or node.kind in ENDINGS


def _make_label_cell(edge: Edge) -> Cell:
    return Cell(LABEL, tuple(("label", row) for row in wrap_text(edge.label, _LETTERS_PER_LINE, 2)))


def _make_cell(node: Node) -> Cell:
    # Bold letters need more room.
    head = [] if node.kind in ENDINGS else wrap_text(node.head, 0.9 * _LETTERS_PER_LINE, 1)
    text = wrap_text(node.text, _LETTERS_PER_LINE, 2)
    when = wrap_text(f"when {node.when}", _LETTERS_PER_LINE, 2) if node.when is not None else []
    rows = {"head": head, "text": text, "when": when}
    lines = tuple((kind, line) for kind, lines in rows.items() for line in lines)
    return Cell(node.kind, lines, node.id)
