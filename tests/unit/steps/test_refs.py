"""What a step says about itself, so that checks and plans need not know its type."""

import pytest

from soni.steps import Ref, find_names
from soni.steps.spelling import parse_step


def refs(step):
    return [(ref.kind, ref.value, ref.path) for ref in parse_step(step).all_refs()]


@pytest.mark.parametrize(
    ("step", "found"),
    [
        (
            {"say": {"en": ["Hi", "Ho"]}, "when": "a", "jump_to": "end"},
            [
                ("expression", "a", ("when",)),
                ("target", "end", ("jump_to",)),
                ("text", "Hi", ("message", "en", 0)),
                ("text", "Ho", ("message", "en", 1)),
            ],
        ),
        ({"type": "say", "response": "bye"}, [("response", "bye", ("response",))]),
        (
            {"collect": "name", "message": "Who?"},
            [("slot", "name", ("slot",)), ("text", "Who?", ("message",))],
        ),
        (
            {"action": "pay", "inputs": {"a": 1}, "map_outputs": {"b": "c"}, "on_error": "end"},
            [
                ("action", "pay", ("call",)),
                ("value", 1, ("inputs", "a")),
                ("slot", "c", ("map_outputs", "b")),
                ("target", "end", ("on_error",)),
            ],
        ),
        (
            {"set": {"a": "{{ b }}"}},
            [("slot", "a", ("values", "a")), ("value", "{{ b }}", ("values", "a"))],
        ),
        (
            {"branch": [{"condition": "a", "then": "x"}, {"else": "y"}]},
            [
                ("expression", "a", ("when", 0, "condition")),
                ("target", "x", ("when", 0, "then")),
                ("target", "y", ("when", 1, "else")),
            ],
        ),
        (
            {"type": "branch", "input": "a", "cases": {"1": "x"}},
            [("expression", "a", ("input",)), ("target", "x", ("cases", "1"))],
        ),
        (
            {"confirm": "Sure?", "on_yes": "x", "on_no": "y"},
            [
                ("text", "Sure?", ("message",)),
                ("target", "x", ("on_yes",)),
                ("target", "y", ("on_no",)),
            ],
        ),
    ],
)
def test_a_step_names_everything_it_mentions(step, found):
    assert refs(step) == found


@pytest.mark.parametrize(
    ("ref", "names"),
    [
        (Ref("text", "Hi {a.b} {c | upper}", ()), {"a", "c"}),
        (Ref("expression", "a > b.c and len(d) == 1", ()), {"a", "b", "d"}),
        (Ref("value", "{{ a + 1 }}", ()), {"a"}),
        (Ref("value", "a literal {b}", ()), set()),
        (Ref("value", 3, ()), set()),
        (Ref("target", "a", ()), set()),
    ],
)
def test_the_names_in_it_are_known(ref, names):
    assert find_names(ref) == names


@pytest.mark.parametrize(
    ("step", "waits"),
    [
        ({"say": "Hi"}, False),
        ({"set": {"a": 1}}, False),
        ({"branch": [{"else": "end"}]}, False),
        ({"collect": "a"}, True),
        ({"confirm": "Sure?"}, True),
        ({"action": "pay"}, True),
    ],
)
def test_a_step_says_whether_it_may_wait(step, waits):
    assert parse_step(step).waits is waits
