"""Pictures: what is in them, and that no text of an author breaks out of them."""

import re
import sys
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soni.config.assistant import Assistant
from soni.config.diagrams.mermaid import render_mermaid
from soni.config.diagrams.model import Picture, build_pictures, export_pictures
from soni.config.diagrams.sheet import Box, Cell, lay_out_sheet
from soni.config.diagrams.svg import STYLE, draw_outline, render_svg
from soni.config.diagrams.text import clean_line, shorten_text, width, wrap_text
from soni.config.models import SoniConfig
from soni.core.errors import SoniError
from soni.steps import step_types

HOSTILE = [
    '"]; click f0n1 call alert(1)',
    "</text></svg><script>alert('x')</script>",
    "%%{init: {'theme': 'dark'}}%%",
    "`**md**` -->|x| f9n9",
    "one\ntwo\r\n  end\n---\n",
    "& &lt; &#60; #60; #quot;",
    "style a:b#c; classDef x fill:#fff;",
    "a\x00b\x1b[31m\u202egnp\ud800\ufffe",
    "]]>--><!--",
    "漢字" * 200,
    "W" * 9000,
]


def drawn(steps: list[dict[str, Any]], /, **flow: Any) -> Picture:
    return build_pictures(Assistant(config({"f": {"steps": steps, **flow}})))[0]


def config(flows: dict[str, Any], **rest: Any) -> SoniConfig:
    return SoniConfig.model_validate({"flows": flows, **rest})


def edges(picture: Picture) -> list[tuple[str, str, str, str]]:
    """All but the one from the start."""
    return [(e.source, e.target, e.kind, e.label) for e in picture.edges[1:]]


def nodes(picture: Picture) -> dict[str, str]:
    """The text of each step."""
    kinds = {"start", "flow", "end", "error", "cancel_flow"}
    return {node.id: node.text for node in picture.nodes if node.kind not in kinds}


def say(step: str, **rest: Any) -> dict[str, Any]:
    return {"step": step, "say": "x", **rest}


def test_steps_follow_each_other_from_the_start_to_the_end() -> None:
    picture = drawn([say("a"), say("b")], description="I talk.")
    start = picture.nodes[0]
    assert (start.id, start.kind, start.text) == ("flow:f", "start", "I talk.")
    assert (picture.edges[0].source, picture.edges[0].target) == ("flow:f", "a")
    assert edges(picture) == [("a", "b", "next", ""), ("b", "end", "next", "")]
    assert [node.id for node in picture.nodes] == ["flow:f", "a", "b", "end"]


def test_the_condition_of_a_trigger_is_the_guard_of_the_start() -> None:
    trigger = {"examples": ["hi"], "condition": "session.vip"}
    assert drawn([say("a")], trigger=trigger).nodes[0].when == "session.vip"
    assert drawn([say("a")], trigger={"examples": ["hi"]}).nodes[0].when is None


def test_a_jump_replaces_the_next_step() -> None:
    picture = drawn([say("a", jump_to="c"), say("b", jump_to="cancel_flow"), say("c")])
    assert [edge[:2] for edge in edges(picture)] == [("a", "c"), ("b", "cancel_flow"), ("c", "end")]


def test_a_guard_is_shown_and_has_a_way_around_only_where_it_differs() -> None:
    picture = drawn([say("a", when="x > 1", jump_to="c"), say("b", when="y"), say("c")])
    assert [node.when for node in picture.nodes[1:4]] == ["x > 1", "y", None]
    assert edges(picture)[:3] == [
        ("a", "c", "next", ""),
        ("a", "b", "skipped", "skipped"),
        ("b", "c", "next", ""),
    ]


def test_the_arms_of_a_branch_carry_their_conditions() -> None:
    arms = [{"condition": "x > 1", "then": "c"}, {"condition": "x > 1", "then": "end"}]
    picture = drawn([{"step": "a", "branch": [*arms, {"else": "continue"}]}, say("b"), say("c")])
    assert edges(picture)[:3] == [
        ("a", "c", "then", "x > 1"),
        ("a", "end", "then", "x > 1"),
        ("a", "b", "else", "else"),
    ]


def test_a_branch_without_else_goes_on() -> None:
    picture = drawn([{"step": "a", "branch": [{"condition": "when", "then": "error"}]}, say("b")])
    assert edges(picture)[:2] == [("a", "error", "then", "when"), ("a", "b", "next", "else")]


def test_the_cases_of_a_branch_are_on_its_ways_and_the_input_is_in_it() -> None:
    cases = {"input": "kind", "cases": {True: "b", "else": "end"}}
    picture = drawn([{"step": "a", "type": "branch", **cases}, say("b")])
    assert nodes(picture)["a"] == "kind"
    assert edges(picture)[:2] == [("a", "b", "then", "true"), ("a", "end", "else", "else")]


def test_a_confirm_has_a_yes_and_a_no() -> None:
    named = {"step": "a", "confirm": "Sure?", "on_yes": "c", "on_no": "b"}
    assert edges(drawn([named, say("b"), say("c")]))[:2] == [
        ("a", "c", "on_yes", "yes"),
        ("a", "b", "on_no", "no"),
    ]
    assert edges(drawn([{"step": "a", "confirm": "Sure?"}])) == [
        ("a", "end", "next", "yes"),
        ("a", "cancel_flow", "on_no", "no"),
    ]


def test_a_collect_shows_its_ways_out() -> None:
    step = {"step": "a", "collect": "x", "on_skip": "end", "on_invalid": "error"}
    assert edges(drawn([step])) == [
        ("a", "error", "on_invalid", "invalid"),
        ("a", "end", "on_skip", "skip"),
        ("a", "end", "next", ""),
    ]


def test_errors_lead_where_the_step_says_else_where_the_flow_says() -> None:
    steps = [
        {"step": "a", "action": "x", "on_error": "end"},
        {"step": "b", "action": "x"},
        {"step": "c", "generate": "Say bye", "fallback": "Bye"},
        {"step": "d", "action": "x"},
    ]
    found = [edge for edge in edges(drawn(steps, on_error="d")) if edge[2] == "on_error"]
    assert found == [
        ("a", "end", "on_error", "error"),
        ("b", "d", "on_error", "error"),
        ("c", "d", "on_error", "error"),
    ]
    assert "on_error" not in {edge[2] for edge in edges(drawn(steps[1:]))}
    onwards = edges(drawn(steps[1:2], on_error="continue"))
    assert onwards == [("b", "end", "next", ""), ("b", "end", "on_error", "error")]


def test_a_loop_leads_into_its_body_back_again_and_out() -> None:
    inner = {"step": "in", "while": "y", "do": [say("deep")]}
    picture = drawn([{"step": "out", "while": "x", "do": [say("a"), inner]}, say("b")])
    assert edges(picture) == [
        ("out", "a", "do", "do"),
        ("out", "b", "next", "done"),
        ("a", "in", "next", ""),
        ("in", "deep", "do", "do"),
        ("in", "out", "next", "done"),
        ("deep", "in", "next", "again"),
        ("b", "end", "next", ""),
    ]
    loops = {node.id: node.loop for node in picture.nodes}
    assert loops == {
        "flow:f": None, "out": None, "a": "out", "in": "out", "deep": "in", "b": None, "end": None,
    }  # fmt: skip


def test_called_and_linked_flows_are_shown() -> None:
    steps = [
        {"step": "a", "call": "g", "on_error": "error"},
        {"step": "b", "link": "g", "when": "x"},
        {"step": "c", "link": "f"},
    ]
    flows = {"f": {"steps": steps}, "g": {"steps": [say("x")]}}
    picture = build_pictures(Assistant(config(flows)))[0]
    assert edges(picture) == [
        ("a", "error", "on_error", "error"),
        ("a", "b", "next", ""),
        ("a", "flow:g", "call", ""),
        ("b", "c", "skipped", "skipped"),
        ("b", "flow:g", "link", ""),
        ("c", "flow:f", "link", ""),
    ]
    assert [(n.id, n.kind, n.text) for n in picture.nodes if n.kind == "flow"] == [
        ("flow:g", "flow", "g")
    ]


def test_each_step_says_what_it_does() -> None:
    steps = [
        {"step": "a", "say": {"en": "Hi", "es": "Hola"}},
        {"step": "b", "type": "say", "response": "bye"},
        {"step": "c", "collect": "city"},
        {"step": "d", "collect": ["city", "day"], "message": "Where and when?"},
        {"step": "e", "action": "book"},
        {"step": "g", "parallel": ["book", {"call": "pay"}]},
        {"step": "h", "set": {"n": 1, "m": "{{ n + 1 }}"}},
        {"step": "i", "handoff": "sales", "message": "Wait."},
        {"step": "j", "generate": "Say bye", "fallback": "Bye"},
        {"step": "k", "branch": [{"else": "end"}]},
    ]
    written = config(
        {"f": {"steps": steps}}, slots={"city": {"prompt": "Where?"}}, settings={"language": "es"}
    )
    assert nodes(build_pictures(Assistant(written))[0]) == {
        "a": "Hola",
        "b": "bye",
        "c": "city: Where?",
        "d": "city, day: Where and when?",
        "e": "book",
        "g": "book, pay",
        "h": "n = 1, m = {{ n + 1 }}",
        "i": "sales: Wait.",
        "j": "Say bye",
        "k": "",
    }


def test_the_data_for_programs_keeps_its_shape() -> None:
    assert export_pictures([drawn([say("a", when="x")])]) == {
        "flows": {
            "f": {
                "nodes": [
                    {"id": "flow:f", "kind": "start", "text": "", "when": None, "loop": None},
                    {"id": "a", "kind": "say", "text": "x", "when": "x", "loop": None},
                    {"id": "end", "kind": "end", "text": "end", "when": None, "loop": None},
                ],
                "edges": [
                    {"from": "flow:f", "to": "a", "kind": "next", "label": ""},
                    {"from": "a", "to": "end", "kind": "next", "label": ""},
                ],
            }
        }
    }


# Mermaid


def test_mermaid_draws_each_flow_in_a_box_and_loops_in_boxes_of_their_own() -> None:
    steps = [
        {"step": "each", "while": "n < 3", "do": [{"collect": "n", "message": "How many?"}]},
        {"call": "g", "on_error": "error", "when": 'n == "3"'},
        {"step": "again", "link": "f"},
    ]
    flows = {"f": {"steps": steps}, "g": {"steps": [say("x")]}}
    both = build_pictures(Assistant(config(flows)))
    assert render_mermaid(both).splitlines() == [
        "flowchart TD",
        '  subgraph f0["f"]',
        '    f0n0(["<b>start</b>"])',
        '    f0n1{"<b>while</b> each<br/>n #60; 3"}',
        '    subgraph f0n1do["each"]',
        '      f0n2[/"<b>collect</b>_n<br/>n#58; How many?"/]',
        "    end",
        '    f0n3[["<b>call</b>_g<br/>g<br/><i>when n == #34;3#34;</i>"]]',
        '    f0n4>"<b>link</b> again<br/>f"]',
        '    f0n5(["error"])',
        "  end",
        "  f0n0 --> f0n1",
        '  f0n1 -->|"do"| f0n2',
        '  f0n1 -->|"done"| f0n3',
        '  f0n2 -->|"again"| f0n1',
        '  f0n3 -.->|"error"| f0n5',
        "  f0n3 --> f0n4",
        "  f0n3 -.-> f1n0",
        "  f0n4 ==> f0n0",
        '  subgraph f1["g"]',
        '    f1n0(["<b>start</b>"])',
        '    f1n1("<b>say</b> x<br/>x")',
        '    f1n2(["end"])',
        "  end",
        "  f1n0 --> f1n1",
        "  f1n1 --> f1n2",
    ]
    alone = render_mermaid(both[:1])
    assert '    f0n6[["<b>flow</b><br/>g"]]' in alone
    assert "  f0n3 -.-> f0n6" in alone


def test_the_docs_show_what_is_drawn(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs/pictures.md").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"```(yaml|mermaid)\n(.*?)```", page, re.DOTALL))
    (tmp_path / "soni.yaml").write_text(blocks["yaml"], encoding="utf-8")
    function = "from soni import action\n@action\ndef ship(): ...\n"
    (tmp_path / "actions.py").write_text(function, encoding="utf-8")
    assistant = Assistant(SoniConfig.load(tmp_path))
    assert render_mermaid(build_pictures(assistant)) == blocks["mermaid"]


# Only what Mermaid reads as plain text inside quotes, and the marks that we add.
_QUOTED = r'"(?:<b>|</b>|<i>|</i>|<br/>|#\d+;|[^\W]|[ .,!?\'()\[\]/+=-])*"'
_LINE = re.compile(
    r"flowchart TD|\s*end|"
    rf"\s*subgraph \w+\[{_QUOTED}\]|"
    rf"\s*f\d+n\d+[\[({{>/\\]+{_QUOTED}[\])}}/\\]+|"
    rf"  f\d+n\d+ (?:-->|-\.->|==>)(?:\|{_QUOTED}\|)? f\d+n\d+"
)


def hostile(text: str) -> Picture:
    """A picture with that text in every place where an author may write one."""
    picture = drawn(
        [{"step": "a", "branch": [{"condition": "x", "then": "b"}]}, say("b", when="x")]
    )
    changed = [type(n)(n.id, n.kind, text, n.when and text, n.loop) for n in picture.nodes]
    ways = [type(e)(e.source, e.target, e.kind, text) for e in picture.edges]
    return Picture(text, tuple(changed), tuple(ways))


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_read_as_mermaid(text: str) -> None:
    for line in render_mermaid([hostile(text)]).split("\n")[:-1]:
        assert _LINE.fullmatch(line), line
        assert len(line) < 3000


@given(st.text())
def test_no_text_at_all_is_read_as_mermaid(text: str) -> None:
    assert all(_LINE.fullmatch(line) for line in render_mermaid([hostile(text)]).split("\n")[:-1])


# SVG


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


def nasty() -> Picture:
    """Loops, self-loops, ways back, several ways to one step, errors, seven arms."""
    arms = [{"condition": f"x == {n}", "then": to} for n, to in enumerate("abcdabc")]
    steps = [
        {"step": "a", "action": "p", "on_error": "d"},
        {"step": "b", "confirm": "Sure?", "on_no": "b", "on_yes": "a"},
        {"step": "loop", "while": "x", "do": [{"step": "in", "action": "p", "when": "y"}]},
        {"step": "c", "branch": [*arms, {"else": "cancel_flow"}]},
        {"step": "d", "collect": "x", "on_skip": "a", "on_invalid": "loop"},
    ]
    return drawn(steps, on_error="c")


def apart(one: Box, other: Box) -> bool:
    across = abs(one.x - other.x) >= (one.width + other.width) / 2
    return across or abs(one.y - other.y) >= (one.height + other.height) / 2


def test_no_box_lies_on_another() -> None:
    for one, other in combinations(lay_out_sheet(nasty()).boxes, 2):
        assert apart(one, other), (one, other)


def test_every_line_ends_at_the_boxes_that_it_joins() -> None:
    sheet = lay_out_sheet(nasty())
    for path in sheet.paths:
        ends = (path.way.cells[0], path.way.cells[-1])
        first, last = path.points[0], path.points[-1]
        top, bottom = (last, first) if path.way.up else (first, last)
        above, below = (sheet.boxes[at] for at in ends)
        assert abs(top[0] - above.x) <= above.width / 2
        assert top[1] == above.y + above.height / 2
        assert abs(bottom[0] - below.x) <= below.width / 2
        assert bottom[1] == below.y - below.height / 2


def test_no_line_passes_through_a_box() -> None:
    sheet = lay_out_sheet(nasty())
    for path in sheet.paths:
        joined = {sheet.boxes[at] for at in path.way.cells}
        for box in set(sheet.boxes) - joined:
            for x, y in path.points:
                inside = abs(x - box.x) < box.width / 2 and abs(y - box.y) < box.height / 2
                assert not inside, (path, box)


def test_everything_is_on_the_page() -> None:
    sheet = lay_out_sheet(nasty())
    for box in sheet.boxes:
        assert 0 <= box.x - box.width / 2 <= box.x + box.width / 2 <= sheet.width
        assert 0 <= box.y - box.height / 2 <= box.y + box.height / 2 <= sheet.height


def test_the_start_is_at_the_top_whatever_leads_back() -> None:
    sheet = lay_out_sheet(drawn([say("a"), say("b"), say("c", jump_to="a")]))
    assert [box.y for box in sheet.boxes[:4]] == sorted(box.y for box in sheet.boxes[:4])


def test_a_long_flow_and_one_that_nothing_leads_into_are_drawn() -> None:
    assert len(lay_out_sheet(drawn([say(f"s{n}") for n in range(400)])).boxes) == 402
    assert len(lay_out_sheet(drawn([say("a", jump_to="end"), say("b")])).boxes) == 5


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


# Texts


def test_long_texts_are_cut_where_one_sees_it() -> None:
    assert shorten_text("one two three", 8) == "one two…"
    assert shorten_text("one", 3) == "one"
    assert wrap_text("one two three four five", 9, 2) == ["one two", "three fou…"]
    assert wrap_text("  \n ", 9, 2) == []


def test_wide_letters_fill_a_line_sooner() -> None:
    narrow, broad = wrap_text("i" * 100, 20, 1)[0], wrap_text("漢" * 100, 20, 1)[0]
    assert len(narrow) > 20 > len(broad)
    assert width("é") == width("e\u0301")
