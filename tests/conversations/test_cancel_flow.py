"""CancelFlow: the task on top goes, the one below comes back with its question."""

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    CorrectSlot,
    DenyConfirmation,
    SetSlot,
    StartFlow,
)
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import talking_to

ASKS_FIRST = "conversation_patterns: {cancellation: {confirm_before_cancel: true}}"


async def test_the_task_on_top_is_cancelled_and_acknowledged() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        said = await talk.say("stop", CancelFlow(reason="too dear"))
        assert said == ["I have cancelled transfer."]
        assert (talk.stack, talk.ended) == ([], [("transfer", "cancelled")])
        assert talk.state["flow_slots"] == {}
        archived = talk.state["metadata"]["completed_flows"][-1]
        assert (archived["flow_state"], archived["context"]) == ("cancelled", "too dear")
        assert talk.state["conversation_state"] == "idle"


async def test_cancel_is_understood_without_given_commands() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money")
        assert await talk.say("never mind") == ["I have cancelled transfer."]


async def test_the_task_below_resumes_with_its_question() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        await talk.say("weather?", StartFlow(flow_name="weather"))
        said = await talk.say("stop", CancelFlow())
        assert said == ["I have cancelled weather.", "Back to transfer.", "To whom?"]
        assert (talk.stack, talk.slots) == (["transfer"], {"amount": 5})
        assert talk.state["waiting_for_slot"] == "recipient"


async def test_a_confirm_below_is_asked_again_and_a_cancel_is_no_answer_to_it() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        both = {"amount": 5, "recipient": "Bob"}
        await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
        await talk.say("weather?", StartFlow(flow_name="weather"))
        said = await talk.say("stop", CancelFlow())
        assert said == ["I have cancelled weather.", "Back to transfer.", "Send 5 to Bob?"]
        assert talk.actions == []


async def test_idle_a_cancel_says_that_there_is_nothing() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("stop", CancelFlow()) == ["There is nothing to cancel."]
        assert talk.decisions == [("CancelFlow", "accepted")]


async def test_cancel_and_start_in_one_message_do_not_stop_at_the_task_below() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        await talk.say("weather?", StartFlow(flow_name="weather"))
        instead = [CancelFlow(), StartFlow(flow_name="balance")]
        said = await talk.say("stop this, what is my balance?", *instead)
        assert said == ["I have cancelled weather.", "Which account?"]
        assert talk.stack == ["transfer", "balance"]
        said = await talk.say("main", SetSlot(slot_name="account", value="main"))
        assert said == ["There are 100 euros in main.", "Back to transfer.", "To whom?"]


async def test_cancelling_a_flow_in_order_to_start_it_anew_starts_it_anew() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        anew = [StartFlow(flow_name="transfer"), CancelFlow()]
        said = await talk.say("no, start over", *anew)
        assert said == ["I have cancelled transfer.", "How much?"]
        assert talk.slots == {}


async def test_a_value_beside_a_cancel_goes_to_the_task_that_comes_back() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        await talk.say("another", StartFlow(flow_name="transfer", another=True))
        both = [CancelFlow(), SetSlot(slot_name="amount", value=60)]
        said = await talk.say("drop this one, and make it 60", *both)
        assert said == [
            "I have cancelled transfer.",
            "amount is now 60.",
            "Back to transfer.",
            "To whom?",
        ]
        assert talk.slots == {"amount": 60}


async def test_cancel_contradicts_yes_and_no() -> None:
    for answer in (AffirmConfirmation(), DenyConfirmation()):
        async with talking_to(BANK, ACTIONS) as talk:
            both = {"amount": 5, "recipient": "Bob"}
            await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
            said = await talk.say("yes no stop", answer, CancelFlow())
            assert said == ["I have cancelled transfer."]
            assert talk.decisions == [(answer.type, "rejected"), ("CancelFlow", "accepted")]
            assert talk.actions == []


async def test_confirm_before_cancel_asks_first_and_yes_cancels() -> None:
    async with talking_to(bank(ASKS_FIRST), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await talk.say("stop", CancelFlow()) == ["Do you want to cancel transfer?"]
        assert talk.stack == ["transfer"]
        said = await talk.say("yes", AffirmConfirmation())
        assert said == ["I have cancelled transfer."]
        assert talk.ended == [("transfer", "cancelled")]


async def test_no_to_the_cancel_question_goes_on_where_it_was() -> None:
    async with talking_to(bank(ASKS_FIRST), ACTIONS) as talk:
        both = {"amount": 5, "recipient": "Bob"}
        await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
        await talk.say("stop", CancelFlow())
        assert await talk.say("no", DenyConfirmation()) == ["Send 5 to Bob?"]
        # That no answered the question of the system, not the confirmation behind it.
        assert await talk.say("yes", AffirmConfirmation()) == ["Sent 5 to Bob."]


async def test_yes_to_the_cancel_question_never_confirms_what_is_below() -> None:
    async with talking_to(bank(ASKS_FIRST), ACTIONS) as talk:
        both = {"amount": 5, "recipient": "Bob"}
        await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
        await talk.say("weather?", StartFlow(flow_name="weather"))
        await talk.say("stop", CancelFlow())
        said = await talk.say("yes", AffirmConfirmation())
        assert said == ["I have cancelled weather.", "Back to transfer.", "Send 5 to Bob?"]
        assert talk.actions == []


async def test_saying_cancel_again_answers_the_cancel_question() -> None:
    async with talking_to(bank(ASKS_FIRST), ACTIONS) as talk:
        await talk.say("send money")
        assert await talk.say("cancel") == ["Do you want to cancel transfer?"]
        assert await talk.say("cancel") == ["I have cancelled transfer."]


async def test_a_correction_while_the_cancel_question_is_open_goes_on_with_the_task() -> None:
    async with talking_to(bank(ASKS_FIRST), ACTIONS) as talk:
        both = {"amount": 5, "recipient": "Bob"}
        await talk.say("send 5 to Bob", StartFlow(flow_name="transfer", slots=both))
        await talk.say("stop", CancelFlow())
        change = CorrectSlot(slot_name="amount", new_value=6)
        said = await talk.say("make it 6", change)
        assert said == ["amount is now 6.", "Send 6 to Bob?"]


async def test_idle_a_cancel_is_not_asked_about() -> None:
    async with talking_to(bank(ASKS_FIRST), ACTIONS) as talk:
        assert await talk.say("stop", CancelFlow()) == ["There is nothing to cancel."]


async def test_what_came_with_a_cancel_that_is_asked_about_waits_for_the_yes() -> None:
    async with talking_to(bank(ASKS_FIRST), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        instead = [CancelFlow(), StartFlow(flow_name="weather")]
        assert await talk.say("stop, weather", *instead) == ["Do you want to cancel transfer?"]
        assert talk.stack == ["transfer"]
        log = [(e["command"], e["result"]) for e in talk.state["command_log"] if e["turn"] == 2]
        assert log == [("CancelFlow", "rewritten"), ("StartFlow", "rewritten")]
        assert await talk.say("yes") == ["I have cancelled transfer.", "Which city?"]
        assert talk.stack == ["weather"]


async def test_what_came_with_a_cancel_is_forgotten_after_a_no() -> None:
    async with talking_to(bank(ASKS_FIRST), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await talk.say("stop, weather", CancelFlow(), StartFlow(flow_name="weather"))
        assert await talk.say("no") == ["How much?"]
        await talk.say("stop")
        assert await talk.say("yes") == ["I have cancelled transfer."]
        assert talk.stack == []


async def test_disabled_cancellation_is_rejected() -> None:
    off = "conversation_patterns: {cancellation: {enabled: false}}"
    async with talking_to(bank(off), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        said = await talk.say("stop", CancelFlow())
        assert said == ["I did not understand that.", "How much?"]
        assert talk.stack == ["transfer"]


async def test_spanish_is_answered_in_spanish() -> None:
    async with talking_to(bank("settings: {language: es}"), ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await talk.say("cancela") == ["He cancelado transfer."]
        assert await talk.say("cancela") == ["No hay nada que cancelar."]
