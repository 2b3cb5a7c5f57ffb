"""Disambiguate: understanding cannot choose, so the user does."""

import pytest

from soni.commands import ChitChat, CorrectSlot, DenyConfirmation, Disambiguate, SetSlot, StartFlow
from tests.conversations.bank import ACTIONS, BANK, bank
from tests.talking import talking_to

WHICH = "Which one do you mean: 1. balance, 2. weather?"
EITHER = Disambiguate(flow_names=("balance", "weather"))


async def test_the_user_is_asked_which() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        assert await talk.say("how is it?", EITHER) == [WHICH]
        assert (talk.stack, talk.state["conversation_state"]) == ([], "confirming")


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("weather", "Which city?"),
        ("the weather, please", "Which city?"),
        ("the second one", "Which city?"),
        ("2", "Which city?"),
        ("el primero", "Which account?"),
        ("Balance!", "Which account?"),
    ],
)
async def test_a_name_or_an_ordinal_answers(answer: str, question: str) -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("how is it?", EITHER)
        language = "es" if answer == "el primero" else "en"
        assert await talk.say(answer, language=language) == [question]
        assert talk.decisions == [("StartFlow", "accepted")]


@pytest.mark.parametrize("answer", ["none", "no", "neither"])
async def test_none_answers_and_nothing_starts(answer: str) -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("how is it?", EITHER)
        assert await talk.say(answer) == ["All right, none of those."]
        assert (talk.stack, talk.state["conversation_state"]) == ([], "idle")


async def test_none_goes_on_with_the_open_task() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        assert await talk.say("how is it?", EITHER) == [WHICH]
        assert talk.stack == ["transfer"]
        said = await talk.say("none", DenyConfirmation())
        assert said == ["All right, none of those.", "How much?"]


async def test_a_choice_interrupts_the_open_task_like_any_start() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        await talk.say("how is it?", EITHER)
        assert await talk.say("weather") == ["Which city?"]
        said = await talk.say("Rome", SetSlot(slot_name="city", value="Rome"))
        assert said == ["It is sunny in Rome.", "Back to transfer.", "How much?"]


async def test_something_else_than_a_choice_is_handled_as_itself() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send 5", StartFlow(flow_name="transfer", slots={"amount": 5}))
        await talk.say("how is it?", EITHER)
        change = CorrectSlot(slot_name="amount", new_value=6)
        assert await talk.say("6", change) == ["amount is now 6.", "To whom?"]


async def test_small_talk_and_noise_leave_the_question_open() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("how is it?", EITHER)
        assert await talk.say("hello", ChitChat()) == ["I'm here to help.", WHICH]
        assert await talk.say("xyzzy") == ["I did not understand that.", WHICH]
        assert await talk.say("the first one") == ["Which account?"]


async def test_only_one_that_may_start_needs_no_question() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        either = Disambiguate(flow_names=("sell_car", "weather"))
        assert await talk.say("how is it?", either) == ["Which city?"]
        assert talk.decisions == [("Disambiguate", "rewritten")]


async def test_the_same_flow_named_twice_is_one() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        either = Disambiguate(flow_names=("weather", "weather"))
        assert await talk.say("how is it?", either) == ["Which city?"]


async def test_those_that_may_not_start_are_not_offered() -> None:
    flows = "  hidden: {trigger: {}, hidden: true, steps: [{say: Hidden.}]}\n"
    async with talking_to(bank(flows=flows), ACTIONS) as talk:
        three = Disambiguate(flow_names=("balance", "hidden", "weather"))
        assert await talk.say("how is it?", three) == [WHICH]
        assert talk.decisions == [("Disambiguate", "rewritten")]


async def test_none_that_may_start_is_rejected() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        said = await talk.say("how is it?", Disambiguate(flow_names=("sell_car", "buy_car")))
        assert said == ["I did not understand that."]
        assert talk.decisions == [("Disambiguate", "rejected")]


async def test_a_start_beside_it_decides() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        said = await talk.say("weather!", EITHER, StartFlow(flow_name="weather"))
        assert said == ["Which city?"]
        assert talk.decisions == [("Disambiguate", "rejected"), ("StartFlow", "accepted")]


async def test_it_is_asked_after_the_answer_to_the_current_question() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await talk.say("send money", StartFlow(flow_name="transfer"))
        both = [SetSlot(slot_name="amount", value=5), EITHER]
        assert await talk.say("5, and how is it?", *both) == [WHICH]
        assert talk.slots == {"amount": 5}
        assert await talk.say("none") == ["All right, none of those.", "To whom?"]


async def test_the_question_is_put_in_the_language_of_the_conversation() -> None:
    async with talking_to(bank("settings: {language: es}"), ACTIONS) as talk:
        said = await talk.say("¿qué tal?", EITHER)
        assert said == ["¿A cuál te refieres: 1. balance, 2. weather?"]
        assert await talk.say("ninguno") == ["De acuerdo, ninguna."]
