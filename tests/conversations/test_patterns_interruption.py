"""Interruption: the task below is paused with its question and comes back with it."""

from soni.commands import ChitChat, CorrectSlot, SetSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import talking_to

ROME = SetSlot(slot_name="city", value="Rome")
QUICK = """
  hours: {trigger: {examples: [when are you open]}, steps: [{say: "From 9 to 5."}]}
"""


async def test_the_task_below_is_paused_and_resumes_with_its_question() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        assert await talk.say("what is the weather") == ["Which city?"]
        below, top = talk.state["flow_stack"]
        assert (below["flow_state"], below["paused_at"]) == ("paused", talk.clock().timestamp())
        assert below["context"] == "User started weather"
        assert (top["flow_state"], top["paused_at"]) == ("active", None)
        assert await talk.say("Rome") == ["It is sunny in Rome.", "Back to transfer.", "To whom?"]
        assert talk.state["flow_stack"][0]["flow_state"] == "active"


async def test_a_flow_that_only_speaks_interrupts_and_returns_in_one_turn() -> None:
    async with talking_to(bank(flows=QUICK), ACTIONS) as talk:
        await talk.say("send money")
        said = await talk.say("when are you open")
        assert said == ["From 9 to 5.", "Back to transfer.", "How much?"]


async def test_three_levels_return_one_after_the_other() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        for flow in ("transfer", "balance", "weather"):
            await talk.say(flow, StartFlow(flow_name=flow))
        said = await talk.say("Rome", ROME)
        assert said == ["It is sunny in Rome.", "Back to balance.", "Which account?"]
        said = await talk.say("main", SetSlot(slot_name="account", value="main"))
        assert said == ["There are 100 euros in main.", "Back to transfer.", "How much?"]


async def test_announce_return_false_returns_silently_with_the_question() -> None:
    silent = "conversation_patterns: {interruption: {announce_return: false}}"
    async with talking_to(bank(silent), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await talk.say("weather", StartFlow(flow_name="weather"))
        assert await talk.say("Rome", ROME) == ["It is sunny in Rome.", "How much?"]


async def test_the_announcement_is_the_authors() -> None:
    own = 'responses: {flow_resumed: "So, {flow} again."}'
    async with talking_to(bank(own), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await talk.say("weather", StartFlow(flow_name="weather"))
        said = await talk.say("Rome", ROME)
        assert said == ["It is sunny in Rome.", "So, transfer again.", "How much?"]


async def test_a_flow_that_fails_returns_to_the_task_below_too() -> None:
    flows = """
  broken:
    trigger: {}
    steps: [{collect: city}, {action: fail}]
"""
    failing = ACTIONS + "\n@action\ndef fail() -> dict:\n    raise RuntimeError('no')\n"
    async with talking_to(bank(flows=flows), failing) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await talk.say("break", StartFlow(flow_name="broken"))
        said = await talk.say("Rome", ROME)
        sorry = "Something went wrong, so I could not finish broken."
        assert said == [sorry, "Back to transfer.", "How much?"]
        assert talk.ended == [("broken", "error")]


async def test_interruptible_false_refuses_politely_and_asks_again() -> None:
    flows = "  tax: {trigger: {}, interruptible: false, steps: [{collect: amount}]}\n"
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("tax", StartFlow(flow_name="tax"))
        said = await talk.say("weather", StartFlow(flow_name="weather"))
        assert said == ["Let us finish tax first.", "How much?"]
        assert talk.stack == ["tax"]
        logged = talk.state["command_log"][-1]
        assert (logged["result"], logged["reason"]) == ("rejected", "'tax' is not interruptible")
        # Digressions and values are no interruptions.
        assert await talk.say("hi", ChitChat()) == ["I'm here to help.", "How much?"]


async def test_its_answer_is_taken_before_another_task_is_refused() -> None:
    flows = """
  tax:
    trigger: {}
    interruptible: false
    steps: [{collect: amount}, {collect: recipient}]
"""
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("tax", StartFlow(flow_name="tax"))
        both = [SetSlot(slot_name="amount", value=5), StartFlow(flow_name="weather")]
        said = await talk.say("5, and the weather?", *both)
        assert said == ["Let us finish tax first.", "To whom?"]


async def test_when_its_last_answer_ends_it_the_other_task_may_start() -> None:
    flows = "  tax: {trigger: {}, interruptible: false, steps: [{collect: amount}]}\n"
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("tax", StartFlow(flow_name="tax"))
        both = [SetSlot(slot_name="amount", value=5), StartFlow(flow_name="weather")]
        assert await talk.say("5, and the weather?", *both) == ["Which city?"]


async def test_disabled_interruption_refuses_for_every_flow() -> None:
    off = "conversation_patterns: {interruption: {enabled: false}}"
    async with talking_to(bank(off), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        said = await talk.say("weather", StartFlow(flow_name="weather"))
        assert said == ["Let us finish transfer first.", "How much?"]


async def test_resumable_false_means_interrupted_is_cancelled() -> None:
    flows = "  quiz: {trigger: {}, resumable: false, steps: [{collect: amount}]}\n"
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        await talk.say("quiz", StartFlow(flow_name="quiz"))
        assert await talk.say("weather", StartFlow(flow_name="weather")) == ["Which city?"]
        assert (talk.stack, talk.ended) == (["weather"], [("quiz", "cancelled")])
        assert await talk.say("Rome", ROME) == ["It is sunny in Rome."]


async def test_correction_and_interruption_in_one_message() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        both = [CorrectSlot(slot_name="amount", new_value=6), StartFlow(flow_name="weather")]
        said = await talk.say("make it 6, and the weather?", *both)
        assert said == ["amount is now 6.", "Which city?"]
        said = await talk.say("Rome", ROME)
        assert said == ["It is sunny in Rome.", "Back to transfer.", "To whom?"]
        assert talk.slots == {"amount": 6}


async def test_an_invalid_value_in_one_task_counts_for_that_task_alone() -> None:
    async with talking_to(bank("settings: {collection: {max_attempts: 2}}"), ACTIONS) as talk:
        lots = SetSlot(slot_name="amount", value="lots")
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await talk.say("lots", lots)
        await talk.say("another", StartFlow(flow_name="transfer", another=True))
        said = await talk.say("lots", lots)
        assert said == ["Please give a whole number.", "How much?"]
