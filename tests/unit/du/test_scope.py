"""What understanding is told: only what may happen now, and nothing secret."""

import asyncio
from typing import Any

from soni import SoniConfig
from soni.commands import SetSlot, StartFlow
from soni.core.constants import MASK
from soni.du import DialogueContext, LocalNLU, ScopeManager
from tests.talking import FrozenClock, talking_to

ASSISTANT = """
version: "1"
settings: {language: es}
slots:
  amount: {type: integer, prompt: "How much?", description: In euros, examples: ["5"]}
  pin: {prompt: "Your pin?", sensitive: true, required: false}
  size: {type: choice, values: {s: [small], m: [medium]}, prompt: "Which size?"}
flows:
  pay:
    description: Pay somebody
    trigger: {examples: ["pay"]}
    steps: [{collect: pin}, {collect: amount}, {confirm: "Sure?"}]
  buy:
    trigger: {examples: ["buy"]}
    steps: [{collect: size}]
  vip:
    trigger: {examples: ["vip"], condition: "session.gold"}
    steps: [{say: "Hi."}]
  secret: {steps: [{say: "Hi."}]}
"""


class Listening(LocalNLU):
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[DialogueContext] = []
        self.history: list[Any] = []

    async def understand(self, user_message: str, history: Any, context: DialogueContext) -> Any:
        self.told.append(context)
        self.history = list(history)
        return await super().understand(user_message, history, context)


async def test_understanding_is_told_where_the_conversation_stands() -> None:
    nlu, clock = Listening(), FrozenClock()
    async with talking_to(ASSISTANT, nlu=nlu, clock=clock) as talk:
        await talk.say("hola", context={"gold": True})
        idle = nlu.told[-1]
        assert (idle.current_flow, idle.waiting_for_slot, idle.asked) == ("none", None, None)
        assert [flow.name for flow in idle.available_flows] == ["pay", "buy", "vip"]
        assert idle.available_flows[0].description == "Pay somebody"
        assert idle.available_flows[0].examples == ("pay",)
        assert (idle.language, idle.now, idle.conversation_state) == (
            "es", clock(), "understanding",
        )  # fmt: skip

        await talk.say("pay", StartFlow(flow_name="pay"), SetSlot(slot_name="pin", value="1234"))
        await talk.say("hm")
        asked = nlu.told[-1]
        assert (asked.current_flow, asked.waiting_for_slot) == ("pay", "amount")
        assert asked.asked == {"kind": "collect", "prompt": "How much?", "data": {}}
        assert asked.current_slots == {"pin": MASK}
        assert [flow.name for flow in asked.available_flows] == ["pay", "buy"]
        amount, pin = asked.expected_slots
        assert (amount.name, amount.type, amount.required) == ("amount", "integer", True)
        assert (amount.description, amount.examples) == ("In euros", ("5",))
        assert (pin.name, pin.required) == ("pin", False)
        assert [message.content for message in nlu.history][:2] == [
            "hola",
            "Estoy aquí para ayudarte.",
        ]


async def test_paused_flows_and_their_slots_are_told_from_the_top() -> None:
    nlu = Listening()
    async with talking_to(ASSISTANT, nlu=nlu) as talk:
        await talk.say("pay")
        await talk.say("buy")
        await talk.say("small")
        told = nlu.told[-1]
        assert (told.current_flow, told.paused_flows) == ("buy", ("pay",))
        assert [(slot.name, slot.flow) for slot in told.expected_slots] == [
            ("size", "buy"), ("amount", "pay"), ("pin", "pay"),
        ]  # fmt: skip
        assert told.expected_slots[0].values == {"s": ("small",), "m": ("medium",)}


async def test_the_last_messages_are_told_and_the_new_one_is_not_among_them() -> None:
    nlu = Listening()
    async with talking_to(ASSISTANT, nlu=nlu) as talk:
        await talk.say("buy")
        await talk.say("small")
        assert [message.content for message in nlu.history] == ["buy", "Which size?"]


KNOWING = """
version: "1"
settings: {language: en}
flows: {pay: {trigger: {examples: ["pay"]}, steps: [{say: "Paid."}]}}
knowledge:
  - {question: {en: [What does it cost?, Is it free?], es: "¿Cuánto cuesta?"}, answer: "A cent."}
  - {question: Where are you?, answer: Here.}
"""


async def test_the_questions_that_have_answers_are_told_in_the_language_spoken() -> None:
    listening = Listening()
    async with talking_to(KNOWING, nlu=listening) as talk:
        await talk.say("hm")
    told = listening.told[-1].known_questions
    assert told == ("What does it cost?", "Is it free?", "Where are you?")


def of_many_flows() -> SoniConfig:
    deeds = ("book", "cancel", "change", "check", "compare", "copy", "delay", "draw", "find", "fix")
    things = ("boat", "boiler", "camera", "desk", "dinner", "door", "dress", "fence", "ferry",
              "flight", "fridge", "garage", "garden", "guitar", "helmet", "horse", "invoice",
              "jacket", "ladder", "lamp", "laptop", "lock", "mirror", "oven", "parcel", "phone",
              "piano", "roof", "sofa", "taxi")  # fmt: skip
    return SoniConfig.model_validate(
        {
            "flows": {
                f"{deed}_{thing}": {
                    "trigger": {"examples": [f"{deed} my {thing}"]},
                    "steps": [{"say": f"{deed} {thing}: done."}],
                }
                for deed in deeds
                for thing in things
            }
        }
    )


class Watched(ScopeManager):
    """Says when it is choosing what understanding may see."""

    choosing = False

    async def build(self, state: Any, context: Any) -> DialogueContext:
        self.choosing = True
        try:
            return await super().build(state, context)
        finally:
            self.choosing = False


async def test_others_are_served_while_hundreds_of_flows_are_read_for_the_first_time() -> None:
    scope, nlu, served = Watched(), Listening(), 0

    async def serve() -> None:
        nonlocal served
        while True:
            served += scope.choosing
            await asyncio.sleep(0)

    async with talking_to(of_many_flows(), nlu=nlu, scope=scope) as talk:
        others = asyncio.create_task(serve())
        assert await talk.say("please fix the sofa") == ["fix sofa: done."]
        others.cancel()
    assert served > 1
    near = [flow.name for flow in nlu.told[-1].available_flows]
    assert len(near) == 100
    assert near[0] == "fix_sofa"


async def test_of_hundreds_of_flows_a_spanish_message_finds_its_own_by_its_words() -> None:
    nlu = Listening()
    async with talking_to(of_many_flows(), nlu=nlu) as talk:
        await talk.say("quiero buscar mi paquete", language="es")
    assert nlu.told[-1].available_flows[0].name == "find_parcel"
