"""Where control goes: jump_to, the reserved targets, and loops without a wait."""

import pytest

from soni.commands import StartFlow
from tests.talking import talking_to


async def test_jump_to_goes_to_a_step_and_over_what_lies_between() -> None:
    flow = """
    flows:
      go:
        steps:
          - {type: branch, input: session.way, cases: {two: two}}
          - {say: "one", jump_to: third}
          - {step: two, type: say, message: "two"}
          - {step: third, type: say, message: "three"}
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["one", "three"]


@pytest.mark.parametrize(
    ("target", "said", "result"),
    [
        ("end", ["one"], "completed"),
        ("error", ["one", "Something went wrong, so I could not finish go."], "error"),
        ("continue", ["one", "two"], "completed"),
        ("cancel_flow", ["one", "I have cancelled go."], "cancelled"),
    ],
)
async def test_a_target_may_be_end_error_continue_or_cancel_flow(
    target: str, said: list[str], result: str
) -> None:
    flow = f"""
    flows:
      go:
        steps:
          - {{type: branch, input: session.way, cases: {{two: two}}}}
          - {{say: "one", jump_to: {target}}}
          - {{step: two, type: say, message: "two"}}
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == said
        assert talk.ended == [("go", result)]


@pytest.mark.parametrize(
    ("step", "answer"),
    [
        ('{collect: name, message: "Name?", jump_to: last}', "Ann"),
        ('{confirm: "Sure?", jump_to: last}', "yes"),
    ],
)
async def test_a_step_that_waits_jumps_when_it_has_its_answer(step: str, answer: str) -> None:
    flow = f"""
    flows:
      go:
        steps:
          - {{type: branch, input: session.way, cases: {{between: between}}}}
          - {step}
          - {{step: between, type: say, message: "between"}}
          - {{step: last, type: say, message: "last"}}
    """
    async with talking_to(flow) as talk:
        await talk.say("hi")
        assert await talk.say(answer) == ["last"]


async def test_a_jump_back_over_filled_slots_does_not_ask_them_again() -> None:
    flow = """
    flows:
      go:
        steps:
          - {step: ask, type: collect, slot: name, message: "Name?"}
          - {step: more, type: confirm, message: "Once more, {name}?", on_yes: ask, on_no: end}
    """
    async with talking_to(flow) as talk:
        await talk.say("hi")
        assert await talk.say("Ann") == ["Once more, Ann?"]
        assert await talk.say("yes") == ["Once more, Ann?"]
        assert await talk.say("no") == []


LOOP = """
    settings: {runtime: {max_step_executions: 5}}
    flows:
      spin:
        trigger: {examples: [spin]}
        %s
        inputs: ["limit?"]
        steps:
          - set: {n: 0}
          - {step: more, type: set, values: {n: "{{ n + 1 }}"}}
          - branch: [{condition: "n < limit", then: more}]
          - say: "{n} times"
      wait:
        trigger: {examples: [wait]}
        steps:
          - {collect: name, message: "Name?"}
          - say: "{name}."
"""


@pytest.mark.parametrize(("limit", "said"), [(5, "5 times"), (1, "1 times")])
async def test_a_loop_runs_one_step_up_to_max_step_executions_in_a_turn(
    limit: int, said: str
) -> None:
    async with talking_to(LOOP % "") as talk:
        assert await talk.say("spin", StartFlow(flow_name="spin", slots={"limit": limit})) == [said]


async def test_a_loop_that_does_not_end_is_the_error_loop_detected() -> None:
    async with talking_to(LOOP % "") as talk:
        await talk.say("wait")
        start = StartFlow(flow_name="spin", slots={"limit": 6})
        assert await talk.say("spin", start) == [
            "Something went wrong, so I could not finish spin.",
            "Back to wait.",
            "Name?",
        ]
        assert talk.ended == [("spin", "error")]
        assert talk.state["metadata"]["error"] == "loop_detected: step 'more' ran too often"
        assert await talk.say("Ann") == ["Ann."]


async def test_a_loop_ends_even_where_errors_lead_back_into_it() -> None:
    async with talking_to(LOOP % "on_error: more") as talk:
        start = StartFlow(flow_name="spin", slots={"limit": 6})
        assert await talk.say("spin", start) == [
            "Something went wrong, so I could not finish spin."
        ]


async def test_a_loop_of_filled_collects_ends_too() -> None:
    flow = """
    settings: {runtime: {max_step_executions: 5}}
    flows:
      spin:
        steps:
          - {step: ask, type: collect, slot: name, message: "Name?"}
          - {step: again, type: collect, slot: name, message: "Name?", jump_to: ask}
    """
    async with talking_to(flow) as talk:
        await talk.say("hi")
        assert await talk.say("Ann") == ["Something went wrong, so I could not finish spin."]
        assert talk.state["metadata"]["error"].startswith("loop_detected")


async def test_a_loop_with_a_wait_in_it_may_go_on_for_ever() -> None:
    flow = """
    settings: {runtime: {max_step_executions: 2}}
    flows:
      ask:
        steps:
          - {step: again, type: confirm, message: "Again?", on_yes: again, on_no: end}
    """
    async with talking_to(flow) as talk:
        await talk.say("hi")
        for _ in range(5):
            assert await talk.say("yes") == ["Again?"]
