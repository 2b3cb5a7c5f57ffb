"""Corrections in the task below: "the amount for the transfer should be 60"."""

from soni.commands import (
    AffirmConfirmation,
    CancelFlow,
    ChitChat,
    CorrectSlot,
    ResumeFlow,
    SetSlot,
    StartFlow,
)
from tests.talking import Talk, talking_to

BANK = """
slots:
  amount: {type: integer, prompt: "How much?"}
  recipient: {prompt: "To whom?"}
  iban: {prompt: "Which account?"}
  city: {prompt: {en: "Which city?", es: "¿Qué ciudad?"}}
actions:
  send: {inputs: [amount, iban], outputs: [], repeatable: false}
flows:
  transfer:
    trigger: {examples: [transfer]}
    steps:
      - collect: amount
      - {step: who, call: payee, inputs: {cents: "{{ amount * 100 }}"}}
      - set: {fee: "{{ amount / 10 }}"}
      - {step: sure, confirm: "Send {amount} to {recipient}, fee {fee}?"}
      - action: send
      - collect: note
        message: "A note?"
  payee:
    inputs: [cents]
    outputs: [recipient, iban]
    steps:
      - collect: recipient
      - say: "{cents} cents to {recipient}."
      - collect: iban
  weather:
    trigger: {examples: [weather]}
    steps:
      - collect: city
      - say: "Sunny in {city}."
"""
ACTIONS = """
from soni import action

@action
def send(amount: int, iban: str) -> dict:
    return {}
"""
YES = AffirmConfirmation()
WEATHER = StartFlow(flow_name="weather")


def _correct(slot: str, value: object, flow: str | None = None) -> CorrectSlot:
    return CorrectSlot(slot_name=slot, new_value=value, flow_name=flow)


async def _in_child(talk: Talk) -> None:
    await talk.say("transfer", StartFlow(flow_name="transfer", slots={"amount": 50}))
    assert await talk.say("Bob") == ["5000 cents to Bob.", "Which account?"]


async def _at_confirm(talk: Talk) -> None:
    await _in_child(talk)
    assert await talk.say("X1") == ["Send 50 to Bob, fee 5?"]


async def test_the_amount_of_the_task_below_is_changed_and_heard_of_on_return() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_confirm(talk)
        assert await talk.say("weather", WEATHER) == ["Which city?"]
        sixty = _correct("amount", 60, "transfer")
        assert await talk.say("the transfer should be 60", sixty) == [
            "amount is now 60.",
            "Which city?",
        ]
        assert talk.stack == ["transfer", "weather"]
        assert await talk.say("Rome") == [
            "Sunny in Rome.",
            "Back to transfer.",
            "6000 cents to Bob.",
            "Send 60 to Bob, fee 6?",
        ]


async def test_a_slot_of_the_open_child_below_is_changed() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _in_child(talk)
        await talk.say("weather", WEATHER)
        assert await talk.say("to Eve", _correct("recipient", "Eve")) == [
            "recipient is now Eve.",
            "Which city?",
        ]
        assert talk.stack == ["transfer", "payee", "weather"]
        assert await talk.say("Rome") == [
            "Sunny in Rome.",
            "Back to transfer.",
            "5000 cents to Eve.",
            "Which account?",
        ]


async def test_the_callers_slot_below_reaches_its_open_child() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _in_child(talk)
        await talk.say("weather", WEATHER)
        assert await talk.say("60", _correct("amount", 60)) == ["amount is now 60.", "Which city?"]
        assert await talk.say("Rome") == [
            "Sunny in Rome.",
            "Back to transfer.",
            "6000 cents to Bob.",
            "Which account?",
        ]
        assert talk.stack == ["transfer", "payee"]


async def test_a_slot_of_the_finished_child_below_is_changed() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_confirm(talk)
        await talk.say("weather", WEATHER)
        set_it = SetSlot(slot_name="recipient", value="Eve")
        assert await talk.say("to Eve", set_it) == ["recipient is now Eve.", "Which city?"]
        assert await talk.say("Rome") == [
            "Sunny in Rome.",
            "Back to transfer.",
            "5000 cents to Eve.",
            "Send 50 to Eve, fee 5?",
        ]
        assert talk.stack == ["transfer"]


async def test_back_and_forth_while_paused_ends_with_the_last_value() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_confirm(talk)
        await talk.say("weather", WEATHER)
        for who in ("Eve", "Dan", "Bob"):
            said = await talk.say(who, _correct("recipient", who))
            assert said == [f"recipient is now {who}.", "Which city?"]
        assert await talk.say("iban", _correct("iban", "X2")) == ["iban is now X2.", "Which city?"]
        assert (await talk.say("Rome"))[-1] == "Send 50 to Bob, fee 5?"
        assert await talk.say("yes", YES) == ["A note?"]
        assert talk.actions == [("send", {"amount": 50, "iban": "X2"})]


async def test_an_invalid_or_late_correction_below_changes_nothing() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_confirm(talk)
        assert await talk.say("yes", YES) == ["A note?"]
        await talk.say("weather", WEATHER)
        before = talk.stack, talk.state["flow_slots"]
        assert await talk.say("lots", _correct("amount", "lots")) == [
            "Please give a whole number.",
            "Which city?",
        ]
        late = "It is too late to change {}: that has already been done."
        for slot, value in (("amount", 60), ("iban", "X2")):
            assert await talk.say("no", _correct(slot, value)) == [late.format(slot), "Which city?"]
        assert (talk.stack, talk.state["flow_slots"], talk.actions) == (*before, [])


async def test_the_yes_before_the_interruption_is_not_the_yes_after_the_change() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_confirm(talk)
        await talk.say("weather", WEATHER)
        await talk.say("60", _correct("amount", 60))
        assert (await talk.say("transfer", ResumeFlow(flow_name="transfer")))[-2:] == [
            "6000 cents to Bob.",
            "Send 60 to Bob, fee 6?",
        ]
        assert await talk.say("yes", YES) == ["A note?"]
        assert talk.actions == [("send", {"amount": 60, "iban": "X1"})]


async def test_cancelling_the_top_after_a_change_below_shows_the_change() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_confirm(talk)
        await talk.say("weather", WEATHER)
        await talk.say("to Eve", _correct("recipient", "Eve"))
        assert await talk.say("forget the weather", CancelFlow()) == [
            "I have cancelled weather.",
            "Back to transfer.",
            "5000 cents to Eve.",
            "Send 50 to Eve, fee 5?",
        ]


async def test_of_two_open_instances_the_upper_one_is_meant() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_confirm(talk)
        another = StartFlow(flow_name="transfer", another=True, slots={"amount": 7})
        assert await talk.say("another", another) == ["To whom?"]
        await talk.say("Dan")
        await talk.say("weather", WEATHER)
        assert await talk.say("8", _correct("amount", 8)) == ["amount is now 8.", "Which city?"]
        assert (await talk.say("Rome"))[-2:] == ["800 cents to Dan.", "Which account?"]
        assert await talk.say("D1") == ["Send 8 to Dan, fee 0.8?"]
        await talk.say("yes", YES)
        assert (await talk.say("hi"))[-1] == "Send 50 to Bob, fee 5?"


async def test_it_is_acknowledged_in_spanish_and_small_talk_changes_nothing() -> None:
    async with talking_to(BANK, ACTIONS) as talk:
        await _at_confirm(talk)
        await talk.say("weather", WEATHER)
        said = await talk.say("Eva", _correct("recipient", "Eva"), language="es")
        assert said == ["recipient ahora es Eva.", "¿Qué ciudad?"]
        await talk.say("hey", ChitChat())
        assert (await talk.say("Rome"))[-1] == "Send 50 to Eva, fee 5?"
