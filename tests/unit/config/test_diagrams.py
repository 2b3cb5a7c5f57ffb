"""Pictures: what is in them, and where their texts are cut."""

from soni.config.assistant import Assistant
from soni.config.diagrams.model import Picture, build_pictures, export_pictures
from soni.config.diagrams.text import shorten_text, width, wrap_text
from tests.unit.config.pictures import config, drawn, say


def edges(picture: Picture) -> list[tuple[str, str, str, str]]:
    """All but the one from the start."""
    return [(e.source, e.target, e.kind, e.label) for e in picture.edges[1:]]


def nodes(picture: Picture) -> dict[str, str]:
    """The text of each step."""
    kinds = {"start", "flow", "end", "error", "cancel_flow"}
    return {node.id: node.text for node in picture.nodes if node.kind not in kinds}


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


def test_long_texts_are_cut_where_one_sees_it() -> None:
    assert shorten_text("one two three", 8) == "one two…"
    assert shorten_text("one", 3) == "one"
    assert wrap_text("one two three four five", 9, 2) == ["one two", "three fou…"]
    assert wrap_text("  \n ", 9, 2) == []


def test_wide_letters_fill_a_line_sooner() -> None:
    narrow, broad = wrap_text("i" * 100, 20, 1)[0], wrap_text("漢" * 100, 20, 1)[0]
    assert len(narrow) > 20 > len(broad)
    assert width("é") == width("e\u0301")
