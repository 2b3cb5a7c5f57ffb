"""The kit for pages: texts stay texts, and plots are true to their numbers."""

import doctest
import re
from collections.abc import Callable
from importlib.resources import files
from typing import get_args
from xml.etree import ElementTree

import pytest

import soni.pages
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

HOSTILE = '</title></svg><script>alert(\'x\')</script>" onload="f()" & <b>'

PARTS: dict[str, Callable[[str], str]] = {
    "page": lambda text: _body(render_page(text, text)),
    "cards": lambda text: render_cards([(text, text)]),
    "section": lambda text: render_section(text, text),
    "alert": lambda text: render_alert(text, text),
    "table": lambda text: render_table([text, text], [(text, text)]),
    "bars": lambda text: draw_bars(text, [(text, 1)]),
    "stacked bars": lambda text: draw_stacked_bars(text, [Series(text, "good")], [(text, [1])]),
    "columns": lambda text: draw_columns(text, [(text, 1)], text),
    "dots": lambda text: draw_dots(text, [Dot(0.5, 0.5, 3, text)], (text, text)),
    "matrix": lambda text: draw_matrix(text, {(text, text): 1}),
}


def _body(page: str) -> str:
    return page[page.index("<main>") : page.index("</body>")]


def parse(markup: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<body>{markup}</body>")


def shape(element: ElementTree.Element) -> list[tuple[str, list[str]]]:
    return [(each.tag, list(each.attrib)) for each in element.iter()]


def numbers(element: ElementTree.Element, tag: str, *names: str) -> list[tuple[float, ...]]:
    return [tuple(float(each.get(name, "")) for name in names) for each in element.iter(tag)]


def test_the_example_works() -> None:
    failed, tried = doctest.testmod(soni.pages)
    assert tried > 1
    assert failed == 0


@pytest.mark.parametrize("part", PARTS)
def test_whatever_is_handed_in_stays_a_text(part: str) -> None:
    plain, hostile = (parse(PARTS[part](text)) for text in ("word", HOSTILE))
    assert shape(hostile) == shape(plain)
    # A bar's name is cut to its room; the whole of it is in its tip.
    assert any(HOSTILE in text for text in hostile.itertext())


def test_a_row_that_does_not_fit_its_head_is_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        render_table(["a", "b"], [("only one",)])


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    table = parse(render_table(["who", "where", "times"], [("ann", "here", 3)], texts=(0, 1)))
    marked = {each.text: each.get("class") for each in table.iter() if each.text}
    assert marked == {"who": None, "where": None, "times": "n", "ann": None, "here": None, "3": "n"}


def test_a_section_holds_its_parts_in_their_order() -> None:
    section = render_section("Title", "", Html("<p>one</p>"), Html("<p>two</p>"))
    assert section == "<section><h2>Title</h2><p>one</p><p>two</p></section>\n"


def test_bars_are_stacked_to_one_scale_with_a_legend() -> None:
    series = [Series("paid", "good"), Series("returned", "bad")]
    markup = draw_stacked_bars("Orders", series, [("Spain", [30, 10]), ("Peru", [20, 0])])
    legend, plots = parse(markup)
    assert "".join(legend.itertext()) == "paidreturned"
    # On a phone the names stand above the bars, which have all of the width.
    for plot, room in zip(plots, (720, 300), strict=True):
        (first, wide), (second, narrow), (third, other) = numbers(plot, "rect", "x", "width")
        assert wide == pytest.approx(3 * narrow, abs=0.2)
        assert other == pytest.approx(2 * narrow, abs=0.2)
        assert second == pytest.approx(first + wide, abs=0.2)
        assert third == first
        assert second + narrow < room
    assert 'aria-label="Orders. Spain: paid 30, returned 10; Peru: paid 20"' in markup
    assert draw_stacked_bars("Orders", series, [("Spain", [0, 0])]) == ""


def test_dots_stand_where_their_values_are() -> None:
    dots = [Dot(0, 0.5, 2, "low"), Dot(1, 1, 2, "high"), Dot(0.5, 0.75, 2, "middle")]
    plot = parse(draw_dots("x", dots, ("across", "up"), floor=0.5, has_line=True))
    (left, bottom), (right, top), (centre, middle) = numbers(plot, "circle", "cx", "cy")
    assert left < right
    assert top < bottom
    assert (centre, middle) == ((left + right) / 2, (top + bottom) / 2)
    line = plot.find(".//polyline")
    assert line is not None
    assert line.get("points", "").split()[0] == f"{left},{bottom}"
    assert {"0.5", "0.75", "1", "across", "up"} <= {each.text for each in plot.iter("text")}
    assert "polyline" not in draw_dots("x", dots, ("across", "up"))


def test_the_higher_a_count_the_darker_its_cell() -> None:
    plot = parse(draw_matrix("x", {("a", "b"): 1, ("a", "c"): 4, ("d", "c"): 2}))
    shades = {
        cell.findtext("title"): float(cell.get("fill-opacity", "")) for cell in plot.iter("rect")
    }
    ordered = sorted(shades, key=lambda name: shades[name])
    assert ordered == ["d, b: 0", "a, b: 1", "d, c: 2", "a, c: 4"]


@pytest.mark.parametrize("tone", get_args(Tone))
def test_every_tone_has_a_colour_by_day_and_by_night(tone: str) -> None:
    style = (files("soni.pages") / "style.css").read_text(encoding="utf-8")
    assert f".{tone} {{ fill: var(--{tone}); }}" in style
    assert len(set(re.findall(rf"--{tone}: (#\w+);", style))) == 2
