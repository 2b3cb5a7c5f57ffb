"""What flows take and give: inputs, outputs, and outputs as inputs."""

import pytest

from soni import ConfigError
from soni.commands import CancelFlow, SetSlot, StartFlow
from tests.talking import assistant, talking_to

BOOK = """
    slots:
      ref: {prompt: "Which booking?"}
      seats: {type: integer, prompt: "How many seats?"}
    flows:
      book:
        trigger: {examples: [book]}
        outputs: [ref, seats, extra]
        steps:
          - collect: seats
          - set: {ref: "{{ 'B' + str(seats) }}", extra: null}
          - say: "Booked {ref}."
      change:
        trigger: {examples: [change]}
        inputs: {ref: {from: book.ref}, before: {from: book.seats}, "extra?": {from: book.extra}}
        steps:
          - collect: ref
          - say: "Changing {ref}, {before} seats."
"""


async def test_an_input_is_the_output_of_the_last_completed_instance() -> None:
    async with talking_to(BOOK) as talk:
        for seats in ("0", "2"):
            await talk.say("book")
            await talk.say(seats)
        assert await talk.say("change") == ["Changing B2, 2 seats."]


async def test_without_a_completed_instance_the_input_is_unset_and_asked() -> None:
    async with talking_to(BOOK) as talk:
        assert await talk.say("change") == ["Which booking?"]
        assert talk.slots == {}
        assert await talk.say("B9") == ["Changing B9,  seats."]


async def test_a_cancelled_instance_gives_nothing() -> None:
    async with talking_to(BOOK) as talk:
        await talk.say("book")
        await talk.say("2")
        await talk.say("book")
        await talk.say("stop", CancelFlow())
        assert await talk.say("change") == ["Changing B2, 2 seats."]


async def test_an_output_of_0_is_an_output() -> None:
    async with talking_to(BOOK) as talk:
        await talk.say("book")
        await talk.say("0")
        assert await talk.say("change") == ["Changing B0, 0 seats."]


async def test_a_slot_that_comes_with_the_start_counts_instead_of_the_output() -> None:
    async with talking_to(BOOK) as talk:
        await talk.say("book")
        await talk.say("2")
        start = StartFlow(flow_name="change", slots={"ref": "B7"})
        assert await talk.say("change B7", start) == ["Changing B7, 2 seats."]


async def test_outputs_are_archived_when_the_flow_completes_and_survive_its_slots() -> None:
    async with talking_to(BOOK) as talk:
        await talk.say("book")
        await talk.say("2")
        (archived,) = talk.state["metadata"]["completed_flows"]
        assert archived["outputs"] == {"ref": "B2", "seats": 2, "extra": None}
        assert talk.state["flow_slots"] == {}


async def test_inputs_may_be_a_list_and_are_given_by_the_application() -> None:
    flow = """
    flows:
      greet:
        inputs: ["name?", "title?", "order?"]
        steps:
          - say: "Hello, {title}{name}: {order.total}."
    """
    async with talking_to(flow) as talk:
        given = {"name": "Ann", "order": {"total": 12.0}}
        turn = await talk.runtime.start_flow("ann", "greet", inputs=given)
        assert turn.messages == ["Hello, Ann: 12."]


async def test_an_input_may_have_no_source() -> None:
    flow = """
    flows:
      greet:
        trigger: {examples: [greet]}
        inputs: {name: null}
        steps:
          - say: "Hello, {name}."
    """
    async with talking_to(flow) as talk:
        assert await talk.say("greet") == ["Hello, ."]
        start = StartFlow(flow_name="greet", slots={"name": "Ann"})
        assert await talk.say("greet Ann", start) == ["Hello, Ann."]


async def test_what_is_no_slot_of_the_flow_is_not_taken_at_its_start() -> None:
    async with talking_to(BOOK) as talk:
        start = StartFlow(flow_name="book", slots={"ref": "forged", "_error": True, "seats": 1})
        assert await talk.say("book", start) == ["Booked B1."]


def test_a_sensitive_output_is_an_error_at_load() -> None:
    with pytest.raises(ConfigError, match="slot 'pin' is sensitive and cannot be an output"):
        assistant("""
            slots:
              pin: {prompt: "PIN?", sensitive: true}
            flows:
              unlock:
                outputs: [pin]
                steps:
                  - collect: pin
        """)


async def test_a_flow_that_waited_takes_what_the_first_one_handed_out() -> None:
    flows = """
    slots:
      card: {type: string, prompt: "Which card?"}
    flows:
      block:
        trigger: {examples: [block]}
        outputs: [card]
        steps: [{collect: card}, {say: "Blocked {card}."}]
      replace:
        trigger: {examples: [replace]}
        inputs: {card: {from: block.card}}
        steps: [{collect: card}, {say: "Replacing {card}."}]
    """
    async with talking_to(flows) as talk:
        both = (StartFlow(flow_name="block"), StartFlow(flow_name="replace"))
        assert await talk.say("block and replace my card", *both) == ["Which card?"]
        said = await talk.say("visa", SetSlot(slot_name="card", value="visa"))
        assert said == ["Blocked visa.", "Replacing visa."]
