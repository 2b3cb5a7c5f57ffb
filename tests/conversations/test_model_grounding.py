"""Amounts and days that a language model invents or works out: the message decides."""

import pytest

from tests.conversations.model_bank import AMOUNT, BANK, START, asked_how_much, bank
from tests.model_server import Model, commands, slots

UNSAID = "dropped: SetSlot with a value that nobody said"


async def test_an_amount_that_the_model_invents_is_not_taken_and_the_question_stays(
    model: Model,
) -> None:
    async with asked_how_much(model) as talk:
        model.will_say(commands({**AMOUNT, "value": "1000"}))
        assert await talk.say("as much as you can") == ["I did not understand that.", "How much?"]
        assert talk.slots == {"recipient": "Anna"}
        assert talk.state["metadata"].get("error") is None
        assert talk.state["turn"]["reasoning"] == UNSAID
        journal = await talk.runtime.store.journal.entries("ann")
        assert journal[-1].data["reasoning"] == UNSAID
        model.will_say(commands({**AMOUNT, "value": "50"}))
        assert await talk.say("50 then") == ["Send 50 to Anna?"]
        assert "reasoning" not in talk.state["turn"]


@pytest.mark.parametrize(
    ("message", "copy", "reply"),
    [
        ("I'd say fifty, if that is all right with you", "50", "Send 50 to Anna?"),
        ("one thousand, for her two children", "1000", "Send 1000 to Anna?"),
        ("1,000", "1", "Send 1000 to Anna?"),
        ("for her two children", "1000", "How much?"),
        ("fivehundred or so", "500", "How much?"),
        ("fiifty", "fifty", "Send 50 to Anna?"),
        ("Fifty.", "15", "Send 50 to Anna?"),
    ],
)
async def test_a_number_in_other_words_counts_if_the_message_says_the_same(
    message: str, copy: str, reply: str, model: Model
) -> None:
    async with asked_how_much(model) as talk:
        model.will_say(commands({**AMOUNT, "value": copy}))
        assert (await talk.say(message))[-1] == reply


VISIT = """
version: "1"
settings: {nlu: {provider: llm, model: tiny, base_url: "http://model.example/v1", timeout: 120}}
slots:
  day: {type: date, prompt: "Which day?"}
flows:
  visit:
    description: Come to see us
    trigger: {examples: [visit]}
    steps: [{collect: day}, {say: "See you on {day}."}]
"""


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("tomorrow, if you like", "See you on 3 March 2026."),
        ("tomorrow or next friday", "Which day?"),
        ("whenever you like", "Which day?"),
    ],
)
async def test_a_day_that_the_model_has_worked_out_is_read_from_the_message(
    message: str, reply: str, model: Model
) -> None:
    async with bank(model, VISIT) as talk:
        assert await talk.say("visit") == ["Which day?"]
        model.will_say(commands({"type": "SetSlot", "slot_name": "day", "value": "2024-05-07"}))
        assert (await talk.say(message))[-1] == reply


@pytest.mark.parametrize(
    ("message", "copy", "reply"),
    [
        ("Tuesday", "Thursday", "See you on 3 March 2026."),
        ("tuesday, I think", "Thursday", "See you on 3 March 2026."),
        ("thurzday", "Thursday", "See you on 5 March 2026."),
    ],
)
async def test_the_day_is_the_one_that_was_said_and_not_one_that_is_spelled_alike(
    message: str, copy: str, reply: str, model: Model
) -> None:
    async with bank(model, VISIT) as talk:
        await talk.say("visit")
        model.will_say(commands({"type": "SetSlot", "slot_name": "day", "value": copy}))
        assert (await talk.say(message))[-1] == reply


async def test_a_number_that_was_asked_about_can_be_meant_without_being_said(model: Model) -> None:
    yaml = BANK.replace('prompt: "How much?"', 'prompt: "How much? The most is 500."')
    async with bank(model, yaml) as talk:
        model.will_say(commands(START), slots(recipient="Anna"))
        await talk.say("send something to Anna")
        model.will_say(commands({**AMOUNT, "value": "500"}))
        assert await talk.say("as much as you can") == ["Send 500 to Anna?"]
