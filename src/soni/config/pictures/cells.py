"""What there is to arrange in a drawing: a cell for each node and for each long label."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from soni.config.pictures.edges import Edge
from soni.config.pictures.layout import Line, upward
from soni.config.pictures.model import ENDINGS, FLOW, Node, Picture
from soni.config.pictures.text import tidy, width, wrap_text

LABEL = "label"

_ROOM = 30.0
"""Letters in a line of a box."""

_CELL_WORD = 8.0
_CELL_WORDS = 4
"""Letters of a word beside a box, and how many of them there is room for."""


@dataclass(frozen=True)
class Cell:
    """Something with text in it."""

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
    """Whether it leads from the last of them to the first."""

    word: str = ""
    """A label that is short enough to stand beside the box that the way leaves."""

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
        """The number of a new cell."""
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


def cells_of(picture: Picture) -> Cells:
    """The cells of a picture."""
    cells = Cells()
    nodes = {node.id: node for node in picture.nodes}
    numbers = {node.id: cells.add(_cell(node)) for node in picture.nodes if not _leaf(node)}
    ends: list[tuple[Edge, int, int]] = []
    for edge in picture.edges:
        to = nodes[edge.target]
        # An end for each way there: lines to a single one would cross the whole picture.
        target = cells.add(_cell(to)) if _leaf(to) else numbers[to.id]
        ends.append((edge, numbers[edge.source], target))
    back = upward([(source, target) for _, source, target in ends])
    crowd = Counter(source for _, source, _ in ends) + Counter(target for _, target in back)
    # Beside long labels even short ones get a cell: what they lead to is then side by side.
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
