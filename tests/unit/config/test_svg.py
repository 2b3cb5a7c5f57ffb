"""SVG: what is drawn, and that no text of an author breaks out of it."""

import re
import sys
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soni.config.diagrams.mermaid import render_mermaid
from soni.config.diagrams.model import Picture
from soni.config.diagrams.sheet import Box, Cell
from soni.config.diagrams.svg import STYLE, draw_outline, render_svg
from soni.config.diagrams.text import clean_line
from soni.core.errors import SoniError
from soni.steps import step_types
from tests.unit.config.pictures import HOSTILE, drawn, hostile, nasty, say


def texts(drawing: str) -> list[str]:
    root = ElementTree.fromstring(drawing)
    return ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]


def tags(drawing: str) -> set[str]:
    return {node.tag.partition("}")[2] for node in ElementTree.fromstring(drawing).iter()}


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_read_as_svg(text: str) -> None:
    drawing = render_svg([hostile(text)])
    assert tags(drawing) <= {"svg", "style", "rect", "g", "text", "tspan", "path", "polygon"}
    begun = clean_line(text)[:6]
    assert any(row.startswith(begun) for row in texts(drawing))
    assert max(len(row) for row in texts(drawing)) <= 60


@given(st.text())
def test_any_text_is_drawn_as_well_formed_svg(text: str) -> None:
    assert "script" not in tags(render_svg([hostile(text)]))


def test_svg_shows_steps_guards_and_labels() -> None:
    arms = [{"condition": "x > 1000000", "then": "b"}, {"else": "continue"}]
    steps = [{"step": "a", "branch": arms}, {"action": "pay", "on_error": "b"}, say("b", when="y")]
    drawing = render_svg([drawn(steps)])
    assert texts(drawing) == [
        "f", "start", "branch a", "action_pay", "pay", "say b", "x", "when y", "end",
        "x > 1000000", "else", "error",
    ]  # fmt: skip
    assert 'class="line on-error"' in drawing


def test_kinds_differ_in_shape_or_colour() -> None:
    looks = set()
    for kind in (*step_types(), "start", "end", "error", "flow"):
        colour = re.search(rf"\.{kind} \.kind{{fill:(#\w+)", STYLE)
        shape = "".join(draw_outline(Box(Cell(kind, ()), 0, 0, 240, 60)))
        looks.add((shape, colour[1] if colour else None))
    assert len(looks) == len(step_types()) + 4


def test_the_same_flows_give_the_same_drawing() -> None:
    assert render_svg([nasty()]) == render_svg([nasty()])


def test_flows_are_side_by_side_until_the_page_is_full() -> None:
    flows = [Picture(f"f{n}", p.nodes, p.edges) for n, p in enumerate([drawn([say("a")])] * 9)]
    page = ElementTree.fromstring(render_svg(flows))
    assert float(page.attrib["width"]) < 2000
    assert len(re.findall("translate", render_svg(flows))) == 9


def test_no_flows_are_an_empty_picture() -> None:
    assert texts(render_svg([])) == []
    assert render_mermaid([]) == "flowchart TD\n"


def test_without_its_library_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fast_sugiyama", None)
    with pytest.raises(SoniError, match=r"pip install 'soni\[graph\]'.*mermaid and json need none"):
        render_svg([nasty()])
