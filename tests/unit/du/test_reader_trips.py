"""Where strangers travel, and when: two places, two days, and what only seems to be one."""

import pytest

from soni.commands import CancelFlow, SetSlot
from tests.unit.du.ferry import FERRY, GIFT, PORTS, answer, read


@pytest.mark.parametrize(
    "message",
    [
        "book a ferry from dover to bergen",
        "a ferry to bergen from dover please",
        "book me a ferry dover - bergen",
        "book a ferry dover to bergn",
    ],
)
async def test_the_ends_of_a_way_are_never_swapped(message: str) -> None:
    [start] = await read(message)

    assert start.flow_name == "book_ferry"
    assert (start.slots["port_from"], start.slots["port_to"]) == ("Dover", "Bergen")


async def test_one_end_of_a_way_leaves_the_other_open() -> None:
    [start] = await read("book a ferry to bergen")

    assert start.slots["port_to"] == "Bergen"
    assert "port_from" not in start.slots


@pytest.mark.parametrize(
    ("message", "ends"),
    [
        ("book a ferry to bergen, not dover", {"port_to": "Bergen"}),
        ("book a ferry to bergen via dover", {"port_to": "Bergen"}),
        ("book a ferry to bergen or dover", {}),
    ],
)
async def test_what_is_refused_or_left_open_is_no_end_of_a_way(
    message: str, ends: dict[str, str]
) -> None:
    [start] = await read(message)

    assert {n: v for n, v in start.slots.items() if n in ("port_from", "port_to")} == ends


async def test_of_two_places_that_may_be_neither_is_taken() -> None:
    commands = await answer("bergen or dover", FERRY, "port_from")

    assert all(
        str(value) not in PORTS for c in commands for value in c.get_touched_slots().values()
    )


@pytest.mark.parametrize("message", ["ok bergen then, not calais", "bergen, not calais"])
async def test_one_place_and_not_another_answers_what_was_asked(message: str) -> None:
    commands = await answer(message, FERRY, "port_to", port_from="Dover")

    assert commands == [SetSlot(slot_name="port_to", value="Bergen")]


async def test_the_day_back_counts_from_the_day_there() -> None:
    [start] = await read("book a ferry for next monday, back on thursday, only me")

    assert "next monday" in start.slots["sail_on"]
    assert start.slots["back_on"] == "2026-03-12"
    assert str(start.slots["people"]) == "1"


async def test_a_weekday_that_is_asked_as_the_end_comes_after_the_beginning() -> None:
    [given] = await answer("on sunday", FERRY, "back_on", sail_on="2026-03-13")

    assert given == SetSlot(slot_name="back_on", value="2026-03-15")


async def test_so_much_later_counts_from_the_beginning() -> None:
    [given] = await answer("a week later", FERRY, "back_on", sail_on="2026-03-13")

    assert given == SetSlot(slot_name="back_on", value="2026-03-20")


@pytest.mark.parametrize(
    ("said", "meant"), [("tomorow", "tomorrow"), ("wensday", "wednesday"), ("right now", "today")]
)
async def test_a_day_with_a_slip_is_still_a_day(said: str, meant: str) -> None:
    assert await answer(said, FERRY, "sail_on") == [SetSlot(slot_name="sail_on", value=meant)]


async def test_to_somewhere_is_no_answer_to_where_from() -> None:
    [given] = await answer("to bergen", FERRY, "port_from")

    assert given == SetSlot(slot_name="port_to", value="Bergen")


@pytest.mark.parametrize(
    ("message", "ends"),
    [
        ("a ferry from Dover to Paris", {"port_from": "Dover", "port_to": "Paris"}),
        ("book a ferry to bergen from oslo", {"port_from": "oslo", "port_to": "Bergen"}),
        ("a ferry from Dover to anywhere", {"port_from": "Dover"}),
        ("a ferry to Bergen from Monday", {"port_to": "Bergen"}),
    ],
)
async def test_a_place_that_there_is_not_is_told_beside_one_that_there_is(
    message: str, ends: dict[str, str]
) -> None:
    """So that whoever said it hears that nobody goes there."""
    [start] = await read(message)

    assert {name: start.slots.get(name) for name in ends} == ends
    assert {"port_from", "port_to"} & start.slots.keys() == ends.keys()


@pytest.mark.parametrize("message", ["somewhere warm", "in two weeks"])
async def test_no_place_is_guessed_that_was_not_named(message: str) -> None:
    commands = await answer(message, FERRY, "port_from")

    assert all(
        str(value) not in PORTS for c in commands for value in c.get_touched_slots().values()
    )


async def test_another_day_is_not_another_one() -> None:
    commands = await answer("nah forget it, I'll do it another day", GIFT, "amount", friend="Ann")

    assert commands == [CancelFlow()]


async def test_the_day_that_follows_from_another_is_the_one_that_is_meant() -> None:
    said = await answer("we move out on the 12th, so on the 15th", FERRY, "sail_on")
    assert [(one.slot_name, one.value) for one in said] == [("sail_on", "on the 15th")]
