"""branch: exactly one arm runs."""

import pytest

from soni.commands import StartFlow
from tests.talking import talking_to

ARMS = """
    flows:
      rate:
        inputs: ["n?"]
        steps:
          - branch:
              - {condition: "n > 10", then: big}
              - {condition: "n > 5", then: medium}
              - {else: small}
          - {step: big, type: say, message: "big", jump_to: end}
          - {step: medium, type: say, message: "medium", jump_to: end}
          - {step: small, type: say, message: "small", jump_to: end}
"""


@pytest.mark.parametrize(
    ("n", "said"), [(11, "big"), (10, "medium"), (5, "small"), (0, "small"), (None, "small")]
)
async def test_the_first_arm_whose_condition_holds_runs_and_no_other(
    n: int | None, said: str
) -> None:
    async with talking_to(ARMS) as talk:
        slots = {} if n is None else {"n": n}
        assert await talk.say("hi", StartFlow(flow_name="rate", slots=slots)) == [said]


CASES = """
    slots:
      value: {type: %s, prompt: "Value?" %s}
    flows:
      pick:
        inputs: ["value?"]
        steps:
          - {type: branch, input: session.way, cases: {a: a, b: b, onwards: onwards}}
          - {type: branch, input: %s, cases: {%s}}
          - {step: onwards, type: say, message: "onwards", jump_to: end}
          - {step: a, type: say, message: "a", jump_to: end}
          - {step: b, type: say, message: "b", jump_to: end}
"""


@pytest.mark.parametrize(
    ("kind", "of", "cases", "value", "said"),
    [
        ("choice", "value", "red: a, blue: b", "red", "a"),
        ("choice", "value", "red: a, blue: b", "BLUE", "b"),
        ("choice", "value", "red: a", "blue", "onwards"),
        ("choice", "value", "red: a, else: b", "blue", "b"),
        ("boolean", "value", "true: a, false: b", True, "a"),
        ("boolean", "value", "true: a, false: b", False, "b"),
        ("integer", "value", "0: a, 1: b", 0, "a"),
        ("number", "value / 2", "3: a, 0.5: b", 6, "a"),
        ("number", "value / 2", "3: a, 0.5: b", 1, "b"),
        ("date", "value", "2026-03-02: a, else: b", "today", "a"),
        ("string", "len(value)", "3: a, else: b", "abc", "a"),
        ("string", "value", "null: a, else: b", None, "a"),
        ("string", "value", "end: a, else: b", "end", "a"),
    ],
)
async def test_input_and_cases_choose_by_a_value(
    kind: str, of: str, cases: str, value: object, said: str
) -> None:
    values = ", values: [red, blue]" if kind == "choice" else ""
    async with talking_to(CASES % (kind, values, of, cases)) as talk:
        slots = {} if value is None else {"value": value}
        assert await talk.say("hi", StartFlow(flow_name="pick", slots=slots)) == [said]


async def test_without_an_arm_that_holds_the_flow_goes_on() -> None:
    flow = """
    flows:
      check:
        steps:
          - branch: [{condition: "1 > 2", then: never}]
          - {say: "onwards", jump_to: end}
          - {step: never, type: say, message: "never"}
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["onwards"]


async def test_an_arm_may_end_cancel_or_go_on() -> None:
    flow = """
    flows:
      check:
        inputs: ["to?"]
        steps:
          - type: branch
            input: to
            cases: {end: end, cancel: cancel_flow, error: error, go: continue}
          - say: "onwards"
    """
    async with talking_to(flow) as talk:

        async def going(to: str) -> list[str]:
            return await talk.say("go", StartFlow(flow_name="check", slots={"to": to}))

        assert await going("go") == ["onwards"]
        assert talk.ended == [("check", "completed")]
        assert await going("end") == []
        assert talk.ended == [("check", "completed")]
        assert await going("cancel") == ["I have cancelled check."]
        assert talk.ended == [("check", "cancelled")]
        assert await going("error") == ["Something went wrong, so I could not finish check."]
        assert talk.ended == [("check", "error")]


async def test_a_condition_that_cannot_be_worked_out_is_the_flows_error() -> None:
    flow = """
    flows:
      check:
        on_error: sorry
        steps:
          - set: {word: text}
          - branch: [{condition: "word > 1", then: never}, {else: never}]
          - {step: never, type: say, message: "never"}
          - {step: sorry, type: say, message: "{_error_type}"}
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["expression"]


WAY_ON = """
    slots:
      age: {type: integer, prompt: {en: "Your age?", es: "¿Tu edad?"}}
    flows:
      enter:
        trigger: {examples: [enter]}
        steps:
          - collect: age
          - step: old_enough
            type: branch
            when:
              - {condition: age < 18, then: young}
              - {condition: age > 120, then: continue}
            jump_to: welcome
          - {step: young, say: {en: "Too young.", es: "Eres menor."}, jump_to: end}
          - {step: welcome, say: {en: "Come in.", es: "Adelante."}}
"""


async def test_jump_to_is_the_way_on_where_no_arm_leads_elsewhere() -> None:
    async with talking_to(WAY_ON) as talk:
        for age, said in (("17", "Too young."), ("18", "Come in."), ("130", "Come in.")):
            assert await talk.say("enter") == ["Your age?"]
            assert await talk.say(age) == [said]


async def test_a_branch_leads_the_same_way_in_spanish() -> None:
    async with talking_to(WAY_ON) as talk:
        assert await talk.say("enter", language="es") == ["¿Tu edad?"]
        assert await talk.say("muchos", language="es") == [
            "Por favor, da un número entero.",
            "¿Tu edad?",
        ]
        assert await talk.say("diecisiete", language="es") == ["Eres menor."]
