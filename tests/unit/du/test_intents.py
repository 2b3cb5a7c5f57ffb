"""What begins a conversation: which flow is meant, none of them, or a question beside all."""

from datetime import UTC, datetime
from typing import Any

import pytest

from soni.commands import OutOfScope, StartFlow
from soni.du import DialogueContext, FlowBrief, LocalNLU, SlotBrief


def slot(flow: str, name: str, type_: str, description: str, **more: Any) -> SlotBrief:
    return SlotBrief(name=name, flow=flow, type=type_, description=description, **more)


def flow(name: str, description: str, *examples: str, slots: Any = ()) -> FlowBrief:
    own = tuple(slot(name, *one) for one in slots)
    return FlowBrief(name=name, description=description, examples=examples, slots=own)


CLINIC = (
    flow(
        "book_visit", "Book a visit to a doctor", "book a visit", "I need to see a doctor",
        slots=(("day", "date", "Day of the visit"), ("reason", "string", "What hurts")),
    ),
    flow(
        "cancel_visit", "Cancel a visit", "cancel my visit", "I cannot come to my appointment",
        slots=(("visit_day", "date", "Day of the visit that is cancelled"),),
    ),
    flow(
        "refill", "Refill a prescription", "refill my prescription", "I need more pills",
        slots=(("medicine", "string", "Name of the medicine"), ("packs", "integer", "How many")),
    ),
)  # fmt: skip
BANK = (
    flow(
        "pay_person", "Send money to somebody", "send money", "transfer money to Anna",
        slots=(("payee", "string", "Who gets the money"), ("sum", "money", "How much is sent")),
    ),
    flow(
        "block_card", "Block a lost or stolen card", "block my card", "I lost my card",
        slots=(("last_digits", "string", "Last four digits of the card"),),
    ),
    flow(
        "ask_loan", "Apply for a loan", "I want a loan", "borrow money from the bank",
        slots=(("loan", "money", "How much is borrowed"), ("term", "duration", "How long")),
    ),
)  # fmt: skip
REPAIRS = (
    flow(
        "send_repairman", "Send somebody who repairs a machine", "my washing machine is broken",
        "repair my fridge", slots=(("machine", "string", "Which machine is broken"),),
    ),
    flow(
        "pay_invoice", "Pay a bill for a repair", "pay my invoice", "settle a bill",
        slots=(("invoice", "string", "Number of the bill"),),
    ),
)  # fmt: skip


async def read(message: str, flows: tuple[FlowBrief, ...]) -> list[Any]:
    context = DialogueContext(available_flows=flows, now=datetime(2026, 3, 2, 10, tzinfo=UTC))
    return list((await LocalNLU().understand(message, [], context)).commands)


@pytest.mark.parametrize(
    ("flows", "message", "name"),
    [
        (CLINIC, "not feeling well lately, could a doctor have a look at me", "book_visit"),
        (CLINIC, "my throat is killing me, is somebody free on friday", "book_visit"),
        (CLINIC, "there are only two tablets left in the box", "refill"),
        (CLINIC, "something came up, I won't make it on thursday", "cancel_visit"),
        (BANK, "somebody took my purse on the tube, and my card was in it", "block_card"),
        (BANK, "I owe my brother 40 euros, can you get that to him", "pay_person"),
        (BANK, "we'd like to build a house and don't have the money", "ask_loan"),
        (REPAIRS, "could you send a technician, it's urgent", "send_repairman"),
        (REPAIRS, "my oven won't heat up any more, can you send someone", "send_repairman"),
        (REPAIRS, "there's water all over the floor under the dishwasher", "send_repairman"),
    ],
)
async def test_an_indirect_wish_starts_the_flow_it_is_for(
    flows: tuple[FlowBrief, ...], message: str, name: str
) -> None:
    started = [one.flow_name for one in await read(message, flows) if isinstance(one, StartFlow)]
    assert started == [name]


@pytest.mark.parametrize("flows", [CLINIC, BANK, REPAIRS])
@pytest.mark.parametrize(
    "message",
    [
        "got a good recipe for lasagne?",
        "who won the match last night?",
        "can you recommend a film for tonight?",
        "what's the tallest mountain in Europe?",
        "write a poem about the sea",
    ],
)
async def test_what_no_flow_is_for_is_out_of_scope(
    flows: tuple[FlowBrief, ...], message: str
) -> None:
    (said,) = await read(message, flows)
    assert isinstance(said, OutOfScope)


@pytest.mark.parametrize(
    ("flows", "message"),
    [
        (CLINIC, "do you have parking?"),
        (CLINIC, "are you open on sundays?"),
        (CLINIC, "does my insurance pay for it?"),
        (BANK, "what does a transfer cost?"),
        (BANK, "is there a limit?"),
        (REPAIRS, "do you also work at weekends?"),
        (REPAIRS, "how long does a repair take?"),
    ],
)
async def test_a_question_about_the_business_is_none(
    flows: tuple[FlowBrief, ...], message: str
) -> None:
    assert [one.type for one in await read(message, flows)] == ["Clarify"]


@pytest.mark.parametrize(
    ("flows", "message", "names"),
    [
        (REPAIRS, "The engineer never showed up. I want to settle what I owe", ["pay_invoice"]),
        (BANK, "Somebody stole my wallet. Block everything.", ["block_card"]),
        (
            BANK,
            "My card is gone. I need some money sent to my brother.",
            ["block_card", "pay_person"],
        ),
        (BANK, "block my card, send 40 to Anna", ["block_card", "pay_person"]),
        (CLINIC, "the pills don't help any more, I'd like to see the doctor", ["book_visit"]),
        (CLINIC, "cancel my visit, I need a refill of aspirin", ["cancel_visit", "refill"]),
    ],
)
async def test_what_went_wrong_is_no_second_wish(
    flows: tuple[FlowBrief, ...], message: str, names: list[str]
) -> None:
    said = await read(message, flows)
    assert [getattr(one, "flow_name", one.type) for one in said] == names


@pytest.mark.parametrize(
    ("flows", "message", "name"),
    [
        (BANK, "I'm so sorry, I lost my card", "block_card"),
        (BANK, "apologies, could you send 40 to Anna", "pay_person"),
        (CLINIC, "sorry to bother you, but I need more pills", "refill"),
        (CLINIC, "terribly sorry, I won't make it on thursday", "cancel_visit"),
    ],
)
async def test_an_apology_hides_no_wish(
    flows: tuple[FlowBrief, ...], message: str, name: str
) -> None:
    assert [getattr(one, "flow_name", one.type) for one in await read(message, flows)] == [name]


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("change of plan, we won't be needing the van we hired, V2093", "end_hire"),
        ("I don't need the van I booked", "end_hire"),
        ("we no longer need the van, it's V2093", "end_hire"),
        ("I don't need a big van, a small one will do", "hire_van"),
        ("I need a van, I won't need a driver", "hire_van"),
    ],
)
async def test_what_is_needed_no_more_is_ended(message: str, name: str) -> None:
    flows = (
        flow(
            "hire_van", "Hire a van", "hire a van", "I need a van",
            slots=(("day", "date", "Day the van is needed"),),
        ),
        flow(
            "longer", "Keep a van longer", "extend my hire", "I need the van longer",
            slots=(("hire_code", "string", "Code of the hire"),),
        ),
        flow(
            "end_hire", "Cancel the hire of a van", "cancel my hire", "call off my hire",
            slots=(("hire_code", "string", "Code of the hire"),),
        ),
    )  # fmt: skip
    assert [getattr(one, "flow_name", one.type) for one in await read(message, flows)] == [name]


@pytest.mark.parametrize("message", ["can a driver pick us up", "we also need a driver, please"])
async def test_a_new_task_takes_over_nothing_that_no_word_points_to(message: str) -> None:
    table = (("day", "date", "Day of the visit"), ("guests", "integer", "How many people"))
    flows = (
        flow("book_table", "Book a table", "book a table", "a table for two", slots=table),
        flow("ride", "Have a driver pick you up", "I need a driver", "pick us up", slots=table),
    )
    context = DialogueContext(
        available_flows=flows,
        current_flow="book_table",
        current_slots={"day": "2026-03-06", "guests": 4},
        expected_slots=flows[0].slots,
        now=datetime(2026, 3, 2, 10, tzinfo=UTC),
    )
    said = (await LocalNLU().understand(message, [], context)).commands
    assert [one.slots for one in said if isinstance(one, StartFlow)] == [{}]


@pytest.mark.parametrize(
    ("flows", "message", "name"),
    [
        (BANK, "can you block my card right now?", "block_card"),
        (BANK, "would it be possible to borrow some money?", "ask_loan"),
        (BANK, "my card was stolen, could you block it?", "block_card"),
        (CLINIC, "could a doctor see me on friday?", "book_visit"),
        (CLINIC, "my pills are nearly gone, could I get some more?", "refill"),
        (CLINIC, "I cannot come to my appointment, what do I do?", "cancel_visit"),
        (REPAIRS, "my fridge is broken, can you send somebody?", "send_repairman"),
    ],
)
async def test_a_wish_in_the_form_of_a_question_is_a_wish_and_no_question(
    flows: tuple[FlowBrief, ...], message: str, name: str
) -> None:
    assert [getattr(one, "flow_name", one.type) for one in await read(message, flows)] == [name]


@pytest.mark.parametrize(
    ("flows", "message", "kinds"),
    [
        (BANK, "send money to Anna, and what does a transfer cost?", ["StartFlow", "Clarify"]),
        (REPAIRS, "repair my fridge, how long does it take?", ["StartFlow", "Clarify"]),
    ],
)
async def test_a_question_beside_a_wish_is_both(
    flows: tuple[FlowBrief, ...], message: str, kinds: list[str]
) -> None:
    assert [one.type for one in await read(message, flows)] == kinds


SHOP = (
    flow(
        "order", "Order a lamp", "order a lamp", "I want to buy a lamp",
        slots=(("lamp", "string", "Which lamp"), ("gift_wrap", "boolean", "Wrapped as a gift")),
    ),
    flow(
        "send_back", "Send a lamp back", "send a lamp back", "return my lamp",
        slots=(("lamp", "string", "Which lamp"), ("original_box", "boolean", "In its box")),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("message", "name", "slots"),
    [
        ("I want to buy the Aurora lamp", "order", {"lamp": "Aurora lamp"}),
        ("I want to return the Aurora lamp", "send_back", {"lamp": "Aurora lamp"}),
    ],
)
async def test_what_several_flows_ask_for_is_brought_to_the_one_that_starts(
    message: str, name: str, slots: dict[str, Any]
) -> None:
    (started,) = await read(message, SHOP)
    assert (started.flow_name, started.slots) == (name, slots)
