"""Plots as inline SVG. Their colours are the page's; what a plot shows, its label says too."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Literal

from soni.pages.page import Html

Tone = Literal["plain", "good", "caution", "poor", "bad", "info", "idle"]
"""A colour of the page's style, named by what it says."""

_WIDTH: Final = 720
_LABELS: Final = 270
"""The room for the names of bars."""

_LABEL_LENGTH: Final = 34
_ROW: Final = 30
_BAR: Final = 18
_ABOVE: Final = 16
"""The room for a name above its bar."""

_THIN: Final = 13
"""The height of a bar that stands beside others of its row."""

_NARROW: Final = 300
"""The width on a phone, where the name of a bar stands above it."""

_COLUMNS: Final = 190
_FOOT: Final = 24
_SIDE: Final = 240
"""Of the square in which dots are drawn."""

_LEFT: Final = 44
_TOP: Final = 28
_CELL: Final = 34
_NAMES: Final = 150
"""The room for the names of a matrix's rows."""


@dataclass(frozen=True)
class Series:
    """What the parts of one colour stand for in a plot of stacked bars."""

    name: str
    tone: Tone


@dataclass(frozen=True)
class Dot:
    """A dot in a square whose sides go from 0 to 1."""

    x: float
    y: float
    radius: float
    text: str
    """What it stands for."""


def draw_stacked_bars(
    title: str, series: Sequence[Series], rows: Sequence[tuple[str, Sequence[int]]]
) -> Html:
    """One bar for each row, all to one scale, and a legend. A row has a count for each series."""
    bars = _draw_bars(title, series, rows)
    return Html(_draw_legend(series) + bars) if bars else bars


def draw_bars(title: str, rows: Sequence[tuple[str, int]], tone: Tone = "plain") -> Html:
    """One bar for each row."""
    return _draw_bars(title, [Series("", tone)], [(label, [count]) for label, count in rows])


def draw_shares(
    title: str, series: Sequence[Series], rows: Sequence[tuple[str, Sequence[float | None]]]
) -> Html:
    """A thin bar for each series in each row, on a scale from 0 to 100 %, and a legend."""
    scale = _WIDTH - _LABELS - 60
    high = len(series) * _THIN + 14
    shapes: list[str] = []
    for index, (label, shares) in enumerate(rows):
        top = index * high + 6
        middle = top + len(series) * _THIN / 2 + 4
        shapes.append(_draw_text(_LABELS - 8, middle, _shorten(label), "label end", tip=label))
        for place, (each, share) in enumerate(zip(series, shares, strict=True)):
            if share is not None:
                y, shown = top + place * _THIN, f"{100 * share:.0f} %"
                wide = max(share * scale, 1)
                tip = f"{label}, {each.name}: {shown}"
                shapes.append(_draw_rect(each.tone, _LABELS, y, wide, _THIN - 2, tip))
                shapes.append(_draw_text(_LABELS + wide + 6, y + _THIN - 4, shown, "tick"))
    about = "; ".join(f"{label}: {_describe_shares(series, shares)}" for label, shares in rows)
    bars = _draw_svg(f"{title}. {about}", len(rows) * high + 8, shapes)
    return Html(_draw_legend(series) + bars) if rows else Html("")


def draw_columns(title: str, groups: Sequence[tuple[str, int]], unit: str) -> Html:
    """One column for each group, side by side; at most ten of them have their name below."""
    most = max((count for _, count in groups), default=0)
    if not most:
        return Html("")
    step = (_WIDTH - 40) / len(groups)
    base, wide = _COLUMNS - _FOOT, max(1.0, min(step * 0.82, 64))
    every = max(1, -(-len(groups) // 10))
    shapes = [
        f'<line class="grid" x1="36" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f"{_draw_text(30, y + 4, str(count), 'tick end')}"
        for y, count in ((base, 0), (16.0, most))
    ]
    for index, (label, count) in enumerate(groups):
        left = 36 + index * step
        high = (base - 16) * count / most
        tip = f"{label}: {count} {unit}"
        shapes.append(_draw_rect("plain", left, base - high, wide, high, tip))
        if index % every == 0:
            shapes.append(_draw_text(left + wide / 2, _COLUMNS - 8, label, "tick middle"))
    about = "; ".join(f"{label}: {count}" for label, count in groups if count)
    return _draw_svg(f"{title}. {about}", _COLUMNS, shapes)


def draw_dots(
    title: str,
    dots: Sequence[Dot],
    axes: tuple[str, str],
    *,
    floor: float = 0.0,
    has_diagonal: bool = False,
    has_line: bool = False,
) -> Html:
    """Dots between two axes: x from 0 to 1, y from the floor to 1.

    A diagonal shows where both are the same; a line joins the dots in their order.
    """
    places = [_to_pixels(dot.x, (dot.y - floor) / (1 - floor)) for dot in dots]
    shapes = [_draw_line((0, 0), (1, 1))] if has_diagonal else []
    shapes += _draw_axes(axes, floor)
    if has_line:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        shapes.append(f'<polyline class="line" points="{points}"/>')
    shapes += (
        f'<circle class="plain" cx="{x:.1f}" cy="{y:.1f}" r="{dot.radius:.1f}">'
        f"{_draw_tip(dot.text)}</circle>"
        for dot, (x, y) in zip(dots, places, strict=True)
    )
    about = "; ".join(dot.text for dot in dots)
    return _draw_svg(f"{title}. {about}", _TOP + _SIDE + 42, shapes)


def draw_matrix(title: str, counts: Mapping[tuple[str, str], int]) -> Html:
    """Counts by row and column; the higher, the darker."""
    rows = sorted({row for row, _ in counts})
    columns = sorted({column for _, column in counts})
    most = max(counts.values(), default=1)
    shapes = []
    for down, row in enumerate(rows):
        top = down * _CELL + 4
        shapes.append(_draw_text(_NAMES - 8, top + 21, row, "label end"))
        for across, column in enumerate(columns):
            count = counts.get((row, column), 0)
            left = _NAMES + across * _CELL
            shapes.append(_draw_cell(left, top, count, most, f"{row}, {column}: {count}"))
    foot = len(rows) * _CELL + 4
    for across, column in enumerate(columns):
        x = _NAMES + (across + 0.5) * _CELL + 4
        shapes.append(
            f'<text class="tick end" transform="translate({x:.1f} {foot + 10}) rotate(-45)">'
            f"{escape(column)}</text>"
        )
    about = "; ".join(f"{row}, {column}: {count}" for (row, column), count in counts.items())
    width = max(_WIDTH, _NAMES + len(columns) * _CELL)
    return _draw_svg(f"{title}. {about}", foot + 110, shapes, width)


def _draw_bars(
    title: str, series: Sequence[Series], rows: Sequence[tuple[str, Sequence[int]]]
) -> Html:
    most = max((sum(counts) for _, counts in rows), default=0)
    if not most:
        return Html("")
    about = "; ".join(f"{label}: {_describe(series, counts)}" for label, counts in rows)
    wide: list[str] = []
    narrow: list[str] = []
    for index, (label, counts) in enumerate(rows):
        top, low = index * _ROW + 6, index * (_ROW + _ABOVE) + _ABOVE
        wide.append(
            _draw_text(_LABELS - 8, top + _BAR - 5, _shorten(label), "label end", tip=label)
        )
        wide += _draw_bar(label, series, counts, (_LABELS, top), (_WIDTH - _LABELS - 60) / most)
        narrow.append(_draw_text(0, low - 6, _shorten(label), "label", tip=label))
        narrow += _draw_bar(label, series, counts, (0, low), (_NARROW - 40) / most)
    text, high = f"{title}. {about}", len(rows) * (_ROW + _ABOVE) + 4
    return Html(
        f'<div><div class="wide">{_draw_svg(text, len(rows) * _ROW + 8, wide)}</div>'
        f'<div class="narrow">{_draw_svg(text, high, narrow, _NARROW)}</div></div>'
    )


def _draw_bar(
    label: str,
    series: Sequence[Series],
    counts: Sequence[int],
    start: tuple[float, float],
    scale: float,
) -> Iterator[str]:
    left, top = start
    for each, count in zip(series, counts, strict=True):
        if count:
            tip = f"{label}, {each.name}: {count}" if each.name else f"{label}: {count}"
            yield _draw_rect(each.tone, left, top, max(count * scale, 1), _BAR, tip)
            left += count * scale
    yield _draw_text(left + 6, top + _BAR - 5, str(sum(counts)), "number")


def _shorten(label: str) -> str:
    return label if len(label) <= _LABEL_LENGTH else f"{label[: _LABEL_LENGTH - 1]}…"


def _describe_shares(series: Sequence[Series], shares: Sequence[float | None]) -> str:
    pairs = zip(series, shares, strict=True)
    return ", ".join(
        f"{each.name} {100 * share:.0f} %" for each, share in pairs if share is not None
    )


def _describe(series: Sequence[Series], counts: Sequence[int]) -> str:
    """The counts of a bar in words: `paid 80, returned 3`."""
    parts = (
        f"{each.name} {count}"
        for each, count in zip(series, counts, strict=True)
        if count and each.name
    )
    return ", ".join(parts) or str(sum(counts))


def _draw_legend(series: Sequence[Series]) -> str:
    items = (
        f'<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="{each.tone}" width="10" '
        f'height="10" rx="2"/></svg>{escape(each.name)}</li>'
        for each in series
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def _draw_cell(left: float, top: float, count: int, most: int, tip: str) -> str:
    shade = 0.12 + 0.68 * count / most if count else 0.04
    number = _draw_text(left + _CELL / 2, top + 21, str(count), "number middle") if count else ""
    return (
        f'<rect class="bad" fill-opacity="{shade:.2f}" x="{left}" y="{top}" '
        f'width="{_CELL - 2}" height="{_CELL - 2}" rx="3">{_draw_tip(tip)}</rect>{number}'
    )


def _draw_axes(names: tuple[str, str], floor: float) -> Iterator[str]:
    across, up = names
    yield _draw_line((0, 0), (1, 0))
    yield _draw_line((0, 0), (0, 1))
    for tick in (0.0, 0.5, 1.0):
        x, y = _to_pixels(tick, tick)
        yield _draw_text(x, _TOP + _SIDE + 16, f"{tick:g}", "tick middle")
        yield _draw_text(_LEFT - 8, y + 4, f"{floor + tick * (1 - floor):.3g}", "tick end")
    yield _draw_text(_LEFT + _SIDE / 2, _TOP + _SIDE + 34, across, "tick middle")
    yield _draw_text(_LEFT, 14, up, "tick middle")


def _draw_line(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x1, y1), (x2, y2) = _to_pixels(*start), _to_pixels(*end)
    return f'<line class="grid" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _to_pixels(across: float, up: float) -> tuple[float, float]:
    """Shares of the square's sides as pixels, which count from the top."""
    return _LEFT + across * _SIDE, _TOP + (1 - up) * _SIDE


def _draw_rect(tone: Tone, x: float, y: float, width: float, height: float, tip: str) -> str:
    return (
        f'<rect class="{tone}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" rx="2">{_draw_tip(tip)}</rect>'
    )


def _draw_text(x: float, y: float, text: str, style: str, *, tip: str = "") -> str:
    inside = escape(text) + (_draw_tip(tip) if tip else "")
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}">{inside}</text>'


def _draw_tip(text: str) -> str:
    return f"<title>{escape(text)}</title>"


def _draw_svg(label: str, height: float, shapes: Sequence[str], width: float = _WIDTH) -> Html:
    return Html(
        f'<div class="scroll" tabindex="0"><svg viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{escape(label)}">{"".join(shapes)}</svg></div>'
    )
