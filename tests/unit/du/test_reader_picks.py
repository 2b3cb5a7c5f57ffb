"""How strangers pick one of several: by a word, by its place, by its time."""

import pytest

from soni.commands import SetSlot
from soni.du import FlowBrief
from tests.unit.du.ferry import FERRY, answer, slot


@pytest.mark.parametrize("message", ["the one to bergen", "i'd take the bergen one"])
async def test_an_item_is_picked_by_a_word_of_it(message: str) -> None:
    options = ["Hermes, Dover to Calais, 8:30 pm", "Thetis, Dover to Bergen, 9:15 am"]

    [pick] = await answer(message, FERRY, "ferry", options=options)

    assert pick == SetSlot(slot_name="ferry", value=options[1])


async def test_an_item_is_picked_by_its_time() -> None:
    options = ["Hermes, 8:30 pm", "Thetis, 9:15 am"]

    [pick] = await answer("the one at 20:30", FERRY, "ferry", options=options)

    assert pick == SetSlot(slot_name="ferry", value=options[0])


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("the 10 am one", 0),
        ("10am please", 0),
        ("I'd take the one at 10 a.m.", 0),
        ("the 7:10 am one", 1),
        ("the one at 10:30", 2),
        ("the 10 pm one", 3),
        ("the one at 10 pm please", 3),
    ],
)
async def test_a_time_is_not_found_in_a_part_of_another(message: str, place: int) -> None:
    options = ["Hermes, 10:00", "Thetis, 7:10 am", "Argo, 10:30", "Doris, 22:00"]

    [pick] = await answer(message, FERRY, "ferry", options=options)

    assert pick == SetSlot(slot_name="ferry", value=options[place])


async def test_of_several_at_one_time_the_words_tell_which() -> None:
    options = ["Hermes, 10:00", "Thetis, 7:10 am", "Argo, 10:00"]

    [pick] = await answer("the 10 am argo", FERRY, "ferry", options=options)

    assert pick == SetSlot(slot_name="ferry", value=options[2])


async def test_a_time_that_nothing_leaves_at_picks_nothing() -> None:
    options = ["Thetis, 7:10 am", "Argo, 10:30"]

    said = await answer("the 10 am one", FERRY, "ferry", options=options)

    assert not any(one.get_touched_slots().get("ferry") in options for one in said)


@pytest.mark.parametrize(
    ("message", "most"),
    [
        ("the cheap one", "cheapest"),
        ("the big one", "biggest"),
        ("the bigger one", "biggest"),
        ("bigger one", "biggest"),
        ("the hotter one", "hottest"),
        ("the thin one", "thinnest"),
        ("the larger one", "largest"),
        ("the nicer option", "nicest"),
        ("the newer one", "newest"),
        ("the earlier one", "earliest"),
        ("the better one", "best"),
    ],
)
async def test_the_cheap_one_is_the_cheapest(message: str, most: str) -> None:
    [pick] = await answer(message, FERRY, "ferry", options=["Hermes", "Thetis"])

    assert pick == SetSlot(slot_name="ferry", value=f"the {most} one")


async def test_a_place_in_words_picks() -> None:
    [pick] = await answer("number two", FERRY, "ferry", options=["Hermes", "Thetis"])

    assert pick == SetSlot(slot_name="ferry", value="2")


async def test_the_later_of_two_times_counts_where_it_is_proposed() -> None:
    trip = FlowBrief(
        name="book_cab",
        examples=("book a cab", "I need a cab"),
        slots=(slot("book_cab", "at", "time", "When the cab comes"),),
    )
    [said] = await answer("my train gets in at 14:10, so let's say 14:30", trip, "at")
    assert "14:30" in said.value
