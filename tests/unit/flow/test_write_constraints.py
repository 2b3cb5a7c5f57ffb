"""Constraints between slots, where a value is written."""

from datetime import date
from typing import Any

import pytest

from soni import validator
from soni.config.assistant import Assistant
from soni.config.models import SoniConfig
from soni.flow.voice import Voice
from soni.flow.write import SlotWrite, SlotWriter
from soni.slots import SlotEnv
from tests.unit.flow.slot_writes import NOW, refusal, slot, write

TRIP = {
    "start": slot(type="date"),
    "end": slot(
        type="date", constraints=[{"if": "end >= start", "message": "{end} is before {start}."}]
    ),
}


async def test_a_constraint_that_does_not_hold_refuses_with_its_message() -> None:
    beside = {"start": "2026-05-10"}
    refused = await refusal("end", "2026-05-01", TRIP, beside=beside)
    assert refused.text == "1 May 2026 is before 10 May 2026."
    assert (await write("end", "2026-05-10", TRIP, beside=beside)).value == "2026-05-10"


@pytest.mark.parametrize("beside", [{}, {"start": None}])
async def test_a_constraint_naming_an_unset_slot_is_not_checked(beside: dict[str, Any]) -> None:
    assert (await write("end", "2026-05-01", TRIP, beside=beside)).value == "2026-05-01"


async def test_a_change_that_breaks_another_slots_constraint_names_that_slot() -> None:
    written = await write("start", "2026-05-10", TRIP, beside={"end": "2026-05-01"})
    assert written.value == "2026-05-10"
    assert written.broken == {"end": "1 May 2026 is before 10 May 2026."}


@pytest.mark.parametrize(
    ("start", "end"), [("2026-04-30", "2026-05-01"), (None, "2026-05-01"), ("2026-05-10", None)]
)
async def test_a_change_that_breaks_nothing_names_no_slot(start: Any, end: Any) -> None:
    assert (await write("start", start, TRIP, beside={"end": end})).broken == {}


async def test_a_slot_that_comes_behind_the_changed_one_is_found_broken_as_well() -> None:
    beside = {"start": "2026-04-01", "end": "2026-05-01"}
    written = await write("start", "2026-05-10", TRIP, beside=beside)
    assert list(written.broken) == ["end"]


async def test_a_slot_without_a_value_is_not_broken_by_another() -> None:
    limit = {"if": "seats <= 4", "message": "A bike is for {seats}?"}
    slots = {"seats": slot(type="integer"), "bike": slot(constraints=[limit])}
    assert (await write("seats", 5, slots, beside={"bike": "red"})).broken == {
        "bike": "A bike is for 5?"
    }
    assert (await write("seats", 5, slots, beside={"bike": None})).broken == {}


async def test_a_constraint_may_read_the_clock() -> None:
    later = {"if": "day > today()", "message": "{day} is over."}
    slots = {"day": slot(type="date", constraints=[later])}
    assert (await write("day", "2026-03-03", slots)).value == "2026-03-03"
    assert (await refusal("day", "2026-03-02", slots)).text == "2 March 2026 is over."


async def test_two_values_of_one_message_are_measured_by_each_other() -> None:
    beside = {"start": "2026-05-10", "end": "2026-05-20"}
    together = {"start": "tomorrow", "end": "2026-03-05"}
    start = await write("start", "2026-03-03", TRIP, beside=beside, coming=together)
    assert start == SlotWrite("2026-03-03", {})
    assert (await write("end", "2026-03-05", TRIP, beside=beside, coming=together)) == (
        SlotWrite("2026-03-05", {})
    )
    late = {"end": "2026-03-01"}
    assert (await write("start", "2026-03-03", TRIP, beside=beside, coming=late)).broken == {}


@pytest.mark.parametrize("coming", [{"start": None}, {"start": "whenever"}, {"end": "2026-03-02"}])
async def test_a_value_that_does_not_come_after_all_changes_nothing(coming: dict[str, Any]) -> None:
    beside = {"start": "2026-05-10"}
    refused = await refusal("end", "2026-05-01", TRIP, beside=beside, coming=coming)
    assert refused.text == "1 May 2026 is before 10 May 2026."


async def test_a_value_that_nothing_relates_is_not_looked_at_before_its_turn() -> None:
    looked: list[str] = []

    @validator
    def noting(value: str) -> bool:
        looked.append(value)
        return True

    slots = {**TRIP, "name": slot(validator="noting")}
    coming = {"name": "Ann", "oops": None, "start": "2026-05-05"}
    written = await write("end", "2026-05-06", slots, noting, coming=coming)
    assert (written.value, looked) == ("2026-05-06", [])
    beside = {"start": "2026-05-10"}
    written = await write("end", "2026-05-06", slots, noting, beside=beside, coming=coming)
    assert (written.value, looked) == ("2026-05-06", [])


async def test_a_value_is_validated_once_although_it_is_among_those_that_come() -> None:
    looked: list[date] = []

    @validator
    def noting(value: date) -> bool:
        looked.append(value)
        return True

    constraint = {"if": "end >= start", "message": "{end} is before {start}."}
    end = slot(type="date", validator="noting", constraints=[constraint])
    coming = {"end": "2026-05-06", "start": "2026-05-05"}
    await write("end", "2026-05-06", {**TRIP, "end": end}, noting, coming=coming)
    assert looked == [date(2026, 5, 6)]


async def test_a_value_that_is_refused_does_not_hide_the_next_that_comes() -> None:
    both = {"if": "total == adults + children", "message": "That is not {total}."}
    slots = {
        "adults": slot(type="integer"),
        "children": slot(type="integer"),
        "total": slot(type="integer", constraints=[both]),
    }
    beside = {"adults": 2, "children": 2}
    coming = {"adults": "some", "children": 1}
    assert (await write("total", 3, slots, beside=beside, coming=coming)).value == 3


async def test_an_undeclared_slot_that_comes_is_read_as_the_string_it_will_be() -> None:
    same = {"if": "code == again", "message": "Not the same."}
    slots = {"again": slot(constraints=[same])}
    assert (await write("again", "7", slots, coming={"code": 7})).value == "7"
    assert (await refusal("again", "8", slots, coming={"code": 7})).text == "Not the same."


def test_a_stored_value_that_its_constraints_no_longer_allow_is_violated() -> None:
    assistant = Assistant(SoniConfig(slots=TRIP))
    voice, env = Voice(assistant, "en", "ann/1", {}), SlotEnv(NOW, "en")
    values = {"start": "2026-05-10", "end": "2026-05-01"}
    said = SlotWriter(assistant).find_violation("end", values, env, voice)
    assert said == "1 May 2026 is before 10 May 2026."
    assert SlotWriter(assistant).find_violation("start", values, env, voice) is None


async def test_a_constraint_of_an_unrelated_slot_is_left_alone() -> None:
    slots = {**TRIP, "name": slot()}
    beside = {"start": "2026-05-10", "end": "2026-05-01"}
    assert (await write("name", "Ann", slots, beside=beside)).broken == {}


async def test_zero_is_a_value_to_a_constraint() -> None:
    slots = {
        "used": slot(type="integer"),
        "left": slot(
            type="integer", constraints=[{"if": "left > used", "message": "Nothing is left."}]
        ),
    }
    assert (await refusal("left", 0, slots, beside={"used": 0})).text == "Nothing is left."


async def test_a_constraint_may_read_the_callers_context() -> None:
    limit = {"if": "amount <= session.limit", "message": "Your limit is {session.limit}."}
    slots = {"amount": slot(type="number", constraints=[limit])}
    refused = await refusal("amount", 60, slots, session={"limit": 50.0})
    assert refused.text == "Your limit is 50."
    assert (await write("amount", 50, slots, session={"limit": 50.0})).value == 50


async def test_a_constraint_that_cannot_be_worked_out_does_not_hold() -> None:
    slots = {"a": slot(constraints=[{"if": "a > b", "message": "No."}]), "b": slot(type="integer")}
    assert (await refusal("a", "text", slots, beside={"b": 1})).text == "No."
