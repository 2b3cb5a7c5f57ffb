"""Mistakes in test files are shown like mistakes in flows."""

from collections.abc import Callable
from pathlib import Path

import pytest

from soni.core.errors import ConfigError, Problem
from soni.testing import Suite

Write = Callable[..., Path]


def problems(folder: Path, **options: str) -> list[Problem]:
    with pytest.raises(ConfigError) as caught:
        Suite.load(folder, **options)  # type: ignore[arg-type]
    return list(caught.value.problems)


def test_an_unknown_key_is_underlined_and_the_nearest_suggested(shop: Write) -> None:
    folder = shop("tests:\n  - name: x\n    turns:\n      - usr: hi\n")
    [problem] = problems(folder)
    assert (problem.where, problem.message) == ("tests/shop.test.yaml:4:9", "unknown key 'usr'")
    assert problem.excerpt == ("      - usr: hi", "        ^^^")
    assert problem.available == (
        *("user", "after", "commands", "api"),
        *("language", "context", "stubs", "expect"),
    )
    assert problem.remedy == "did you mean 'user'?"


@pytest.mark.parametrize(
    ("turn", "said", "remedy"),
    [
        ("{user: 50}", "expected a text, found the number 50", "put it in quotes"),
        ("{}", "a turn is either what the `user` says or a call of the `api`", "write one"),
        ("{user: hi, api: release}", "a turn is either", "write one of the two"),
        ("{api: release, commands: []}", "`commands` are what a message", "remove them"),
        ("{user: hi, after: soon}", "expected a duration", "such as 31m"),
        ("{api: press}", "this is not a call that a test can make", "write `api: release`"),
        ("{api: {press: 1}}", "expected a text", "write what stands on the button"),
        ("{api: {push: 5}}", "expected a text", 'such as `push: "Your parcel is here."`'),
        ("{api: {agent_message: {}}}", "expected a text", "write what is said"),
        ("{api: {pusch: hi}}", "this is not a call that a test can make", "write `api: release`"),
        ("{api: {press: [Yes]}}", "expected a text", "write what stands on the button"),
        ("{api: {press: A, start_flow: {}}}", "this is not a call", "`api: {press: ...}`"),
        ("{api: {start_flow: buy}}", "expected a mapping", "write `start_flow: {flow_name: ...}`"),
        ("{api: {start_flow: {inputs: {}}}}", "'flow_name' is missing", "add `flow_name: ...`"),
        ("{api: {start_flow: {flow_name: by}}}", "unknown flow 'by'", "did you mean 'buy'?"),
        ("{api: {start_flow: {flow_name: buy, inputs: {itm: 1}}}}", "unknown input 'itm'", "item"),
        ("{user: hi, stubs: {ordr: {}}}", "unknown action 'ordr'", "'order'"),
        ("{user: hi, stubs: {order: {numbr: 1}}}", "unknown output 'numbr'", "'number'"),
        ("{user: hi, stubs: {order: {error: x, mesage: y}}}", "unknown key 'mesage'", "'message'"),
        ("{user: hi, stubs: {order: {error: x, number: 1}}}", "unknown key 'number'", "no outputs"),
        ("{user: hi, stubs: {order: {}}}", "the output 'number' is missing", "add `number: ...`"),
        ("{api: {start_flow: {flow_name: [1]}}}", "input should be a valid string", "another"),
        ("{user: hi, commands: [StrtFlow]}", "unknown command 'StrtFlow'", "'StartFlow'?"),
        ("{user: hi, commands: [{StrtFlow: {}}]}", "unknown command 'StrtFlow'", "'StartFlow'?"),
        ("{user: hi, commands: [StartFlow]}", "'flow_name' is missing", "add `flow_name"),
        ("{user: hi, commands: [CorrectSlot: ]}", "'slot_name' is missing", "add `slot_name"),
        ("{user: hi, commands: [{SkipSlot: {slot: x}}]}", "unknown field 'slot'", "'slot_name'"),
        ("{user: hi, commands: [7]}", "expected a name", "write `Name`"),
        ("{user: hi, commands: [{SkipSlot: x}]}", "expected the fields of SkipSlot", "write"),
        ("{user: hi, expect: {bot: hello}}", "expected a list, found the text 'hello'", "[a, b]"),
        ("{user: hi, expect: {ui: buttons}}", "expected a mapping", "write"),
        ("{user: hi, expect: {ui: {typ: buttons}}}", "unknown key 'typ'", "'type'"),
        ("{user: hi, expect: {ui: {type: button}}}", "unknown type 'button'", "'buttons'"),
        ("{user: hi, expect: {ui: {options: Yes}}}", "expected a list", "`options: [Yes, No]`"),
        ("{user: hi, expect: {ui: {options: [1]}}}", "the label of an option", "in quotes"),
        ("{user: hi, expect: {ui: {options: [{value: 1}]}}}", "the label of an option", "label"),
        ("{user: hi, expect: {ui: {options: [{label: A, valu: 1}]}}}", "key 'valu'", "'value'"),
        (
            "{user: a, expect: {ui: {options: [{label: A, command: SetSlt}]}}}",
            "'SetSlt'",
            "'SetSlot'",
        ),
        ("{user: hi, expect: {ui: {cards: {}}}}", "expected a list of mappings", "`cards: [{"),
        ("{user: hi, expect: {ui: {cards: [{titel: A}]}}}", "unknown key 'titel'", "'title'"),
        ("{user: hi, expect: {flow: bye}}", "unknown flow 'bye'", "did you mean 'buy'?"),
        ("{user: hi, expect: {stack: [by]}}", "unknown flow 'by'", "did you mean 'buy'?"),
        ("{user: hi, expect: {step: sory}}", "unknown step 'sory'", "did you mean 'sorry'?"),
        ("{user: hi, expect: {flow: ask, step: sorry}}", "unknown step 'sorry'", "name a step"),
        ("{user: hi, expect: {state: waiting}}", "the text 'waiting'", "'waiting_for_slot'"),
        ("{user: hi, expect: {slots: {itm: 1}}}", "unknown slot 'itm'", "'item'"),
        ("{user: hi, expect: {waiting_for: itm}}", "unknown slot 'itm'", "'item'"),
        ("{user: hi, expect: {actions: [ordr]}}", "unknown action 'ordr'", "'order'"),
        ("{user: hi, expect: {actions: [{ordr: {}}]}}", "unknown action 'ordr'", "'order'"),
        ("{user: hi, expect: {actions: [[]]}}", "expected a name", "write `Name`"),
        ("{user: hi, expect: {commands: [SetSlt]}}", "unknown command 'SetSlt'", "'SetSlot'"),
        ("{user: hi, expect: {decisions: [{SetSlt: accepted}]}}", "unknown command", "'SetSlot'"),
        ("{user: hi, expect: {decisions: [{SetSlot: ok}]}}", "the text 'ok'", "write one of"),
        ('{user: hi, expect: {matches: ["("]}}', "this is not a regular expression", "`\\`"),
        ('{user: hi, expect: {matches: ["a{99999999999}"]}}', "is too large", "`\\`"),
        ("{user: hi, after: 99999999d}", "longer than 36525 days", "let less time pass"),
        ("{user: hi, after: 999999999d}", "longer than 36525 days", "let less time pass"),
        ("{user: hi, expect: {handoff: {que: x}}}", "unknown key 'que'", "'queue'"),
    ],
)
def test_a_mistake_in_a_turn_has_its_place_and_a_remedy(
    shop: Write, turn: str, said: str, remedy: str
) -> None:
    found = problems(shop(f"tests:\n  - name: x\n    turns:\n      - {turn}\n"))
    assert said in found[0].message
    assert remedy in (found[0].remedy or "")
    assert (found[0].file, found[0].line) == ("tests/shop.test.yaml", 4)
    assert found[0].column and found[0].column > 8


@pytest.mark.parametrize(
    ("text", "said", "code"),
    [
        ("", "nothing is written here", "E141"),
        ("- a", "expected a mapping, found a list", "E103"),
        ("test: []", "'tests' is missing", "E102"),
        ("tests: []", "this is empty", "E109"),
        ("tests: [{name: x, turns: []}]", "this is empty", "E109"),
        ("tests: [{name: x, name: y, turns: [{user: hi}]}]", "'name' is written twice", "E114"),
        ("tests: [{name: x, now: then, turns: [{user: hi}]}]", "expected a date and time", "E701"),
        (
            "tests: [{name: x, now: 9999-12-31T23:59:59, turns: [{user: hi}]}]",
            "expected a date and time",
            "E701",
        ),
        (
            "tests: [{name: x, now: 0001-01-01, turns: [{user: hi}]}]",
            "expected a date and time",
            "E701",
        ),
        (
            "tests: [{name: x, turns: [{user: hi, after: 30000d}, {user: hi, after: 30000d}]}]",
            "the conversation would last longer than 36525 days",
            "E701",
        ),
        ("tests: [{name: x, stubs: {odr: 1}, turns: [{user: hi}]}]", "unknown action", "E701"),
        ("tests: [", "a value is missing here", "E129"),
    ],
)
def test_a_mistake_in_a_file_has_words_of_its_own(
    shop: Write, text: str, said: str, code: str
) -> None:
    problem = problems(shop(text))[0]
    assert said in problem.message
    assert problem.code == code
    assert problem.remedy


def test_two_tests_cannot_have_one_name(shop: Write) -> None:
    folder = shop("""
        tests:
          - {name: x, turns: [{user: hi}]}
          - {name: x, turns: [{user: hi}]}
        """)
    assert [problem.message for problem in problems(folder)] == [
        "two tests have this name; first in line 3"
    ]


def test_all_problems_of_all_files_are_told_at_once_in_order(shop: Write) -> None:
    shop("tests: [{name: x, turns: [{}]}]", "tests/b.test.yaml")
    folder = shop("tests:\n - {name: x, turns: [{user: 1}], nam: y}\n", "tests/a.test.yaml")
    assert [(problem.file, problem.column) for problem in problems(folder)] == [
        ("tests/a.test.yaml", 29),
        ("tests/a.test.yaml", 34),
        ("tests/b.test.yaml", 27),
    ]


def test_a_mistake_in_the_assistant_is_told_first(shop: Write) -> None:
    folder = shop("tests: [{}]")
    (folder / "soni.yaml").write_text("flows: 3")
    assert problems(folder)[0].file == "soni.yaml"


def test_scripted_understanding_demands_commands_for_every_message(shop: Write) -> None:
    folder = shop("""
        tests:
          - name: x
            turns:
              - {user: hi, commands: []}
              - {user: hi}
              - {api: {start_flow: {flow_name: buy}}}
        """)
    [problem] = problems(folder, nlu="scripted")
    assert problem.message == "with --nlu scripted every message needs its `commands`"
    assert problem.where == "tests/shop.test.yaml:6:16"


async def test_scripted_understanding_runs_what_has_commands(shop: Write) -> None:
    folder = shop("""
        tests:
          - name: x
            turns:
              - user: anything
                commands: [{StartFlow: {flow_name: buy}}]
                expect: {flow: buy}
        """)
    assert [r.passed async for r in Suite.load(folder, nlu="scripted").run()] == [True]
