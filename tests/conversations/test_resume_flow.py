"""ResumeFlow: a paused task comes to the top."""

from soni.commands import ResumeFlow, SetSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import Talk, talking_to


async def _three_open(talk: Talk) -> None:
    await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
    await talk.say("balance?", StartFlow(flow_name="balance"))
    await talk.say("weather?", StartFlow(flow_name="weather"))


async def test_the_named_paused_task_comes_to_the_top_with_its_question() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _three_open(talk)
        said = await talk.say("back to the transfer", ResumeFlow(flow_name="transfer"))
        assert said == ["Back to transfer.", "To whom?"]
        assert talk.stack == ["balance", "weather", "transfer"]
        assert talk.slots == {"amount": 5}
        states = [flow["flow_state"] for flow in talk.state["flow_stack"]]
        assert states == ["paused", "paused", "active"]


async def test_without_a_name_the_task_paused_last_comes_to_the_top() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _three_open(talk)
        assert await talk.say("go back") == ["Back to balance.", "Which account?"]
        assert talk.decisions == [("ResumeFlow", "accepted")]
        assert talk.stack == ["transfer", "weather", "balance"]


async def test_the_task_that_was_on_top_comes_back_afterwards() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("balance?", StartFlow(flow_name="balance"))
        await talk.say("weather?", StartFlow(flow_name="weather"))
        await talk.say("back", ResumeFlow())
        said = await talk.say("main", SetSlot(slot_name="account", value="main"))
        assert said == ["There are 100 euros in main.", "Back to weather.", "Which city?"]


async def test_nothing_is_paused_so_the_command_is_rejected() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("back", ResumeFlow()) == ["I did not understand that."]
        assert talk.decisions == [("ResumeFlow", "rejected")]
        await talk.say("weather?", StartFlow(flow_name="weather"))
        said = await talk.say("back", ResumeFlow(flow_name="transfer"))
        assert said == ["I did not understand that.", "Which city?"]
        assert talk.last.commands[0]["reason"] == "no such paused task; paused: none"


async def test_of_two_instances_the_paused_one_is_meant() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        await talk.say("another", StartFlow(flow_name="transfer", another=True))
        said = await talk.say("back to the first", ResumeFlow(flow_name="transfer"))
        assert said == ["Back to transfer.", "To whom?"]
        assert talk.slots == {"amount": 5}


async def test_a_flow_that_may_not_be_interrupted_is_not_left_for_a_paused_one() -> None:
    flows = """
  pay_tax:
    trigger: {}
    interruptible: false
    steps: [{collect: amount}]
"""
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("weather?", StartFlow(flow_name="weather"))
        await talk.say("tax", StartFlow(flow_name="pay_tax"))
        said = await talk.say("back to the weather", ResumeFlow(flow_name="weather"))
        assert said == ["Let us finish pay tax first.", "How much?"]
        assert talk.stack == ["weather", "pay_tax"]


async def test_a_flow_that_is_not_resumable_is_cancelled_when_another_is_resumed() -> None:
    flows = """
  quiz:
    trigger: {}
    resumable: false
    steps: [{collect: amount}]
"""
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("weather?", StartFlow(flow_name="weather"))
        await talk.say("quiz", StartFlow(flow_name="quiz"))
        said = await talk.say("back to the weather", ResumeFlow())
        assert said == ["Back to weather.", "Which city?"]
        assert (talk.stack, talk.ended) == (["weather"], [("quiz", "cancelled")])
