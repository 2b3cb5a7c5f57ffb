"""Plots as inline SVG. Colours are the page's; what a plot shows, its text says too."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

WIDTH: Final = 720
_LABELS: Final = 270
_ROW: Final = 30
_BAR: Final = 18
_HEIGHT: Final = 190
_FOOT: Final = 24
_LONGEST: Final = 38


@dataclass(frozen=True)
class Part:
    """A piece of a bar."""

    name: str
    kind: str
    """A class of the page's style, which gives it its colour."""

    count: int


def stacked(title: str, rows: Sequence[tuple[str, Sequence[Part]]]) -> str:
    """One bar for each row, all to one scale, its parts side by side."""
    most = max((sum(part.count for part in parts) for _, parts in rows), default=0)
    if not most:
        return ""
    scale = (WIDTH - _LABELS - 60) / most
    drawn = []
    for index, (label, parts) in enumerate(rows):
        top, left = index * _ROW + 6, float(_LABELS)
        drawn.append(_label(label, top))
        for part in parts:
            if part.count:
                drawn.append(_piece(part, left, top, part.count * scale, label))
                left += part.count * scale
        total = sum(part.count for part in parts)
        drawn.append(_text(left + 6, top + _BAR - 5, str(total), "number"))
    about = "; ".join(f"{label}: {_said(label, parts)}" for label, parts in rows)
    return _svg(title, about, len(rows) * _ROW + 8, drawn)


def bars(title: str, rows: Sequence[tuple[str, int]], kind: str = "plain") -> str:
    """One bar for each row."""
    return stacked(title, [(label, [Part(label, kind, count)]) for label, count in rows])


def columns(title: str, groups: Sequence[tuple[str, int]], unit: str) -> str:
    """One column for each group, side by side; a few of them have their name below."""
    most = max((count for _, count in groups), default=0)
    if not most:
        return ""
    step = (WIDTH - 40) / len(groups)
    base, wide = _HEIGHT - _FOOT, max(1.0, min(step * 0.82, 64))
    every = max(1, -(-len(groups) // 10))
    drawn = [_grid(base, most)]
    for index, (label, count) in enumerate(groups):
        left = 36 + index * step
        tall = (base - 16) * count / most
        told = _tip(f"{label}: {count} {unit}")
        drawn.append(
            f'<rect class="plain" x="{left:.1f}" y="{base - tall:.1f}" width="{wide:.1f}" '
            f'height="{tall:.1f}" rx="2">{told}</rect>'
        )
        if index % every == 0:
            drawn.append(_text(left + wide / 2, _HEIGHT - 8, label, "tick middle"))
    about = "; ".join(f"{label}: {count}" for label, count in groups if count)
    return _svg(title, about, _HEIGHT, drawn)


def _piece(part: Part, left: float, top: float, wide: float, label: str) -> str:
    name = f"{label}, {part.name}" if part.name != label else label
    told = _tip(f"{name}: {part.count}")
    return (
        f'<rect class="{part.kind}" x="{left:.1f}" y="{top}" width="{max(wide, 1):.1f}" '
        f'height="{_BAR}" rx="2">{told}</rect>'
    )


def _label(label: str, top: int) -> str:
    short = label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"
    return (
        f'<text class="label end" x="{_LABELS - 8}" y="{top + _BAR - 5}">{escape(short)}'
        f"{_tip(label)}</text>"
    )


def _grid(base: float, most: int) -> str:
    lines = (
        f'<line class="grid" x1="36" x2="{WIDTH}" y1="{at:.1f}" y2="{at:.1f}"/>'
        f'<text class="tick end" x="30" y="{at + 4:.1f}">{count}</text>'
        for at, count in ((base, 0), (16.0, most))
    )
    return "".join(lines)


def _text(left: float, top: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{left:.1f}" y="{top:.1f}">{escape(text)}</text>'


def _tip(text: str) -> str:
    return f"<title>{escape(text)}</title>"


def _said(label: str, parts: Sequence[Part]) -> str:
    told = (f"{part.name} {part.count}" for part in parts if part.count and part.name != label)
    return ", ".join(told) or str(sum(part.count for part in parts))


def _svg(title: str, about: str, height: float, drawn: Sequence[str]) -> str:
    return (
        f'<div class="scroll" tabindex="0"><svg viewBox="0 0 {WIDTH} {height:g}" role="img" '
        f'aria-label="{escape(f"{title}. {about}", quote=True)}">{"".join(drawn)}</svg></div>'
    )
