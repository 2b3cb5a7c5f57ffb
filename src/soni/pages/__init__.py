"""The kit for HTML pages: one style, tables, and plots as inline SVG.

A page is one file that needs nothing else: no network and no script, so it can be mailed and kept.
Functions that `render` or `draw` take plain texts, which they escape, and return `Html`, which goes
into a section or a page as it is. A text that is no `Html` cannot get there: mypy refuses it.

    >>> from soni.pages.page import render_cards, render_page, render_section, render_table
    >>> from soni.pages.plots import Series, draw_stacked_bars
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

`page` has the page, its sections and tables, `plots` the plots, `numbers` writes shares and times
as people read them, and `style.css` is how everything looks.
"""
