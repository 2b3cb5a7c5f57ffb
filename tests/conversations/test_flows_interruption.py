"""interruptible and resumable."""

from soni.commands import CancelFlow, ChitChat, ResumeFlow, SetSlot, StartFlow
from tests.talking import talking_to

TWO = """
    flows:
      pay:
        trigger: {examples: [pay]}
        %s
        steps:
          - {collect: amount, message: "How much?"}
          - say: "Paid {amount}."
      look:
        trigger: {examples: [look]}
        steps:
          - {collect: place, message: "Where?"}
          - say: "Looked at {place}."
"""

FIRM = TWO % "interruptible: false"
FLEETING = TWO % "resumable: false"


async def test_a_flow_may_be_interrupted_and_returns_with_its_question() -> None:
    async with talking_to(TWO % "") as talk:
        assert await talk.say("pay") == ["How much?"]
        assert await talk.say("look") == ["Where?"]
        assert await talk.say("Oslo") == ["Looked at Oslo.", "Back to pay.", "How much?"]
        assert await talk.say("5") == ["Paid 5."]


async def test_interruptible_false_refuses_politely_and_asks_again() -> None:
    async with talking_to(FIRM) as talk:
        await talk.say("pay")
        assert await talk.say("look") == ["Let us finish pay first.", "How much?"]
        assert talk.stack == ["pay"]
        assert await talk.say("5") == ["Paid 5."]


async def test_interruptible_false_holds_for_a_paused_flow_too() -> None:
    async with talking_to(FIRM) as talk:
        await talk.say("look")
        assert await talk.say("pay") == ["How much?"]
        assert await talk.say("look") == ["Let us finish pay first.", "How much?"]
        assert await talk.say("go back", ResumeFlow()) == ["Let us finish pay first.", "How much?"]
        assert await talk.say("5") == ["Paid 5.", "Back to look.", "Where?"]


async def test_interruptible_false_may_be_followed_by_what_was_said_with_its_last_answer() -> None:
    async with talking_to(FIRM) as talk:
        await talk.say("pay")
        both = SetSlot(slot_name="amount", value="5"), StartFlow(flow_name="look")
        assert await talk.say("5, and have a look", *both) == ["Paid 5.", "Where?"]


async def test_interruptible_false_can_be_cancelled_and_digressed_from() -> None:
    async with talking_to(FIRM) as talk:
        await talk.say("pay")
        assert await talk.say("hi", ChitChat()) == ["I'm here to help.", "How much?"]
        assert await talk.say("stop", CancelFlow()) == ["I have cancelled pay."]


async def test_interruptible_false_has_its_slots_filled_by_a_start_of_itself() -> None:
    async with talking_to(FIRM) as talk:
        await talk.say("pay")
        again = StartFlow(flow_name="pay", slots={"amount": "5"})
        assert await talk.say("pay 5", again) == ["Paid 5."]


async def test_resumable_false_is_cancelled_when_it_is_interrupted() -> None:
    async with talking_to(FLEETING) as talk:
        await talk.say("pay")
        messages = await talk.say("look")
        assert messages[-1] == "Where?"
        assert talk.ended == [("pay", "cancelled")]
        assert talk.stack == ["look"]
        assert await talk.say("Oslo") == ["Looked at Oslo."]


async def test_resumable_false_is_cancelled_when_the_task_below_is_resumed() -> None:
    async with talking_to(FLEETING) as talk:
        await talk.say("look")
        await talk.say("pay")
        messages = await talk.say("go back", ResumeFlow())
        assert messages[-2:] == ["Back to look.", "Where?"]
        assert talk.ended == [("pay", "cancelled")]
        assert await talk.say("Oslo") == ["Looked at Oslo."]


async def test_resumable_false_is_not_cancelled_by_a_flow_that_may_not_start() -> None:
    async with talking_to(FLEETING) as talk:
        await talk.say("pay")
        await talk.say("x", StartFlow(flow_name="nowhere"))
        assert talk.stack == ["pay"]


async def test_resumable_false_starts_afresh_afterwards() -> None:
    async with talking_to(FLEETING) as talk:
        await talk.say("pay")
        await talk.say("look")
        assert await talk.say("pay", StartFlow(flow_name="pay")) == ["How much?"]
        assert talk.stack == ["look", "pay"]
        assert await talk.say("5") == ["Paid 5.", "Back to look.", "Where?"]
