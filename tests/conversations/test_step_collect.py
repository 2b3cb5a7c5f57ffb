"""collect: fill a slot, asking for it if need be."""

from soni.commands import SetSlot, StartFlow
from tests.talking import talking_to

BOOK = """
    slots:
      origin: {prompt: "From where?"}
      seats: {type: integer, prompt: "How many seats?"}
    flows:
      book:
        trigger: {examples: [book]}
        steps:
          - {step: ask_origin, type: collect, slot: origin}
          - {step: ask_seats, type: collect, slot: seats}
          - say: "{seats} seats from {origin}."
"""


async def test_a_filled_slot_passes_silently() -> None:
    async with talking_to(BOOK) as talk:
        start = StartFlow(flow_name="book", slots={"origin": "Oslo", "seats": 0})
        assert await talk.say("book it", start) == ["0 seats from Oslo."]


async def test_an_unset_slot_is_asked_and_waited_for() -> None:
    async with talking_to(BOOK) as talk:
        assert await talk.say("book") == ["From where?"]
        assert talk.state["waiting_for_slot"] == "origin"
        assert talk.state["current_step"] == "ask_origin"
        assert talk.state["conversation_state"] == "waiting_for_slot"
        assert await talk.say("Oslo") == ["How many seats?"]
        assert await talk.say("2") == ["2 seats from Oslo."]
        assert talk.state["waiting_for_slot"] is None
        assert talk.state["conversation_state"] == "idle"


async def test_only_the_first_unset_slot_is_asked() -> None:
    async with talking_to(BOOK) as talk:
        assert await talk.say("two", StartFlow(flow_name="book", slots={"seats": 2})) == [
            "From where?"
        ]
        assert await talk.say("Oslo") == ["2 seats from Oslo."]


async def test_several_slots_in_one_message_are_all_written() -> None:
    async with talking_to(BOOK) as talk:
        await talk.say("book")
        both = SetSlot(slot_name="seats", value=2), SetSlot(slot_name="origin", value="Oslo")
        assert await talk.say("two from Oslo", *both) == ["2 seats from Oslo."]


async def test_after_max_attempts_the_conversation_is_handed_off() -> None:
    async with talking_to(BOOK) as talk:
        await talk.say("book", StartFlow(flow_name="book", slots={"origin": "Oslo"}))
        refused = ["Please give a whole number.", "How many seats?"]
        assert await talk.say("lots") == refused
        assert await talk.say("plenty") == refused
        assert await talk.say("many") == [
            "Please give a whole number.",
            "I am connecting you with a person.",
        ]
        assert talk.state["metadata"]["handoff"]["reason"] == (
            "no valid value for seats after 3 attempts"
        )


async def test_a_steps_own_max_attempts_counts_instead_of_the_setting() -> None:
    flow = """
    settings: {collection: {max_attempts: 2}}
    slots:
      a: {type: integer, prompt: "A?"}
      b: {type: integer, prompt: "B?"}
    flows:
      sum:
        steps:
          - {collect: a, max_attempts: 1}
          - collect: b
    """
    async with talking_to(flow) as talk:
        await talk.say("hi")
        assert (await talk.say("x"))[-1] == "I am connecting you with a person."
    async with talking_to(flow) as talk:
        await talk.say("hi")
        await talk.say("1")
        assert (await talk.say("x"))[-1] == "B?"
        assert (await talk.say("x"))[-1] == "I am connecting you with a person."


async def test_a_good_answer_begins_the_count_anew() -> None:
    flow = """
    slots:
      a: {type: integer, prompt: "A?"}
    flows:
      loop:
        trigger: {examples: [loop]}
        steps:
          - collect: a
          - say: "{a}"
    """
    async with talking_to(flow) as talk:
        for _ in range(2):
            await talk.say("loop")
            for _ in range(2):
                assert await talk.say("x") == ["Please give a whole number.", "A?"]
            assert await talk.say("7") == ["7"]


async def test_a_slot_collected_twice_is_asked_once() -> None:
    flow = """
    flows:
      ask:
        steps:
          - {collect: name, message: "Name?"}
          - {collect: name, message: "Really?"}
          - say: "{name}."
    """
    async with talking_to(flow) as talk:
        assert await talk.say("hi") == ["Name?"]
        assert await talk.say("Ann") == ["Ann."]
