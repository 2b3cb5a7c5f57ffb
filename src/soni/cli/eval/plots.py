"""Plots of an evaluation as inline SVG: what they show, a table beside them says too."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from soni.testing.evaluate.calibration import Calibration
from soni.testing.evaluate.curve import Curve, Point

_SIDE: Final = 240
_LEFT: Final = 44
_TOP: Final = 28
_CELL: Final = 34
_NAMES: Final = 150


def reliability(calibration: Calibration) -> str:
    """How often it was right, by how sure it was. On the diagonal the two agree."""
    drawn = [_line(0, 0, 1, 1, "grid"), *_axes("confidence", "right, of those")]
    most = max((each.count for each in calibration.bins), default=1)
    for each in calibration.bins:
        told = f"{each.count} sentences, {each.confidence:.2f} sure, {each.right:.2f} right"
        size = 3 + 9 * (each.count / most) ** 0.5
        drawn.append(_dot(each.confidence, each.right, size, told))
    about = "; ".join(
        f"{each.confidence:.2f} sure: {each.right:.2f} right" for each in calibration.bins
    )
    return _svg(f"Reliability. {about}", 720, _TOP + _SIDE + 42, drawn)


def cascade(curve: Curve, proposed: Point | None) -> str:
    """How much is right, by the share that a model is asked about; what is proposed as a dot."""
    shares = [(point.asked.value or 0.0, point.right.value or 0.0) for point in curve.points]
    # What differs is near the top: the scale begins below the lowest.
    floor = min(0.9, int(10 * min(right for _, right in shares)) / 10)
    places = [(asked, (right - floor) / (1 - floor)) for asked, right in shares]
    way = " ".join(f"{left:.1f},{top:.1f}" for left, top in (_at(*place) for place in places))
    drawn = [
        *_axes("share that needs the model", "exact", floor),
        f'<polyline class="way" points="{way}"/>',
    ]
    told = [f"{asked:.3f} asked, {right:.3f} exact" for asked, right in shares]
    for point, place, share in zip(curve.points, places, told, strict=True):
        size = 6 if point == proposed else 2
        drawn.append(_dot(*place, size, f"threshold {point.threshold:g}: {share}"))
    return _svg(f"Cascade. {'; '.join(told)}", 720, _TOP + _SIDE + 42, drawn)


def matrix(counts: Mapping[tuple[str, str], int]) -> str:
    """What was meant, row by row, and what was said in its place."""
    rows = sorted({expected for expected, _ in counts})
    columns = sorted({got for _, got in counts})
    most = max(counts.values(), default=1)
    drawn = []
    for down, expected in enumerate(rows):
        top = down * _CELL + 4
        drawn.append(_text(_NAMES - 8, top + 21, expected, "label end"))
        for across, got in enumerate(columns):
            count = counts.get((expected, got), 0)
            drawn.append(_cell(_NAMES + across * _CELL, top, count, most, f"{expected}: {got}"))
    foot = len(rows) * _CELL + 4
    for across, got in enumerate(columns):
        left = _NAMES + across * _CELL + _CELL / 2
        drawn.append(
            f'<text class="tick end" transform="translate({left + 4:.1f} {foot + 10}) rotate(-45)">'
            f"{escape(got)}</text>"
        )
    width = max(720, _NAMES + len(columns) * _CELL)
    about = "; ".join(f"{meant} as {said} {n}" for (meant, said), n in counts.items())
    return _svg(f"Confusions. {about}", width, foot + 110, drawn)


def _cell(left: float, top: float, count: int, most: int, name: str) -> str:
    shade = 0.12 + 0.68 * count / most if count else 0.04
    number = _text(left + _CELL / 2, top + 21, str(count), "number middle") if count else ""
    return (
        f'<rect class="failed" fill-opacity="{shade:.2f}" x="{left}" y="{top}" '
        f'width="{_CELL - 2}" height="{_CELL - 2}" rx="3">'
        f"<title>{escape(name)}: {count}</title></rect>{number}"
    )


def _axes(across: str, up: str, floor: float = 0.0) -> list[str]:
    """Both from 0 to 1, or the second from a floor."""
    drawn = [_line(0, 0, 1, 0, "grid"), _line(0, 0, 0, 1, "grid")]
    for tick in (0.0, 0.5, 1.0):
        left, top = _at(tick, tick)
        drawn.append(_text(left, _TOP + _SIDE + 16, f"{tick:g}", "tick middle"))
        height = floor + tick * (1 - floor)
        drawn.append(_text(_LEFT - 8, top + 4, f"{height:.3g}", "tick end"))
    drawn.append(_text(_LEFT + _SIDE / 2, _TOP + _SIDE + 34, across, "tick middle"))
    drawn.append(_text(_LEFT, 14, up, "tick middle"))
    return drawn


def _dot(across: float, up: float, size: float, told: str) -> str:
    left, top = _at(across, up)
    return (
        f'<circle class="plain" cx="{left:.1f}" cy="{top:.1f}" r="{size:.1f}">'
        f"<title>{told}</title></circle>"
    )


def _at(across: float, up: float) -> tuple[float, float]:
    return _LEFT + across * _SIDE, _TOP + (1 - up) * _SIDE


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    (left, top), (right, bottom) = _at(x1, y1), _at(x2, y2)
    return f'<line class="{kind}" x1="{left}" y1="{top}" x2="{right}" y2="{bottom}"/>'


def _text(left: float, top: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{left:.1f}" y="{top:.1f}">{escape(text)}</text>'


def _svg(about: str, width: float, height: float, drawn: Sequence[str]) -> str:
    return (
        f'<div class="scroll" tabindex="0"><svg viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{escape(about, quote=True)}">{"".join(drawn)}</svg></div>'
    )
