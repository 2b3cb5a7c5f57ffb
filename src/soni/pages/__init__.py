"""The kit for HTML pages: one style, tables, and plots as inline SVG.

A page is one file that needs nothing else: no network and no script, so it can be mailed and kept.
Functions that `render` or `draw` take plain texts, which they escape, and return `Html`, which goes
into a section or a page as it is. A text that is no `Html` cannot get there: mypy refuses it.

    >>> from soni.pages import Series, draw_stacked_bars, render_cards, render_page
    >>> from soni.pages import render_section, render_table
    >>> series = [Series("paid", "good"), Series("returned", "bad")]
    >>> page = render_page(
    ...     "Orders of R&D",
    ...     "March 2026.",
    ...     render_cards([("orders", 120), ("paid", "83 %")]),
    ...     render_section(
    ...         "By country",
    ...         "Where the orders came from.",
    ...         draw_stacked_bars("Orders", series, [("Spain", [80, 3]), ("Peru", [20, 17])]),
    ...         render_table(["country", "orders"], [("Spain", 83), ("Peru", 37)]),
    ...     ),
    ... )
    >>> "<h1>Orders of R&amp;D</h1>" in page
    True

`soni.pages.numbers` writes shares, times and moments as people read them.
"""

from soni.pages.page import (
    Html,
    render_alert,
    render_cards,
    render_page,
    render_section,
    render_table,
)
from soni.pages.plots import (
    Dot,
    Series,
    Tone,
    draw_bars,
    draw_columns,
    draw_dots,
    draw_matrix,
    draw_stacked_bars,
)

__all__ = [
    "Dot",
    "Html",
    "Series",
    "Tone",
    "draw_bars",
    "draw_columns",
    "draw_dots",
    "draw_matrix",
    "draw_stacked_bars",
    "render_alert",
    "render_cards",
    "render_page",
    "render_section",
    "render_table",
]
