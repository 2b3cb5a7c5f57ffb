"""Pictures as SVG: complete in itself, readable on a light and on a dark page."""

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from soni.config.pictures.model import Picture
from soni.config.pictures.sheet import ROW, Box, Path, Point, Sheet, sheet_of
from soni.config.pictures.style import STYLE, outline
from soni.config.pictures.text import shorten_text

_MARGIN = 28.0
_TITLE = 40.0
_WIDEST = 1800.0
_NAME = 60


def svg(pictures: Sequence[Picture]) -> str:
    """All flows on one page."""
    placed = list(_place_sheets([sheet_of(picture) for picture in pictures]))
    width = max((x + sheet.width for sheet, x, _ in placed), default=0) + _MARGIN
    height = max((y + sheet.height for sheet, _, y in placed), default=0) + _MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="soni" role="img" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">',
        f"<style>{STYLE}</style>",
        '<rect class="page" width="100%" height="100%"/>',
    ]
    for sheet, x, y in placed:
        lines += _draw_flow(sheet, x, y)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _place_sheets(sheets: Sequence[Sheet]) -> Iterator[tuple[Sheet, float, float]]:
    """Flows side by side, in rows that are not too wide."""
    x, top, bottom = _MARGIN, _MARGIN, _MARGIN
    for sheet in sheets:
        if x > _MARGIN and x + sheet.width > _WIDEST:
            x, top = _MARGIN, bottom + _MARGIN
        yield sheet, x, top + _TITLE
        x += sheet.width + 2 * _MARGIN
        bottom = max(bottom, top + _TITLE + sheet.height)


def _draw_flow(sheet: Sheet, x: float, y: float) -> Iterator[str]:
    yield f'<g transform="translate({x:.1f} {y:.1f})">'
    title = _escape_text(shorten_text(sheet.name, _NAME))
    yield f'<text class="title" x="0" y="-18">{title}</text>'
    for path in sheet.paths:
        yield from _path(path)
    for box in sheet.boxes:
        yield from _box(box)
    yield "</g>"


def _path(path: Path) -> Iterator[str]:
    (x, y), *rest = path.points
    drawn = [f"M{x:.1f} {y:.1f}"]
    for index, point in enumerate(rest):
        drawn.append(_curve((x, y), point) if index % 2 else f"L{point[0]:.1f} {point[1]:.1f}")
        x, y = point
    kind = path.way.edge.kind.replace("_", "-")
    yield f'<path class="line {_escape_text(kind)}" d="{"".join(drawn)}"/>'
    if path.way.arrow:
        back = y + 8 if path.way.up else y - 8
        tip = f"M{x - 4:.1f} {back:.1f}L{x:.1f} {y:.1f}L{x + 4:.1f} {back:.1f}Z"
        yield f'<path class="tip {_escape_text(kind)}" d="{tip}"/>'


def _curve(a: Point, b: Point) -> str:
    middle = (a[1] + b[1]) / 2
    return f"C{a[0]:.1f} {middle:.1f} {b[0]:.1f} {middle:.1f} {b[0]:.1f} {b[1]:.1f}"


def _box(box: Box) -> Iterator[str]:
    kind = _escape_text(box.cell.kind)
    yield f'<g class="{kind}">'
    yield from outline(box)
    top = box.y - len(box.cell.rows) * ROW / 2
    for index, (style, text) in enumerate(box.cell.rows):
        y = top + (index + 0.75) * ROW
        yield f'<text class="{style}" x="{box.x:.1f}" y="{y:.1f}">{_row(style, text, box)}</text>'
    yield "</g>"


def _row(style: str, text: str, box: Box) -> str:
    if style != "head":
        return _escape_text(text)
    kind = len(box.cell.kind)
    return f'<tspan class="kind">{_escape_text(text[:kind])}</tspan>{_escape_text(text[kind:])}'


def _escape_text(text: str) -> str:
    return escape(text, {'"': "&quot;"})
