"""A page that needs nothing else: no network, no script. What comes from people is escaped."""

from collections.abc import Collection, Sequence
from html import escape
from typing import Any

from soni.audit.report.style import STYLE


def document(title: str, body: str) -> str:
    """The whole page."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Whatever a text may be taken for, nothing on this page is ever run or fetched.
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def cards(told: Sequence[tuple[str, Any]]) -> str:
    """The figures that matter most, side by side."""
    each = (
        f"<div><dt>{escape(name)}</dt><dd>{escape(str(value))}</dd></div>" for name, value in told
    )
    return f'<dl class="cards">{"".join(each)}</dl>\n'


def section(title: str, told: str, inside: str) -> str:
    """A part of the page; `inside` is HTML."""
    note = f'<p class="soft">{escape(told)}</p>' if told else ""
    return f"<section><h2>{escape(title)}</h2>{note}{inside}</section>\n"


def key(kinds: Sequence[tuple[str, str]]) -> str:
    """What the colours of a plot stand for: kind and name."""
    each = (
        f'<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="{kind}" width="10" '
        f'height="10" rx="2"/></svg>{escape(name)}</li>'
        for kind, name in kinds
    )
    return f'<ul class="key">{"".join(each)}</ul>'


def table(
    head: Sequence[str], rows: Sequence[Sequence[Any]], *, texts: Collection[int] = (0,)
) -> str:
    """A table; the columns in `texts` hold words, the others numbers."""
    top = "".join(
        f'<th scope="col"{_number(index, texts)}>{escape(name)}</th>'
        for index, name in enumerate(head)
    )
    body = "".join(
        f'<tr><th scope="row">{escape(str(row[0]))}</th>'
        + "".join(
            f"<td{_number(index, texts)}>{escape(str(cell))}</td>"
            for index, cell in enumerate(row)
            if index
        )
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0"><table><thead><tr>{top}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _number(index: int, texts: Collection[int]) -> str:
    return "" if index in texts else ' class="n"'
