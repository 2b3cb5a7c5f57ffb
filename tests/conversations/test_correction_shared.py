"""Slots of the conversation: a change takes back every task that used the old value."""

from soni.commands import AffirmConfirmation, CorrectSlot, SetSlot, StartFlow
from tests.talking import Talk, talking_to

TRAVEL = """
slots:
  rate: {type: integer, scope: conversation, prompt: {en: "What rate?", es: "¿Qué tarifa?"}}
  nights: {type: integer, prompt: "How many nights?"}
  bags: {type: integer, prompt: "How many bags?"}
  seats: {type: integer, prompt: "How many seats?"}
  last: {prompt: "Last?"}
actions:
  pay: {inputs: [cost], outputs: [receipt], repeatable: false}
flows:
  hotel:
    trigger: {examples: [hotel]}
    steps:
      - collect: rate
      - collect: nights
      - set: {cost: "{{ rate * nights }}"}
      - {step: sure, confirm: "A room for {cost}?"}
      - action: pay
      - collect: last
      - say: "Paid {receipt}."
  flight:
    trigger: {examples: [flight]}
    steps:
      - collect: bags
      - say: "{bags} bags at {rate}."
      - collect: seats
      - say: "Flown."
  trip:
    trigger: {examples: [trip]}
    steps:
      - collect: seats
      - {call: price, outputs: {sum: total}}
      - say: "Total {total}."
      - {step: all, confirm: "{seats} seats for {total}?"}
      - say: "Bought for {total}."
  price:
    outputs: [sum]
    steps:
      - collect: bags
      - set: {sum: "{{ bags * rate }}"}
  reprice:
    trigger: {examples: [reprice]}
    steps:
      - set: {rate: "{{ rate + 1 }}"}
      - say: "Now {rate}."
      - collect: last
"""
ACTIONS = """
from soni import action

@action
def pay(cost: int) -> dict:
    return {"receipt": f"R{cost}"}
"""
YES = AffirmConfirmation()


def _correct(slot: str, value: object) -> CorrectSlot:
    return CorrectSlot(slot_name=slot, new_value=value)


async def _hotel(talk: Talk) -> None:
    start = StartFlow(flow_name="hotel", slots={"rate": 10, "nights": 3})
    assert await talk.say("hotel", start) == ["A room for 30?"]


async def _flight(talk: Talk) -> None:
    start = StartFlow(flow_name="flight", slots={"bags": 2})
    assert await talk.say("flight", start) == ["2 bags at 10.", "How many seats?"]


async def test_a_paused_task_computes_again_what_it_made_of_the_old_value() -> None:
    async with talking_to(TRAVEL, ACTIONS) as talk:
        await _hotel(talk)
        await _flight(talk)
        assert await talk.say("rate 20", _correct("rate", 20)) == [
            "rate is now 20.",
            "2 bags at 20.",
            "How many seats?",
        ]
        assert await talk.say("1") == ["Flown.", "Back to hotel.", "A room for 60?"]
        assert await talk.say("yes", YES) == ["Last?"]
        assert talk.actions == [("pay", {"cost": 60})]


async def test_setting_it_does_the_same_and_the_same_value_changes_nothing() -> None:
    async with talking_to(TRAVEL, ACTIONS) as talk:
        await _hotel(talk)
        await _flight(talk)
        assert await talk.say("10", SetSlot(slot_name="rate", value=10)) == ["How many seats?"]
        assert (await talk.say("20", SetSlot(slot_name="rate", value=20)))[0] == "rate is now 20."
        assert (await talk.say("1"))[-1] == "A room for 60?"


async def test_an_invalid_value_takes_nobody_back() -> None:
    async with talking_to(TRAVEL, ACTIONS) as talk:
        await _hotel(talk)
        await _flight(talk)
        assert await talk.say("dear", _correct("rate", "dear")) == [
            "Please give a whole number.",
            "How many seats?",
        ]
        assert talk.state["conversation_slots"] == {"rate": 10}
        assert await talk.say("1") == ["Flown.", "Back to hotel.", "A room for 30?"]


async def test_a_task_that_has_already_paid_with_it_makes_it_too_late_while_it_is_active() -> None:
    async with talking_to(TRAVEL, ACTIONS) as talk:
        await _hotel(talk)
        assert await talk.say("yes", YES) == ["Last?"]
        assert await talk.say("20", _correct("rate", 20)) == [
            "It is too late to change rate: that has already been done.",
            "Last?",
        ]
        assert talk.state["conversation_slots"] == {"rate": 10}


async def test_what_a_paused_task_has_paid_stays_paid_when_another_asks_for_the_slot_too() -> None:
    twice = "      - collect: rate\n      - collect: bags\n      - say"
    yaml = TRAVEL.replace("      - collect: bags\n      - say", twice)
    async with talking_to(yaml, ACTIONS) as talk:
        await _hotel(talk)
        await talk.say("yes", YES)
        await _flight(talk)
        assert await talk.say("20", _correct("rate", 20)) == [
            "rate is now 20.",
            "2 bags at 20.",
            "How many seats?",
        ]
        assert await talk.say("1") == ["Flown.", "Back to hotel.", "Last?"]
        assert await talk.say("bye") == ["Paid R30."]


async def test_a_step_of_another_task_that_changes_it_takes_the_paused_one_back() -> None:
    async with talking_to(TRAVEL, ACTIONS) as talk:
        await _hotel(talk)
        reprice = StartFlow(flow_name="reprice")
        assert await talk.say("reprice", reprice) == ["Now 11.", "Last?"]
        assert await talk.say("x") == ["Back to hotel.", "A room for 33?"]


async def test_a_called_flow_that_has_returned_computes_again_with_it() -> None:
    async with talking_to(TRAVEL, ACTIONS) as talk:
        await talk.say("rate", StartFlow(flow_name="hotel", slots={"rate": 10}))
        await talk.say("trip", StartFlow(flow_name="trip", slots={"seats": 1}))
        assert await talk.say("2") == ["Total 20.", "1 seats for 20?"]
        assert await talk.say("20", _correct("rate", 20)) == [
            "rate is now 20.",
            "Total 40.",
            "1 seats for 40?",
        ]
        assert talk.stack == ["hotel", "trip"]
        assert (await talk.say("yes", YES))[0] == "Bought for 40."


async def test_yes_with_another_value_of_what_the_called_flow_used_is_no_yes() -> None:
    async with talking_to(TRAVEL, ACTIONS) as talk:
        await talk.say("rate", StartFlow(flow_name="hotel", slots={"rate": 10}))
        await talk.say("trip", StartFlow(flow_name="trip", slots={"seats": 1}))
        await talk.say("2")
        assert await talk.say("yes, but 20", YES, _correct("rate", 20)) == [
            "rate is now 20.",
            "Total 40.",
            "1 seats for 40?",
        ]


async def test_a_called_flow_of_a_paused_task_computes_again_with_it() -> None:
    async with talking_to(TRAVEL, ACTIONS) as talk:
        await talk.say("rate", StartFlow(flow_name="hotel", slots={"rate": 10}))
        await talk.say("trip", StartFlow(flow_name="trip", slots={"seats": 1}))
        await talk.say("2")
        await _flight(talk)
        assert (await talk.say("20", _correct("rate", 20)))[0] == "rate is now 20."
        assert talk.stack == ["hotel", "trip", "flight"]
        assert await talk.say("1") == ["Flown.", "Back to trip.", "Total 40.", "1 seats for 40?"]


async def test_a_later_step_of_the_same_task_that_changes_it_takes_nothing_back() -> None:
    yaml = TRAVEL.replace("      - {step: all,", "      - set: {rate: 99}\n      - {step: all,")
    async with talking_to(yaml, ACTIONS) as talk:
        await talk.say("rate", StartFlow(flow_name="hotel", slots={"rate": 10}))
        await talk.say("trip", StartFlow(flow_name="trip", slots={"seats": 1}))
        assert await talk.say("2") == ["Total 20.", "1 seats for 20?"]


async def test_two_paused_tasks_are_both_taken_back_in_spanish_too() -> None:
    async with talking_to(TRAVEL, ACTIONS) as talk:
        await _hotel(talk)
        another = StartFlow(flow_name="hotel", another=True, slots={"nights": 5})
        assert await talk.say("another", another) == ["A room for 50?"]
        await _flight(talk)
        said = await talk.say("20", _correct("rate", 20), language="es")
        assert said[0] == "rate ahora es 20."
        assert (await talk.say("1"))[-1] == "A room for 100?"
        await talk.say("yes", YES)
        assert (await talk.say("x"))[-1] == "A room for 60?"
