"""A bank whose messages are read by a language model."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.model_server import URL, Model, commands, slots
from tests.talking import Talk, talking_to

BANK = """
version: "1"
settings:
  nlu: {provider: llm, model: tiny, base_url: "http://model.example/v1", timeout: 120, retries: 1,
        prices: {input: 2, output: 10}}
slots:
  amount: {type: number, prompt: "How much?"}
  recipient: {prompt: "To whom?", description: Who gets the money}
  speed: {type: choice, values: [normal, express], prompt: "How fast?", required: false}
  pin: {prompt: "Your PIN?", sensitive: true}
  story: {type: text, prompt: "Tell me more."}
flows:
  transfer:
    description: Send money to somebody
    trigger: {examples: [send money, make a transfer]}
    steps:
      - collect: recipient
      - collect: amount
      - confirm: "Send {amount} to {recipient}?"
      - say: "Sent {amount} to {recipient}."
  balance:
    description: Tell how much money there is
    trigger: {examples: [what is my balance]}
    steps: [{say: "120 euros."}]
  unlock:
    description: Unlock the account
    trigger: {examples: [unlock my account]}
    steps: [{collect: pin}, {say: Unlocked.}]
  complain:
    description: Complain about something
    trigger: {examples: [complain]}
    steps: [{collect: story}, {say: "You said: {story}"}]
"""

START = {"type": "StartFlow", "flow_name": "transfer"}
AMOUNT = {"type": "SetSlot", "slot_name": "amount"}


@asynccontextmanager
async def bank(model: Model, yaml: str = BANK) -> AsyncIterator[Talk]:
    async with talking_to(yaml.replace(URL, model.url)) as talk:
        yield talk


@asynccontextmanager
async def asked_how_much(model: Model, yaml: str = BANK) -> AsyncIterator[Talk]:
    async with bank(model, yaml) as talk:
        model.will_say(commands(START), slots(recipient="Anna"))
        assert await talk.say("send something to Anna") == ["How much?"]
        yield talk
