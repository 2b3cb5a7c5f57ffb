"""What random walks found once, told as the shortest conversation that shows it."""

from __future__ import annotations

from typing import Any

import pytest

from soni import SoniConfig, action
from soni.commands import (
    AffirmConfirmation,
    Command,
    CorrectSlot,
    Disambiguate,
    RepeatLast,
    SetSlot,
    StartFlow,
)
from tests.talking import talking_to

PAY = """
    slots:
      amount: {type: integer, prompt: "How much?"}
      pin: {type: integer, prompt: "Your PIN?", sensitive: true}
    flows:
      pay:
        trigger: {examples: [pay]}
        steps:
          - collect: amount
          - confirm: "Pay {amount}?"
          - say: "Paid."
      unlock:
        trigger: {examples: [unlock]}
        steps:
          - collect: pin
          - say: "Unlocked."
"""


@pytest.mark.parametrize("nonsense", ["CancelFlow", None, 7, {}, {"type": "Teleport"}])
async def test_what_is_no_command_is_rejected_with_a_reason(nonsense: Any) -> None:
    async with talking_to(PAY) as talk:
        await talk.say("pay", StartFlow(flow_name="pay"))
        said = await talk.say("hm", commands=[nonsense])
        assert said == ["I did not understand that.", "How much?"]
        (made,) = talk.state["turn"]["decisions"]
        assert made["decision"] == "rejected"
        assert made["reason"]


@pytest.mark.parametrize(
    "command",
    [
        Disambiguate(flow_names=("pay", "unlock")),
        SetSlot(slot_name="amount", value="half a character: \ud800"),
    ],
)
async def test_a_turn_returns_the_state_that_is_stored(command: Command) -> None:
    async with talking_to(PAY) as talk:
        await talk.say("half a character: \ud800", command)
        assert await talk.runtime.get_state("ann") == talk.state


async def test_a_refused_secret_is_masked_however_deep_it_is() -> None:
    async with talking_to(PAY) as talk:
        await talk.say("unlock", StartFlow(flow_name="unlock"))
        await talk.say("...", SetSlot(slot_name="pin", value={"digits": ["4711"]}))
        assert talk.state["command_log"][-1]["args"]["value"] == "••••"
        assert "4711" not in str([await talk.runtime.store.journal.entries("ann"), talk.state])


async def test_repeat_beside_the_answer_does_not_ask_the_answered_question_again() -> None:
    async with talking_to(PAY) as talk:
        await talk.say("pay", StartFlow(flow_name="pay"))
        said = await talk.say("what? 5", RepeatLast(), SetSlot(slot_name="amount", value=5))
        assert said == ["Pay 5?"]


async def test_repeat_after_a_timeout_does_not_ask_what_nobody_waits_for() -> None:
    async with talking_to(PAY) as talk:
        await talk.say("pay", StartFlow(flow_name="pay"))
        talk.clock.forward(hours=1)
        assert "How much?" not in await talk.say("what?", RepeatLast())
        assert talk.state["_need_input"] is False


async def test_after_a_reset_the_same_words_are_another_instance_with_another_key() -> None:
    keys: list[str] = []

    @action
    async def charge(amount: int, ctx: Any) -> None:
        keys.append(ctx.idempotency_key)

    config = SoniConfig.model_validate(
        {
            "slots": {"amount": {"type": "integer", "prompt": "How much?"}},
            "flows": {
                "pay": {
                    "trigger": {"examples": ["pay"]},
                    "steps": [{"collect": "amount"}, {"confirm": "Pay?"}, {"action": "charge"}],
                }
            },
        }
    ).with_functions([charge])
    async with talking_to(config) as talk:
        for _ in range(2):
            await talk.say("pay 5", StartFlow(flow_name="pay", slots={"amount": 5}))
            await talk.say("yes", AffirmConfirmation())
            await talk.runtime.reset("ann")
    assert len(set(keys)) == 2


async def test_what_a_handoff_leaves_undone_stands_in_the_log() -> None:
    yaml = PAY + "    settings: {collection: {max_attempts: 1}}\n"
    async with talking_to(yaml) as talk:
        await talk.say("pay", StartFlow(flow_name="pay"))
        said = await talk.say(
            "lots, and unlock",
            SetSlot(slot_name="amount", value="lots"),
            StartFlow(flow_name="unlock"),
        )
        assert said == ["Please give a whole number.", "I am connecting you with a person."]
        logged = [(made["command"], made["result"]) for made in talk.state["command_log"][-2:]]
        assert logged == [("SetSlot", "error"), ("StartFlow", "rejected")]
        assert talk.state["command_log"][-1]["reason"] == "a person had taken over"


async def test_what_needs_a_yes_is_not_done_again_with_another_value_on_the_old_yes() -> None:
    sent: list[int] = []

    @action
    async def send(amount: int) -> None:
        sent.append(amount)

    slots = {"amount": {"type": "integer", "prompt": "How much?"}, "note": {"prompt": "A note?"}}
    steps = [
        {"collect": "amount"},
        {"confirm": "Send it?"},
        {"action": "send"},
        {"collect": "note"},
    ]
    config = SoniConfig.model_validate(
        {
            "slots": slots,
            "actions": {"send": {"confirm": True, "repeatable": True}},
            "flows": {"pay": {"trigger": {"examples": ["pay"]}, "steps": steps}},
        }
    ).with_functions([send])
    async with talking_to(config) as talk:
        await talk.say("pay 5", StartFlow(flow_name="pay", slots={"amount": 5}))
        assert await talk.say("yes", AffirmConfirmation()) == ["A note?"]
        said = await talk.say("make it 60", CorrectSlot(slot_name="amount", new_value=60))
        assert said == ["amount is now 60.", "Send it?"]
        assert sent == [5]
        assert await talk.say("yes", AffirmConfirmation()) == ["A note?"]
        assert sent == [5, 60]
