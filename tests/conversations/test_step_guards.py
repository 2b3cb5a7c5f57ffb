"""Guards: a step whose condition is false is skipped."""

import pytest

from soni.commands import CorrectSlot, StartFlow
from tests.talking import talking_to

ACTIONS = """
    from soni import action

    @action
    def work():
        return {"x": 1}
"""


@pytest.mark.parametrize(
    ("step", "kept"),
    [
        ('{say: "skipped", when: "%s"}', ["skipped", "after"]),
        ('{collect: name, message: "Name?", when: "%s"}', ["Name?"]),
        ('{confirm: "Sure?", when: "%s"}', ["Sure?"]),
        ('{set: {x: 1}, when: "%s"}', ["after"]),
        ('{action: work, when: "%s"}', ["after"]),
    ],
)
async def test_every_step_but_branch_may_have_a_guard(step: str, kept: list[str]) -> None:
    flow = f"""
    flows:
      check:
        inputs: ["on?"]
        steps:
          - {step % "on"}
          - {{say: "x is set", when: "x"}}
          - {{set: {{x: 0}}, when: "false"}}
          - say: "after"
    """
    async with talking_to(flow, ACTIONS) as talk:

        async def going(on: bool) -> list[str]:
            return await talk.say("go", StartFlow(flow_name="check", slots={"on": on}))

        assert await going(False) == ["after"]
        ran = ["x is set", "after"] if "set:" in step or "action:" in step else kept
        assert await going(True) == ran


@pytest.mark.parametrize("value", [0, "", False, None])
async def test_a_guard_does_not_hold_for_0_empty_false_or_null(value: object) -> None:
    flow = """
    flows:
      check:
        inputs: ["n?"]
        steps:
          - {say: "some", when: "n"}
          - {say: "none", when: "not n"}
    """
    async with talking_to(flow) as talk:
        slots = {} if value is None else {"n": value}
        assert await talk.say("go", StartFlow(flow_name="check", slots=slots)) == ["none"]


async def test_the_jump_of_a_skipped_step_is_skipped_too() -> None:
    flow = """
    flows:
      check:
        inputs: ["done?"]
        steps:
          - {say: "Done already.", when: "done", jump_to: end}
          - say: "Still to do."
    """
    async with talking_to(flow) as talk:
        start = StartFlow(flow_name="check", slots={"done": False})
        assert await talk.say("go", start) == ["Still to do."]
        start = StartFlow(flow_name="check", slots={"done": True})
        assert await talk.say("go", start) == ["Done already."]


async def test_the_jump_of_a_skipped_collect_is_skipped_although_its_slot_is_filled() -> None:
    flow = """
    flows:
      check:
        inputs: ["done?"]
        steps:
          - {collect: name, message: "Name?", when: "done", jump_to: end}
          - say: "Still to do, {name}."
    """
    async with talking_to(flow) as talk:
        slots = {"done": False, "name": "Ann"}
        assert await talk.say("go", StartFlow(flow_name="check", slots=slots)) == [
            "Still to do, Ann."
        ]
        slots = {"done": True, "name": "Ann"}
        assert await talk.say("go", StartFlow(flow_name="check", slots=slots)) == []


async def test_the_jump_of_a_skipped_confirm_is_skipped_too() -> None:
    flow = """
    flows:
      check:
        inputs: ["big?"]
        steps:
          - {confirm: "Sure?", when: "big", jump_to: end}
          - say: "Small."
    """
    async with talking_to(flow) as talk:
        assert await talk.say("go", StartFlow(flow_name="check", slots={"big": False})) == [
            "Small."
        ]
        await talk.say("go", StartFlow(flow_name="check", slots={"big": True}))
        assert await talk.say("yes") == []


async def test_the_answer_to_a_confirm_that_is_skipped_meanwhile_answers_no_other() -> None:
    flow = """
    flows:
      check:
        steps:
          - {confirm: "Tell everybody?", when: "session.chatty"}
          - confirm: "Delete it?"
          - say: "Deleted."
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi", context={"chatty": True}) == ["Tell everybody?"]
        assert await talk.say("yes", context={"chatty": False}) == ["Delete it?"]
        assert await talk.say("yes", context={"chatty": False}) == ["Deleted."]


async def test_a_guard_reads_what_earlier_steps_wrote_and_the_session() -> None:
    flow = """
    slots:
      age: {type: integer, prompt: "How old are you?"}
    flows:
      check:
        steps:
          - collect: age
          - {collect: parent, message: "A parent's name?", when: "age < session.adult"}
          - say: "Thanks, {parent}."
    """
    async with talking_to(flow) as talk:
        await talk.say("hi", context={"adult": 18})
        assert await talk.say("17", context={"adult": 18}) == ["A parent's name?"]
        assert await talk.say("Eve", context={"adult": 18}) == ["Thanks, Eve."]
        await talk.say("hi", context={"adult": 18})
        assert await talk.say("18", context={"adult": 18}) == ["Thanks, ."]


async def test_a_correction_decides_a_guard_anew() -> None:
    flow = """
    slots:
      age: {type: integer, prompt: "How old are you?"}
    flows:
      check:
        steps:
          - collect: age
          - {collect: parent, message: "A parent's name?", when: "age < 18"}
          - confirm: "{age}, {parent}?"
          - say: "Done."
    """
    async with talking_to(flow) as talk:
        await talk.say("hi")
        assert await talk.say("20") == ["20, ?"]
        younger = CorrectSlot(slot_name="age", new_value=12)
        assert await talk.say("no, 12", younger) == ["age is now 12.", "A parent's name?"]
        assert await talk.say("Eve") == ["12, Eve?"]


GUARDED = """
    slots:
      amount: {type: integer, prompt: "How much?"}
    flows:
      pay:
        steps:
          - collect: amount
          - {action: audit, when: "amount > 100"}
          - confirm: "Pay {amount}, audit {number}?"
          - say: "Paid."
"""

AUDIT = """
    from soni import action

    @action
    def audit(amount):
        return {"number": amount * 2}
"""


async def test_a_skipped_action_was_not_done_so_it_is_not_too_late_for_a_change() -> None:
    async with talking_to(GUARDED, AUDIT) as talk:
        await talk.say("hi")
        assert await talk.say("50") == ["Pay 50, audit ?"]
        assert await talk.say("60", CorrectSlot(slot_name="amount", new_value=60)) == [
            "amount is now 60.",
            "Pay 60, audit ?",
        ]
        assert await talk.say("500", CorrectSlot(slot_name="amount", new_value=500)) == [
            "amount is now 500.",
            "Pay 500, audit 1000?",
        ]
        assert await talk.say("5", CorrectSlot(slot_name="amount", new_value=5)) == [
            "It is too late to change amount: that has already been done.",
            "Pay 500, audit 1000?",
        ]


async def test_a_change_does_not_lead_away_from_what_was_done_behind_a_guarded_jump() -> None:
    flow = """
    slots:
      amount: {type: integer, prompt: "How much?"}
    flows:
      pay:
        steps:
          - collect: amount
          - {say: "That is little.", when: "amount < 10", jump_to: small}
          - {action: audit, inputs: {amount: 1}}
          - {step: small, type: confirm, message: "Pay {amount}?"}
          - say: "Paid."
    """
    async with talking_to(flow, AUDIT) as talk:
        await talk.say("hi")
        assert await talk.say("50") == ["Pay 50?"]
        assert await talk.say("5", CorrectSlot(slot_name="amount", new_value=5)) == [
            "It is too late to change amount: that has already been done.",
            "Pay 50?",
        ]


async def test_a_guard_that_cannot_be_worked_out_is_the_flows_error() -> None:
    flow = """
    flows:
      check:
        steps:
          - set: {word: text}
          - {say: "never", when: "word > 1"}
          - say: "never either"
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["Something went wrong, so I could not finish check."]
        assert talk.ended == [("check", "error")]
