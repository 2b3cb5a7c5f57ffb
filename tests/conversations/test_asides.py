"""Whatever people say beside the point, it answers no question, and costs nobody money."""

import pytest

from soni.du import LocalNLU
from tests.talking import talking_to

BANK = """
version: "1"
slots:
  recipient: {prompt: To whom?, description: Who gets the money}
  amount: {type: number, prompt: How much?, description: How many euros}
  account:
    type: choice
    description: Which of the customer's accounts
    values: [checking, savings]
    prompt: Which account?
flows:
  transfer:
    description: Send money to somebody
    trigger: {examples: ["send money", "send 50 to Bob", "make a transfer"]}
    steps:
      - collect: recipient
      - collect: amount
      - collect: account
      - confirm: "Send {amount} to {recipient} from {account}?"
      - say: Sent.
"""
BEGUN = {"type": "StartFlow", "flow_name": "transfer", "slots": {"recipient": "Bob", "amount": 50}}


@pytest.mark.parametrize(
    "words",
    [
        *("hm, let me think about it", "I don't trust this", "what a nice day", "hang on a second"),
        *("you are too slow", "my mother told me so", "I have no idea what that is"),
        *("that's a lot of money", "I am not sure yet", "it's raining here", "wait a minute"),
        *("I have to ask my wife first", "this is so annoying", "let me think"),
    ],
)
async def test_what_is_no_answer_chooses_nothing(words: str) -> None:
    async with talking_to(BANK, nlu=LocalNLU()) as talk:
        await talk.say("send 50 to Bob", BEGUN)
        said = await talk.say(words)
        assert talk.slots == {"recipient": "Bob", "amount": 50}
        assert said[-1] == "Which account?"


async def test_a_name_that_was_wrong_is_mended_while_something_else_is_asked() -> None:
    async with talking_to(BANK, nlu=LocalNLU()) as talk:
        await talk.say("send 50 to Bob", BEGUN)
        await talk.say("no, I meant Robert")
        assert talk.slots == {"recipient": "Robert", "amount": 50}
        await talk.say("actually make it three hundred")
        assert talk.slots == {"recipient": "Robert", "amount": 300}
        assert await talk.say("the savings one") == ["Send 300 to Robert from savings?"]
