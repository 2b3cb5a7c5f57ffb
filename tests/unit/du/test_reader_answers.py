"""What strangers answer: more than was asked, less, or something else."""

import pytest

from soni.commands import ChitChat, CorrectSlot, SetSlot, SkipSlot
from soni.du import FlowBrief
from tests.unit.du.ferry import BADGE, CREDIT, FERRY, GIFT, WALLETS, answer, confirming, read, slot


async def test_both_is_neither_of_two() -> None:
    commands = await answer("both", CREDIT, "wallet")

    assert all(str(v) not in WALLETS for c in commands for v in c.get_touched_slots().values())


async def test_two_answers_are_told_apart() -> None:
    commands = await answer("bob, 90 euros", GIFT, "friend")

    assert [(c.slot_name, c.value) for c in commands] == [("friend", "bob"), ("amount", "90")]


async def test_an_account_number_is_one_answer() -> None:
    number = "GB29 NWBK 6016 1331 9268 19"

    assert await answer(number, BADGE, "badge") == [SetSlot(slot_name="badge", value=number)]


async def test_what_skipping_is_said_to_be_for_skips() -> None:
    prompt = "When do you come back? Say skip for one way only."

    assert await answer("one way", FERRY, "back_on", prompt=prompt) == [SkipSlot()]


@pytest.mark.parametrize("message", ["ok", "yes", "no", "great"])
async def test_a_yes_or_no_is_nobodys_name(message: str) -> None:
    assert await answer(message, GIFT, "friend", prompt="Who is it for?") == []


@pytest.mark.parametrize("message", ["good", "great", "ok"])
async def test_how_it_was_can_be_told_in_a_word(message: str) -> None:
    given = await answer(message, GIFT, "friend", prompt="How was it?")
    assert given == [SetSlot(slot_name="friend", value=message)]


@pytest.mark.parametrize("message", ["thanks anyway", "ok thank you!", "great, thanks so much"])
async def test_thanks_are_thanks_whatever_is_asked(message: str) -> None:
    assert await answer(message, FERRY, "people") == [ChitChat()]


async def test_a_name_alone_is_an_answer() -> None:
    assert await answer("Zoe", GIFT, "friend") == [SetSlot(slot_name="friend", value="Zoe")]


async def test_no_wallet_is_taken_that_was_not_named() -> None:
    [start] = await read("please send some money to my dear old friend")

    assert "wallet" not in start.slots


async def test_what_is_put_right_at_once_counts() -> None:
    [given] = await answer("40. no wait 50", GIFT, "amount", friend="Ann")

    assert given == SetSlot(slot_name="amount", value="50")


async def test_so_much_more_is_nobody() -> None:
    [start] = await read("send another 30 to Ann")

    assert start.slots["friend"] == "Ann"


async def test_no_need_for_it_skips_it() -> None:
    slots = (slot("book_ferry", "return_on", "date", "The day back", required=False),)
    ferry = FERRY.model_copy(update={"slots": slots})

    assert await answer("no need for a return", ferry, "return_on") == [SkipSlot()]


async def test_a_number_of_a_thing_is_the_answer_where_one_is_asked() -> None:
    refund = FlowBrief(
        name="refund",
        examples=("I want my money back", "refund an order"),
        slots=(
            slot("refund", "order_number", "string", "Number of the order"),
            slot("refund", "price", "money", "What it cost"),
        ),
    )
    asked = await answer("it says 49006 on the receipt", refund, "order_number")
    assert asked == [SetSlot(slot_name="order_number", value="49006")]


async def test_a_part_of_the_day_is_no_greeting_where_it_can_be_chosen() -> None:
    window = slot("deliver", "window", "choice", "When", values={"morning": (), "evening": ()})
    deliver = FlowBrief(name="deliver", examples=("deliver it",), slots=(window,))
    denied = await confirming("nope, morning please", deliver, window="evening")
    assert denied == [CorrectSlot(slot_name="window", new_value="morning")]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("uh, some sourdough bread", "sourdough bread"),
        ('just put "Ann Lee"', "Ann Lee"),
        ("it's called Frontline Plus I think", "Frontline Plus"),
        ("Some Like It Hot", "Some Like It Hot"),
    ],
)
async def test_a_name_comes_without_what_leads_to_it(said: str, name: str) -> None:
    assert await answer(said, GIFT, "friend") == [SetSlot(slot_name="friend", value=name)]


@pytest.mark.parametrize(
    ("said", "language", "name"),
    [
        ("Call of Duty", "fr", "Call of Duty"),
        ("Son Heung-min", "fr", "Son Heung-min"),
        ("A Coruña", "es", "A Coruña"),
        ("a Sevilla", "es", "Sevilla"),
    ],
)
async def test_the_first_word_of_a_name_leads_to_nothing(
    said: str, language: str, name: str
) -> None:
    given = await read(
        said,
        language=language,
        current_flow="pay_friend",
        expected_slots=GIFT.slots,
        waiting_for_slot="friend",
        asked={"kind": "collect", "prompt": "?", "data": {}},
    )
    assert given == [SetSlot(slot_name="friend", value=name)]


@pytest.mark.parametrize("message", ["...", "!", "???", "…", '""'])
async def test_signs_alone_are_nobodys_name(message: str) -> None:
    assert await answer(message, GIFT, "friend") == []


async def test_of_several_numbers_the_one_that_is_concluded_counts() -> None:
    message = "there are seven of us in the van but only three dare"
    said = await answer(message, FERRY, "people", port_from="Dover", port_to="Calais")
    assert [str(one.value) for one in said] == ["three"]


@pytest.mark.parametrize("message", ["you decide", "surprise me"])
async def test_whoever_leaves_the_choice_to_others_passes_over_it(message: str) -> None:
    said = await answer(message, GIFT, "wallet", friend="Bob", amount=20)
    assert [type(one) for one in said] == [SkipSlot]
