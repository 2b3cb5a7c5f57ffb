"""Messages that the application starts: reminders, news, flows nobody asked for."""

import asyncio
from typing import Any

import pytest

from soni.commands import AffirmConfirmation, CancelFlow, HumanHandoff, SetSlot, StartFlow
from soni.core.errors import NotAllowedError
from tests.talking import talking_to

SHOP = """
slots:
  amount: {type: number, prompt: {en: "How much?", es: "¿Cuánto?"}}
  pin: {type: string, sensitive: true, prompt: "Your PIN?"}
flows:
  pay:
    trigger: {examples: [pay]}
    steps:
      - collect: amount
      - confirm: {en: "Pay {amount}?", es: "¿Pago {amount}?"}
      - say: "Paid {amount}."
  remind:
    inputs: [amount?]
    steps:
      - say: "You owe {amount}, {session.name}."
  log_in:
    trigger: {examples: [log in]}
    steps:
      - collect: pin
"""
PAY = StartFlow(flow_name="pay")


async def test_a_pushed_text_is_said_and_the_open_question_follows() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay", PAY)
        turn = await talk.runtime.push("ann", "Your parcel is here.")
        assert turn.messages == ["Your parcel is here.", "How much?"]
        assert await talk.say("5", SetSlot(slot_name="amount", value=5)) == ["Pay 5?"]


async def test_at_a_confirmation_the_push_is_no_answer() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay", PAY.model_copy(update={"slots": {"amount": 5}}))
        turn = await talk.runtime.push("ann", "yes")
        assert turn.messages == ["yes", "Pay 5?"]
        assert await talk.say("yes", AffirmConfirmation()) == ["Paid 5."]


async def test_while_idle_it_stands_alone() -> None:
    async with talking_to(SHOP) as talk:
        turn = await talk.runtime.push("ann", "Good morning!")
        assert turn.messages == ["Good morning!"]
        assert turn.state["conversation_state"] == "idle"


async def test_it_is_said_as_it_is_and_never_filled_in() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay", PAY.model_copy(update={"slots": {"amount": 5}}))
        hostile = "{amount} {{ 1 + 1 }} {session.name} %s"
        assert (await talk.runtime.push("ann", hostile)).messages[0] == hostile


async def test_it_opens_a_conversation_with_the_welcome() -> None:
    async with talking_to(SHOP + "responses: {welcome: Welcome!}") as talk:
        assert (await talk.runtime.push("ann", "News.")).messages == ["Welcome!", "News."]
        assert await talk.say("pay", PAY) == ["How much?"]


async def test_a_flow_is_pushed_over_the_open_task_which_then_goes_on() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay", PAY)
        turn = await talk.runtime.push(
            "ann", flow="remind", inputs={"amount": 7}, context={"name": "Ann"}
        )
        assert turn.messages == ["You owe 7, Ann.", "Back to pay.", "How much?"]


async def test_either_a_text_or_a_flow_is_pushed() -> None:
    async with talking_to(SHOP) as talk:
        wrong = "cannot push to conversation 'ann': give either a text or a flow"
        for given in ({}, {"text": "Hello", "flow": "remind"}):
            with pytest.raises(NotAllowedError) as error:
                await talk.runtime.push("ann", **given)
            assert str(error.value) == wrong


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"text": " "}, "cannot push to conversation 'ann': the text is empty"),
        (
            {"text": "Hello", "inputs": {"amount": 5}},
            "cannot push to conversation 'ann': inputs go with a flow, not with a text",
        ),
        ({"flow": "bill"}, "cannot start 'bill' without amount: no step asks for it"),
    ],
)
async def test_what_would_read_as_nonsense_is_not_pushed(given: Any, wrong: str) -> None:
    bill = "  bill:\n    inputs: [amount]\n    steps: [{say: 'You owe {amount}.'}]\n"
    async with talking_to(SHOP + bill) as talk:
        with pytest.raises(NotAllowedError) as error:
            await talk.runtime.push("ann", **given)
        assert str(error.value) == wrong
        turn = await talk.runtime.push("ann", flow="bill", inputs={"amount": 5})
        assert turn.messages == ["You owe 5."]


async def test_an_unknown_flow_names_those_that_there_are() -> None:
    async with talking_to(SHOP) as talk:
        with pytest.raises(NotAllowedError) as error:
            await talk.runtime.push("ann", flow="reminder")
        assert str(error.value) == (
            "cannot start 'reminder': no such flow; available: pay, remind, log_in"
        )


async def test_a_repeated_push_is_said_once() -> None:
    async with talking_to(SHOP) as talk:
        first = await talk.runtime.push("ann", "Tick.", message_id="tick-1")
        again = await talk.runtime.push("ann", "Tick.", message_id="tick-1")
        assert (first.messages, first.repeated) == (["Tick."], False)
        assert (again.messages, again.repeated) == (["Tick."], True)
        state = await talk.runtime.get_state("ann")
        assert [message.content for message in state["messages"]] == ["Tick."]


async def test_it_does_not_keep_a_session_alive() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay", PAY)
        talk.clock.forward(minutes=20)
        await talk.runtime.push("ann", "Still there?")
        talk.clock.forward(minutes=20)
        await talk.say("hello")
        assert talk.ended == [("pay", "abandoned")]


async def test_after_the_timeout_it_gives_up_what_was_open() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay", PAY)
        talk.clock.forward(minutes=31)
        turn = await talk.runtime.push("ann", "Good morning!")
        assert turn.messages == ["Good morning!"]
        assert [flow["result"] for flow in turn.state["turn"]["ended"]] == ["abandoned"]


async def test_it_speaks_the_language_of_the_conversation() -> None:
    async with talking_to(SHOP) as talk:
        assert await talk.say("pagar", PAY, language="es") == ["¿Cuánto?"]
        assert (await talk.runtime.push("ann", "Hola.")).messages == ["Hola.", "¿Cuánto?"]


async def test_a_question_of_the_system_stays_open_over_it() -> None:
    asks = SHOP + "conversation_patterns: {cancellation: {confirm_before_cancel: true}}"
    async with talking_to(asks) as talk:
        await talk.say("pay", PAY)
        [question] = await talk.say("stop", CancelFlow())
        assert (await talk.runtime.push("ann", "News.")).messages == ["News.", question]
        await talk.say("yes", AffirmConfirmation())
        assert talk.ended == [("pay", "cancelled")]


async def test_a_sensitive_question_follows_without_its_secrets() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("log in", StartFlow(flow_name="log_in"))
        assert (await talk.runtime.push("ann", "News.")).messages == ["News.", "Your PIN?"]


async def test_while_a_person_has_the_conversation_only_a_text_can_be_pushed() -> None:
    async with talking_to(SHOP) as talk:
        await talk.say("pay", PAY)
        await talk.say("a person", HumanHandoff())
        assert (await talk.runtime.push("ann", "News.")).messages == ["News."]
        with pytest.raises(NotAllowedError) as error:
            await talk.runtime.push("ann", flow="remind")
        assert str(error.value) == (
            "cannot start 'remind': the conversation is handed off; release it first"
        )
        assert (await talk.runtime.release("ann")).messages == ["How much?"]


async def test_pushes_and_messages_at_once_are_all_handled() -> None:
    async with talking_to(SHOP) as talk:
        sent = [talk.runtime.push("ann", f"News {n}.") for n in range(5)]
        await asyncio.gather(talk.say("pay", PAY), *sent)
        state = await talk.runtime.get_state("ann")
        said = [message.content for message in state["messages"]]
        assert state["turn_count"] == 6
        assert all(f"News {n}." in said for n in range(5))
        assert state["waiting_for_slot"] == "amount"
