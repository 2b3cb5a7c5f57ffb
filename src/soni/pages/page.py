"""A page and its parts. Every text that is handed in is escaped."""

from collections.abc import Collection, Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import NewType

Html = NewType("Html", str)
"""Markup that was made here or in `plots`: every text in it is escaped."""


def render_page(title: str, subtitle: str, *parts: Html) -> str:
    """The whole page, with its title and the sections below it."""
    style = (files("soni.pages") / "style.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Whatever a text may be taken for, nothing on this page is ever run or fetched.
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n<header><h1>{escape(title)}</h1>\n"
        f'<p class="soft">{escape(subtitle)}</p></header>\n'
        f"{''.join(parts)}</main>\n</body>\n</html>\n"
    )


def render_cards(figures: Iterable[tuple[str, object]]) -> Html:
    """The figures that matter most, side by side: what each counts, and its value."""
    cards = (
        f"<div><dt>{escape(name)}</dt><dd>{escape(str(value))}</dd></div>"
        for name, value in figures
    )
    return Html(f'<dl class="cards">{"".join(cards)}</dl>\n')


def render_section(title: str, note: str, *parts: Html) -> Html:
    """A part of the page with its own title; the note says what is seen in it."""
    note = f'<p class="soft">{escape(note)}</p>' if note else ""
    return Html(f"<section><h2>{escape(title)}</h2>{note}{''.join(parts)}</section>\n")


def render_part(title: str, *parts: Html) -> Html:
    """A part of a section with a smaller title."""
    return Html(f"<h3>{escape(title)}</h3>{''.join(parts)}")


def render_folded(title: str, *parts: Html) -> Html:
    """What is seen only when its title is chosen. On paper it stays folded."""
    return Html(f"<details><summary>{escape(title)}</summary>{''.join(parts)}</details>")


def render_alert(title: str, text: str) -> Html:
    """A section that nobody should miss."""
    return Html(f'<section class="alert"><h2>{escape(title)}</h2><p>{escape(text)}</p></section>\n')


def render_table(
    head: Sequence[str], rows: Iterable[Sequence[object]], *, texts: Collection[int] = (0,)
) -> Html:
    """A table. The columns in `texts` hold words, the others numbers."""
    classes = ["" if index in texts else ' class="n"' for index in range(len(head))]
    top = "".join(
        f'<th scope="col"{kind}>{escape(name)}</th>'
        for kind, name in zip(classes, head, strict=True)
    )
    body = "".join(_render_row(row, classes) for row in rows)
    return Html(
        f'<div class="scroll" tabindex="0"><table><thead><tr>{top}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _render_row(row: Sequence[object], classes: Sequence[str]) -> str:
    first, *rest = (escape(str(cell)) for cell in row)
    cells = (f"<td{kind}>{cell}</td>" for kind, cell in zip(classes[1:], rest, strict=True))
    return f'<tr><th scope="row">{first}</th>{"".join(cells)}</tr>'
