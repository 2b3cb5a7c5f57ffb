"""Diagrams as self-contained SVG for light and dark pages."""

from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape

from soni.config.diagrams.model import Picture
from soni.config.diagrams.sheet import LABEL, ROW_HEIGHT, Box, DrawnPath, Sheet, lay_out_sheet
from soni.config.diagrams.text import shorten_text, width

_COLOURS = {
    "say": ("#2f6fb3", "#79b0ea"),
    "generate": ("#4a52b8", "#9aa2f2"),
    "collect": ("#7a4fb5", "#b795e6"),
    "confirm": ("#7a4fb5", "#b795e6"),
    "action": ("#23805a", "#62c497"),
    "parallel": ("#23805a", "#62c497"),
    "set": ("#5d6b78", "#a3b1bf"),
    "branch": ("#a8690d", "#e0a94f"),
    "while": ("#a8690d", "#e0a94f"),
    "call": ("#127b8a", "#5cbfce"),
    "link": ("#127b8a", "#5cbfce"),
    "flow": ("#127b8a", "#5cbfce"),
    "handoff": ("#a83f6f", "#e58ab2"),
    "error": ("#b93a32", "#f08a82"),
}
"""Kind -> colour on a light page and on a dark one."""

_LIGHT = """
.soni text{font:12px "Helvetica Neue",Arial,"Noto Sans",sans-serif;text-anchor:middle;fill:#25303b}
.soni .page{fill:#fff}
.soni .title{font-size:17px;font-weight:600;text-anchor:start}
.soni .head,.soni .kind{font-weight:600}
.soni .when,.soni .label{font-style:italic;fill:#5a6772}
.soni .shape{fill:#f7f9fb;stroke:#5d6b78;stroke-width:1.3;stroke-linejoin:round}
.soni .bar{fill:none;stroke:#5d6b78;stroke-width:1.3}
.soni .under{fill:#fff}
.soni .line{fill:none;stroke:#7d8a96;stroke-width:1.4}
.soni .tip{fill:#7d8a96}
.soni .line.on-error{stroke:#b93a32;stroke-dasharray:6 4}
.soni .tip.on-error{fill:#b93a32}
.soni .line.call{stroke:#127b8a;stroke-dasharray:2 3}
.soni .line.link{stroke:#127b8a;stroke-width:2.2}
.soni .tip.call,.soni .tip.link{fill:#127b8a}
"""

_DARK = """
.soni text{fill:#e3e8ed}
.soni .page,.soni .under{fill:#171c21}
.soni .when,.soni .label{fill:#a9b5c0}
.soni .shape{fill:#20272e;stroke:#8b98a5}
.soni .bar{stroke:#8b98a5}
.soni .line.on-error{stroke:#f08a82}
.soni .tip.on-error{fill:#f08a82}
.soni .line.call,.soni .line.link{stroke:#5cbfce}
.soni .tip.call,.soni .tip.link{fill:#5cbfce}
"""


def _colours(dark: bool) -> str:
    return "".join(
        f".soni .{kind} .shape,.soni .{kind} .bar{{stroke:{pair[dark]}}}"
        f".soni .{kind} .kind{{fill:{pair[dark]}}}\n"
        for kind, pair in _COLOURS.items()
    )


STYLE = f"{_LIGHT}{_colours(False)}@media (prefers-color-scheme:dark){{{_DARK}{_colours(True)}}}\n"

_SLANT = 14.0
_LETTER_WIDTH = 6.7
_MARGIN = 28.0
_TITLE_HEIGHT = 40.0
_MAX_WIDTH = 1800.0
_MAX_NAME = 60
_CORNER_RADII = {
    **dict.fromkeys(("start", "flow"), 18),
    **dict.fromkeys(("end", "error", "cancel_flow"), 17),
    **dict.fromkeys(("say", "generate"), 12),
}
# For each corner: side (left, right), inset, and level (top, middle, bottom).
_CORNERS = {
    "collect": ((-1, 1, 0), (1, 0, 0), (1, -1, 2), (-1, 0, 2)),
    "parallel": ((-1, 1, 0), (1, -1, 0), (1, 0, 2), (-1, 0, 2)),
    "handoff": ((-1, 0, 0), (1, 0, 0), (1, -1, 2), (-1, 1, 2)),
    "while": ((-1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, 2), (-1, 0, 2), (-1, 0, 1)),
    "link": ((-1, 0, 0), (1, -1, 0), (1, 0, 1), (1, -1, 2), (-1, 0, 2)),
    "branch": ((-1, 1, 0), (1, -1, 0), (1, 0, 1), (1, -1, 2), (-1, 1, 2), (-1, 0, 1)),
    "confirm": ((-1, 1, 0), (1, -1, 0), (1, 0, 1), (1, -1, 2), (-1, 1, 2), (-1, 0, 1)),
}


def draw_outline(box: Box) -> Iterator[str]:
    """The shape around or behind the text of a box."""
    left, right = box.x - box.width / 2, box.x + box.width / 2
    top, bottom = box.y - box.height / 2, box.y + box.height / 2
    kind = box.cell.kind
    if kind == LABEL:
        wide = max((width(text) for _, text in box.cell.rows), default=0) * _LETTER_WIDTH + 8
        yield _draw_rect("under", box.x - wide / 2, top, wide, box.height, 2)
    elif kind in _CORNERS:
        yield f'<polygon class="shape" points="{find_corners(box)}"/>'
    else:
        yield _draw_rect("shape", left, top, box.width, box.height, _CORNER_RADII.get(kind, 4))
    if kind == "call":
        bars = (f"M{x:.1f} {top:.1f}V{bottom:.1f}" for x in (left + 7, right - 7))
        yield f'<path class="bar" d="{"".join(bars)}"/>'


def find_corners(box: Box) -> str:
    """The corners of a box that is no rectangle, as SVG's `points`; empty if it is one."""
    left, right = box.x - box.width / 2, box.x + box.width / 2
    levels = (box.y - box.height / 2, box.y, box.y + box.height / 2)
    return " ".join(
        f"{(left if side < 0 else right) + shift * _SLANT:.1f},{levels[level]:.1f}"
        for side, shift, level in _CORNERS.get(box.cell.kind, ())
    )


def export_sheet(sheet: Sheet) -> dict[str, Any]:
    """A drawn flow as plain data, for pages that build the picture themselves."""
    return {
        "name": sheet.name,
        "width": sheet.width,
        "height": sheet.height,
        "boxes": [
            {
                "node": box.cell.node,
                "kind": box.cell.kind,
                "x": box.x,
                "y": box.y,
                "width": box.width,
                "height": box.height,
                "radius": _CORNER_RADII.get(box.cell.kind, 4),
                "corners": find_corners(box),
                "rows": [{"style": style, "text": text} for style, text in box.cell.rows],
            }
            for box in sheet.boxes
        ],
        "paths": [
            {
                "from": path.way.edge.source,
                "to": path.way.edge.target,
                "kind": path.way.edge.kind,
                "label": path.way.edge.label,
                "boxes": list(path.way.cells),
                "line": trace_line(path),
                "tip": trace_tip(path) if path.way.arrow else "",
            }
            for path in sheet.paths
        ],
    }


def _draw_rect(style: str, x: float, y: float, wide: float, high: float, round: float) -> str:
    return (
        f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" '
        f'height="{high:.1f}" rx="{round:.0f}"/>'
    )


def render_svg(pictures: Sequence[Picture]) -> str:
    """All flows on one page."""
    placed = list(_place_sheets([lay_out_sheet(picture) for picture in pictures]))
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
        if x > _MARGIN and x + sheet.width > _MAX_WIDTH:
            x, top = _MARGIN, bottom + _MARGIN
        yield sheet, x, top + _TITLE_HEIGHT
        x += sheet.width + 2 * _MARGIN
        bottom = max(bottom, top + _TITLE_HEIGHT + sheet.height)


def _draw_flow(sheet: Sheet, x: float, y: float) -> Iterator[str]:
    yield f'<g transform="translate({x:.1f} {y:.1f})">'
    title = _escape_text(shorten_text(sheet.name, _MAX_NAME))
    yield f'<text class="title" x="0" y="-18">{title}</text>'
    for path in sheet.paths:
        yield from _draw_path(path)
    for box in sheet.boxes:
        yield from _draw_box(box)
    yield "</g>"


def trace_line(path: DrawnPath) -> str:
    """The line of a path, as SVG's `d`."""
    (x, y), *rest = path.points
    drawn = [f"M{x:.1f} {y:.1f}"]
    for index, (to_x, to_y) in enumerate(rest):
        middle = (y + to_y) / 2
        curve = f"C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}"
        drawn.append(curve if index % 2 else f"L{to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
    return "".join(drawn)


def trace_tip(path: DrawnPath) -> str:
    """The tip of its arrow, as SVG's `d`."""
    x, y = path.points[-1]
    back = y + 8 if path.way.up else y - 8
    return f"M{x - 4:.1f} {back:.1f}L{x:.1f} {y:.1f}L{x + 4:.1f} {back:.1f}Z"


def _draw_path(path: DrawnPath) -> Iterator[str]:
    kind = path.way.edge.kind.replace("_", "-")
    yield f'<path class="line {_escape_text(kind)}" d="{trace_line(path)}"/>'
    if path.way.arrow:
        yield f'<path class="tip {_escape_text(kind)}" d="{trace_tip(path)}"/>'


def _draw_box(box: Box) -> Iterator[str]:
    kind = _escape_text(box.cell.kind)
    yield f'<g class="{kind}">'
    yield from draw_outline(box)
    top = box.y - len(box.cell.rows) * ROW_HEIGHT / 2
    for index, (style, text) in enumerate(box.cell.rows):
        y = top + (index + 0.75) * ROW_HEIGHT
        yield f'<text class="{style}" x="{box.x:.1f}" y="{y:.1f}">{_row(style, text, box)}</text>'
    yield "</g>"


def _row(style: str, text: str, box: Box) -> str:
    if style != "head":
        return _escape_text(text)
    kind = len(box.cell.kind)
    return f'<tspan class="kind">{_escape_text(text[:kind])}</tspan>{_escape_text(text[kind:])}'


def _escape_text(text: str) -> str:
    return escape(text, {'"': "&quot;"})
