"""HumanHandoff: a person takes over; then messages are only recorded, until released."""

import pytest

from soni import SoniError
from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    Disambiguate,
    HumanHandoff,
    SetSlot,
    StartFlow,
)
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import talking_to

GOODBYE = "I am connecting you with a person."
HUMAN = HumanHandoff()
QUEUE = "settings: {handoff: {default_queue: depot}}"
CARD = """
settings: {handoff: {default_queue: depot, action: announce}}
slots: {pin: {prompt: "PIN?", sensitive: true}, city: {prompt: "City?"}}
flows: {card: {trigger: {}, steps: [{collect: pin}, {collect: city}]}}
"""
ANNOUNCE = """
from soni import ActionError, action

@action
def announce(queue: str, reason: str, summary: str, slots: dict, ctx) -> dict:
    if reason == "fail":
        raise ActionError("offline", "nobody there")
    ctx.say(f"{queue}: {reason}; {summary}; {sorted(slots.items())}")
    return {}
"""


async def test_metadata_holds_queue_reason_summary_and_slots() -> None:
    async with talking_to(bank(QUEUE), ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        assert await talk.say("a person!", HumanHandoff(reason="angry")) == [GOODBYE]
        ticket = talk.state["metadata"]["handoff"]
        assert ticket["queue"] == "depot"
        assert ticket["reason"] == "angry"
        assert ticket["summary"] == "transfer (at collect_recipient)"
        assert ticket["slots"] == {"amount": 5}
        assert ticket["at"] == talk.clock().timestamp()


CALLING = """
slots: {city: {prompt: "City?"}, pin: {prompt: "PIN?", sensitive: true}}
flows:
  order: {trigger: {}, steps: [{collect: city}, {call: identify}]}
  identify: {steps: [{collect: pin}]}
"""


async def test_what_the_caller_of_a_flow_knows_is_handed_over_too() -> None:
    async with talking_to(CALLING) as talk:
        await talk.say("to Oslo", StartFlow("order", {"city": "Oslo"}))
        await talk.say("a person!", HUMAN)
        assert talk.state["metadata"]["handoff"]["slots"] == {"city": "Oslo"}


async def test_a_person_is_asked_for_without_given_commands() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("I want to talk to a human") == [GOODBYE]
        assert talk.state["metadata"]["handoff"]["reason"] == "requested by the user"
        assert talk.state["metadata"]["handoff"]["summary"] == "no open task"


async def test_sensitive_slots_are_masked_and_the_handoff_action_runs() -> None:
    async with talking_to(CARD, ANNOUNCE) as talk:
        await talk.say("card 1234", StartFlow(flow_name="card", slots={"pin": "1234"}))
        said = await talk.say("a person!", HumanHandoff(reason="lost"))
        shown = "depot: lost; card (at collect_city); [('pin', '••••')]"
        assert said == [GOODBYE, shown]
        assert talk.state["metadata"]["handoff"]["slots"] == {"pin": "••••"}


async def test_a_failing_handoff_action_hands_over_all_the_same() -> None:
    async with talking_to(CARD, ANNOUNCE) as talk:
        assert await talk.say("a person!", HumanHandoff(reason="fail")) == [GOODBYE]
        assert talk.state["metadata"]["handoff"]["queue"] == "depot"
        assert talk.state["metadata"]["error"] == "offline: nobody there"


async def test_then_messages_are_only_recorded() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await talk.say("a person!", HUMAN)
        called = talk.state["last_nlu_call"]
        for message in ("50", "cancel", "yes"):
            assert await talk.say(message) == []
        assert await talk.say("stop", CancelFlow()) == []
        assert (talk.stack, talk.slots, talk.decisions) == (["transfer"], {}, [])
        assert talk.state["last_nlu_call"] == called
        recorded = [m.content for m in talk.state["messages"] if m.type == "human"]
        assert recorded == ["send money", "a person!", "50", "cancel", "yes", "stop"]


async def test_release_repeats_the_pending_question() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        await talk.say("a person!", HUMAN)
        await talk.say("hello?")
        assert (await talk.runtime.release("ann")).messages == ["To whom?"]
        said = await talk.say("Bob", SetSlot(slot_name="recipient", value="Bob"))
        assert said == ["Send 5 to Bob?"]
        assert talk.state["metadata"]["handoff"] is None


async def test_release_repeats_a_confirm_and_no_earlier_yes_answers_it() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        both = {"amount": 5, "recipient": "Bob"}
        await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
        await talk.say("a person!", HUMAN)
        await talk.say("yes", AffirmConfirmation())
        assert (await talk.runtime.release("ann")).messages == ["Send 5 to Bob?"]
        assert await talk.say("yes", AffirmConfirmation()) == ["Sent 5 to Bob."]


async def test_release_repeats_a_question_of_the_system() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        which = ["Which one do you mean: 1. balance, 2. weather?"]
        await talk.say("how is it?", Disambiguate(flow_names=("balance", "weather")))
        assert await talk.say("a person!", HUMAN) == [GOODBYE]
        assert await talk.say("hello?") == []
        assert (await talk.runtime.release("ann")).messages == which
        assert await talk.say("the second one") == ["Which city?"]


async def test_idle_a_release_says_nothing_and_the_next_message_is_understood() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("a person!", HUMAN)
        assert (await talk.runtime.release("ann")).messages == []
        assert await talk.say("send money") == ["How much?"]


async def test_nothing_times_out_while_a_person_is_at_it() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        await talk.say("a person!", HUMAN)
        talk.clock.forward(hours=5)
        assert await talk.say("hello?") == []
        assert talk.stack == ["transfer"]
        talk.clock.forward(hours=5)
        assert (await talk.runtime.release("ann")).messages == ["To whom?"]
        assert await talk.say("Bob") == ["Send 5 to Bob?"]


async def test_only_a_conversation_that_was_handed_off_is_released() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        with pytest.raises(SoniError, match="it is not handed off"):
            await talk.runtime.release("ann")


async def test_it_comes_after_everything_else_of_the_message() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        said = await talk.say("5, but a person", HUMAN, SetSlot(slot_name="amount", value=5))
        assert said == [GOODBYE]
        assert talk.state["metadata"]["handoff"]["slots"] == {"amount": 5}
        assert (await talk.runtime.release("ann")).messages == ["To whom?"]


async def test_after_a_yes_what_was_confirmed_is_done_first() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        both = {"amount": 5, "recipient": "Bob"}
        await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
        said = await talk.say("yes, then a person", HUMAN, AffirmConfirmation())
        assert said == ["Sent 5 to Bob.", GOODBYE]


async def test_disabled_it_says_so_and_asks_again() -> None:
    off = "conversation_patterns: {human_handoff: {enabled: false}}"
    async with talking_to(bank(off), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        said = await talk.say("a person!", HUMAN)
        assert said == ["I cannot connect you with a person here.", "How much?"]
        assert talk.state["metadata"].get("handoff") is None


async def test_another_conversation_is_not_handed_off() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("a person!", HUMAN)
        other = await talk.runtime.turn("send money", "bob")
        assert other.messages == ["How much?"]
