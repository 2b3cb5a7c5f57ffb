"""Ways through flows: what is a mistake is in tests/config_errors; here is what is none."""

from collections.abc import Callable
from pathlib import Path

import pytest

from soni import SoniConfig
from soni.config.load import examine_assistant

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*/soni.yaml"))

ACTIONS = """
from soni import action

@action
def find(city): ...

@action
def note(ctx): ...

@action
def stop(): ...
"""

Codes = Callable[[str], list[str]]


@pytest.fixture
def codes(tmp_path: Path) -> Codes:
    """The codes of an assistant's problems."""

    def found(text: str) -> list[str]:
        (tmp_path / "soni.yaml").write_text(text, encoding="utf-8")
        (tmp_path / "actions.py").write_text(ACTIONS, encoding="utf-8")
        return [problem.code for problem in examine_assistant(tmp_path).problems]

    return found


def flow(steps: str, **keys: str) -> str:
    more = "".join(f"    {key}: {value}\n" for key, value in keys.items())
    lines = "".join(f"      - {step.strip()}\n" for step in steps.strip().splitlines())
    return f"flows:\n  main:\n{more}    steps:\n{lines}"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.parent.name)
def test_the_examples_have_no_problem_and_no_warning(example: Path) -> None:
    assert list(examine_assistant(example.parent).problems) == []


def test_an_assistant_with_warnings_is_loaded(codes: Codes, tmp_path: Path) -> None:
    assert codes("responses: {farewell: Bye}\n" + flow("say: Hello")) == ["W602"]
    assert SoniConfig.load(tmp_path).responses == {"farewell": "Bye"}


ALL_REACHED = {
    "by an error of the flow": flow(
        "{say: Hello, jump_to: end}\n{step: sorry, say: Sorry}", on_error="sorry"
    ),
    "by an error of a step": flow(
        "{action: stop, on_error: sorry, jump_to: end}\n{step: sorry, say: Sorry}"
    ),
    "by not answering": flow(
        "{collect: a, message: A?, on_skip: sorry, jump_to: end}\n{step: sorry, say: Sorry}"
    ),
    "by a guard that does not hold": flow("{say: A, when: session.x, jump_to: end}\nsay: B"),
    "by two arms with one condition": flow(
        """
        branch: [{condition: session.x, then: a}, {condition: session.x, then: b}, {else: end}]
        {step: a, say: A, jump_to: end}
        {step: b, say: B}
        """
    ),
    "by a no": flow("{confirm: A?, on_no: b, jump_to: end}\n{step: b, say: B}"),
    "inside a loop": flow("{while: session.x, do: [{collect: a, message: A?}]}\nsay: B"),
}


@pytest.mark.parametrize("way", ALL_REACHED)
def test_a_step_is_reached(way: str, codes: Codes) -> None:
    assert codes(ALL_REACHED[way]) == []


LOOPS = {
    "with a question": flow("{step: a, say: A}\n{confirm: B?, on_no: a}"),
    "that counts": flow(
        """
        set: {n: 0}
        {step: again, set: {n: "{{ n + 1 }}"}}
        branch: [{condition: n < 3, then: again}, {else: end}]
        """
    ),
    "with an action": flow("{step: a, action: stop}\n{say: B, when: session.x, jump_to: a}"),
    "that asks again": flow(
        "{step: a, collect: a, message: A?, force: true}\n{say: B, jump_to: a}"
    ),
    "while, which forgets": flow("{while: session.x, do: [{collect: a, message: A?}]}"),
    "while, which counts": flow('set: {n: 3}\n{while: n > 0, do: [{set: {n: "{{ n - 1 }}"}}]}'),
}


@pytest.mark.parametrize("loop", LOOPS)
def test_a_loop_is_fine(loop: str, codes: Codes) -> None:
    assert codes(LOOPS[loop]) == []


SLOTS = "slots: {b: {type: boolean, prompt: B?}, c: {type: choice, values: [x, y], prompt: C?}}\n"
STEPS = (
    "collect: b\ncollect: c\n{type: branch, %s}\n{step: x, say: X, jump_to: end}\n{step: y, say: Y}"
)
COVERED = {
    "with all values of a choice": "input: c, cases: {x: x, y: y}",
    "with yes and no": "input: b, cases: {true: x, false: y}",
    "with a way on of its own": "input: c, cases: {x: x}, jump_to: y",
    "with an else": "when: [{condition: b, then: x}, {else: y}]",
}


@pytest.mark.parametrize("branch", COVERED)
def test_a_branch_is_complete(branch: str, codes: Codes) -> None:
    assert codes(SLOTS + flow(STEPS % COVERED[branch])) == []


def two_flows(first: str, second: str) -> str:
    return (
        f"flows:\n  a: {{trigger: {first}, steps: [{{say: A}}]}}\n"
        f"  b: {{trigger: {second}, steps: [{{say: B}}]}}\n"
    )


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ("{examples: [Hi]}", "{examples: ['¡hi!']}", ["E409"]),
        ("{examples: [hi there]}", "{examples: [hi]}", []),
        ("{examples: [hi, Hi!]}", "{examples: [ho]}", []),
        ("{examples: [hi], condition: session.x}", "{examples: [hi]}", []),
        (
            "{examples: [hi], condition: session.x}",
            "{examples: [hi], condition: not session.x}",
            [],
        ),
        (
            "{examples: [hi], condition: session.x}",
            "{examples: [hi], condition: session.x}",
            ["E409"],
        ),
        ("{examples: [hi]}, hidden: true", "{examples: [hi]}", []),
        ("{examples: ['?']}", "{examples: ['!']}", []),
    ],
)
def test_two_flows_may_not_be_started_by_the_same_words(
    first: str, second: str, found: list[str], codes: Codes
) -> None:
    assert codes(two_flows(first, second)) == found


PROVIDED = {
    "optional": flow('say: "{x}"', inputs="[x?]", trigger="{examples: [a]}"),
    "collected": flow("{collect: x, message: X?}", inputs="[x]", trigger="{examples: [a]}"),
    "asked by the action that needs it": "slots: {city: {prompt: Where?}}\n"
    + flow("action: find", inputs="[city]", trigger="{examples: [a]}"),
    "given by whoever starts it": flow('say: "{x}"', inputs="[x]"),
    "given by a caller": flow("{collect: x, message: X?}\ncall: other")
    + '  other: {inputs: [x], steps: [{say: "{x}"}]}\n',
    "given in the call": flow("{call: other, inputs: {x: 1}}")
    + '  other: {inputs: [x], steps: [{say: "{x}"}]}\n',
}


@pytest.mark.parametrize("how", PROVIDED)
def test_an_input_is_provided(how: str, codes: Codes) -> None:
    assert codes(PROVIDED[how]) == []


def test_the_default_flow_starts_with_nothing(codes: Codes) -> None:
    text = flow('say: "{x}"', inputs="[x]")
    assert codes("settings: {conversation: {default_flow: main}}\n" + text) == ["E408"]


FILLED = {
    "by a set step": flow("set: {x: 1}", outputs="[x]"),
    "by an action": "actions: {stop: {outputs: [x]}}\n" + flow("action: stop", outputs="[x]"),
    "by an action that may give anything": flow("action: stop", outputs="[x]"),
    "by the flow that it calls": flow("call: other", outputs="[x]")
    + "  other: {outputs: [x], steps: [{set: {x: 1}}]}\n",
    "before, in the conversation": "slots: {x: {scope: conversation}}\n"
    + flow("say: Hi", outputs="[x]"),
}


@pytest.mark.parametrize("how", FILLED)
def test_an_output_is_filled(how: str, codes: Codes) -> None:
    assert codes(FILLED[how]) == []


CITY = "{collect: city, message: Where?}\naction: find\n"
NO_WARNING = {
    "it says no": "actions: {find: {repeatable: false}}\n" + flow(CITY + "confirm: Sure?"),
    "nothing is asked later": flow(CITY + "say: Found"),
    "it uses nothing the user said": flow("{action: find, inputs: {city: X}}\nconfirm: Sure?"),
    "nothing can be corrected": "conversation_patterns: {correction: {enabled: false}}\n"
    + flow(CITY + "confirm: Sure?"),
}


@pytest.mark.parametrize("why", NO_WARNING)
def test_it_need_not_be_said_whether_an_action_may_run_again(why: str, codes: Codes) -> None:
    assert codes(NO_WARNING[why]) == []


def test_each_action_of_a_parallel_step_should_say_whether_it_may_run_again(codes: Codes) -> None:
    steps = "{collect: city, message: Where?}\nparallel: [find, stop]\nconfirm: Sure?"
    assert codes(flow(steps)) == ["W604"]


USED = {
    "in a text": flow('say: "{x}"'),
    "in a condition": flow("{say: Hi, when: x == 1}"),
    "in a value": flow('set: {y: "{{ x }}"}'),
    "in the prompt of another slot": "  y: {prompt: '{x}?'}\n" + flow("collect: y"),
    "in the constraint of another slot": (
        "  y: {prompt: Y?, constraints: [{if: y > x, message: No}]}\n"
    )
    + flow("collect: y"),
    "in a sentence of Soni": "responses: {welcome: 'Hi {x}'}\n" + flow("say: Hi"),
    "by an action that sees all": flow("action: note"),
    "by the handoff action": "settings: {handoff: {action: note}}\n" + flow("say: Hi"),
    "by an action that may give anything": flow("action: stop"),
}


@pytest.mark.parametrize("where", USED)
def test_a_slot_is_used(where: str, codes: Codes) -> None:
    assert codes("slots:\n  x: {prompt: X?}\n" + USED[where]) == []


def test_a_slot_that_only_its_own_constraint_names_is_not_used(codes: Codes) -> None:
    slot = "slots:\n  x: {constraints: [{if: x > 1, message: '{x}?'}]}\n"
    assert codes(slot + flow("say: Hi")) == ["W603"]


def test_while_a_name_is_wrong_nothing_is_called_unused(codes: Codes) -> None:
    text = "slots: {name: {prompt: Who?}}\nresponses: {bye: Bye}\n"
    assert codes(text + flow('say: "Hello {nmae}"\n{type: say, response: byee}')) == [
        "E204",
        "E205",
    ]


@pytest.mark.parametrize(
    ("flows", "found"),
    [
        ({"a": "call: b", "b": "say: B"}, []),
        ({"a": "call: b", "b": "link: c", "c": "say: C"}, []),
        ({"a": "call: b", "b": "link: a"}, ["E404"]),
        ({"a": "call: b", "b": "call: c", "c": "call: b"}, ["E404"]),
        ({"a": "call: b", "b": "call: a", "c": "call: d", "d": "call: c"}, ["E404", "E404"]),
        ({"a": "link: b", "b": "link: a"}, []),
    ],
)
def test_flows_that_call_each_other(flows: dict[str, str], found: list[str], codes: Codes) -> None:
    lines = [f"  {name}: {{steps: [{{{step}}}]}}\n" for name, step in flows.items()]
    assert codes("flows:\n" + "".join(lines)) == found


def test_ways_are_not_followed_where_a_target_is_wrong(codes: Codes) -> None:
    assert codes(flow("{say: A, jump_to: bb}\n{step: b, say: B}")) == ["E201"]


def test_ways_are_not_followed_where_a_text_cannot_be_read(codes: Codes) -> None:
    assert codes(flow("{say: 'A }', jump_to: end}\n{step: b, say: B}")) == ["E301"]
