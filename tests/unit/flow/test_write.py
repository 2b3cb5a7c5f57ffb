"""The one function that writes slots: coerce, normalise, check, validate, constrain, store."""

import functools
import threading
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Any

import pytest

from soni import normalizer, validator
from soni.config.assistant import Assistant
from soni.config.models import SlotConfig, SoniConfig
from soni.core.errors import Refusal
from soni.flow.voice import Voice
from soni.flow.write import SlotWrite, SlotWriter, make_plain
from soni.slots import SlotEnv

NOW = datetime.fromisoformat("2026-03-02T10:00:00+00:00")


def slot(**keys: Any) -> SlotConfig:
    return SlotConfig.model_validate(keys)


async def write(
    name: str,
    value: Any,
    slots: dict[str, SlotConfig],
    *functions: Callable[..., Any],
    beside: dict[str, Any] | None = None,
    session: dict[str, Any] | None = None,
    **options: Any,
) -> SlotWrite:
    assistant = Assistant(SoniConfig(slots=slots).with_functions(functions))
    voice = Voice(assistant, "en", "ann/1", session or {})
    return await SlotWriter(assistant).write(
        name, value, beside or {}, SlotEnv(NOW, "en"), voice, **options
    )


async def refusal(*args: Any, **options: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await write(*args, **options)
    return caught.value


async def test_a_value_is_coerced_normalised_checked_validated_constrained_in_this_order() -> None:
    seen: list[tuple[str, Any]] = []

    @normalizer
    def to_dozens(value: int) -> str:
        seen.append(("normalizer", value))
        return str(value * 12)

    @validator
    def is_shippable(value: int) -> bool:
        seen.append(("validator", value))
        return True

    eggs = slot(
        type="integer",
        normalizer="to_dozens",
        validator="is_shippable",
        constraints=[{"if": "eggs <= 30", "message": "{eggs} are too many."}],
    )
    assert (await write("eggs", " 2 ", {"eggs": eggs}, to_dozens, is_shippable)).value == 24
    assert seen == [("normalizer", 2), ("validator", 24)]
    broken = await refusal("eggs", "3", {"eggs": eggs}, to_dozens, is_shippable)
    assert broken.text == "36 are too many."


async def test_what_cannot_be_coerced_reaches_no_function() -> None:
    seen: list[Any] = []

    @normalizer
    def noting(value: Any) -> Any:
        seen.append(value)
        return value

    refused = await refusal("n", "abc", {"n": slot(type="integer", normalizer="noting")}, noting)
    assert refused.response == "invalid_integer"
    assert seen == []


async def test_what_a_normalizer_returns_is_coerced_and_checked_again() -> None:
    @normalizer
    def to_word(value: int) -> str:
        return "many" if value > 9 else str(value)

    slots = {"n": slot(type="integer", normalizer="to_word")}
    assert (await write("n", 7, slots, to_word)).value == 7
    assert (await refusal("n", 10, slots, to_word)).response == "invalid_integer"


async def test_what_a_normalizer_returns_is_stored_as_it_is_if_the_slot_can_hold_it() -> None:
    @normalizer
    def padded(value: str) -> str:
        return f" {value} "

    assert (await write("code", "x", {"code": slot(normalizer="padded")}, padded)).value == " x "


async def test_a_choice_is_read_by_its_values_before_and_after_its_normalizer() -> None:
    @normalizer
    def renamed(value: str) -> str:
        return {"small": "Big", "medium": "huge"}.get(value, value)

    sizes = {"small": ["tiny"], "medium": [], "large": ["big"]}
    slots = {"size": slot(type="choice", values=sizes, normalizer="renamed")}
    assert (await write("size", "LARGE", slots, renamed)).value == "large"
    assert (await write("size", "tiny", slots, renamed)).value == "large"
    assert (await refusal("size", "medium", slots, renamed)).response == "invalid_choice"


async def test_a_normalizer_that_raises_a_value_error_refuses_in_general_words() -> None:
    @normalizer
    def parsed(value: str) -> str:
        return str(int(value))

    refused = await refusal("code", "abc", {"code": slot(normalizer="parsed")}, parsed)
    assert (refused.response, refused.text) == ("invalid_value", None)


async def test_functions_get_typed_values() -> None:
    seen: list[Any] = []

    @normalizer
    def noting(value: date) -> date:
        seen.append(value)
        return value

    @validator
    def judging(value: date) -> bool:
        seen.append(value)
        return True

    slots = {"day": slot(type="date", normalizer="noting", validator="judging")}
    assert (await write("day", "tomorrow", slots, noting, judging)).value == "2026-03-03"
    assert seen == [date(2026, 3, 3), date(2026, 3, 3)]


async def test_a_validator_returns_bool_or_raises_the_reason() -> None:
    @validator
    def small(value: int) -> bool:
        if value < 0:
            raise ValueError("Not below {zero}.")
        if value > 100:
            raise ValueError
        return value < 10

    slots = {"n": slot(type="integer", validator="small")}
    assert (await write("n", 0, slots, small)).value == 0
    assert (await refusal("n", 10, slots, small)).text is None
    assert (await refusal("n", -1, slots, small)).text == "Not below {zero}."
    unspoken = await refusal("n", 101, slots, small)
    assert (unspoken.response, unspoken.text) == ("invalid_value", None)


async def test_the_reason_of_a_sensitive_slot_does_not_tell_the_value() -> None:
    @validator
    def known(value: str) -> bool:
        raise ValueError(f"{value} is not a PIN.")

    refused = await refusal("pin", "4711", {"pin": slot(sensitive=True, validator="known")}, known)
    assert refused.text == "•••• is not a PIN."
    open_ = await refusal("pin", "4711", {"pin": slot(validator="known")}, known)
    assert open_.text == "4711 is not a PIN."


async def test_validators_and_normalizers_may_be_async() -> None:
    @normalizer
    async def lowered(value: str) -> str:
        return value.lower()

    @validator
    async def is_known(value: str) -> bool:
        return value == "ann"

    slots = {"name": slot(normalizer="lowered", validator="is_known")}
    assert (await write("name", "ANN", slots, lowered, is_known)).value == "ann"
    assert (await refusal("name", "BOB", slots, lowered, is_known)).response == "invalid_value"


async def test_an_async_validator_behind_a_plain_wrapper_is_waited_for() -> None:
    def logged(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def inner(*values: Any) -> Any:
            return function(*values)

        return inner

    @validator
    @logged
    async def never(value: str) -> bool:
        return False

    assert (await refusal("x", "y", {"x": slot(validator="never")}, never)).text is None


async def test_a_sync_validator_does_not_block_the_event_loop() -> None:
    loop_thread = threading.get_ident()

    @validator
    def elsewhere(value: str) -> bool:
        return threading.get_ident() != loop_thread

    assert (await write("x", "y", {"x": slot(validator="elsewhere")}, elsewhere)).value == "y"


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


async def test_null_is_stored_as_it_is() -> None:
    @validator
    def never(value: Any) -> bool:
        return False

    assert (await write("n", None, {"n": slot(type="integer", validator="never")}, never)) == (
        SlotWrite(None, {})
    )


async def test_an_undeclared_name_takes_any_plain_data() -> None:
    flight = {"price": 80.0, "days": (date(2026, 3, 2),)}
    assert (await write("flight", flight, {})).value == {"price": 80.0, "days": ["2026-03-02"]}


async def test_an_undeclared_name_that_its_flow_collects_is_a_string() -> None:
    assert (await write("code", 7, {}, collected=True)).value == "7"
    assert (await write("code", "  C++ ", {}, collected=True)).value == "C++"
    refused = await refusal("code", {"a": 1}, {}, collected=True)
    assert refused.response == "invalid_string"


@pytest.mark.parametrize("value", [0, 0.0, "", False, [], {}])
async def test_falsy_values_are_stored(value: Any) -> None:
    assert (await write("anything", value, {})).value == value


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (Decimal("1.5"), "a Decimal"),
        (object(), "a object"),
        ({1, 2}, "a set"),
    ],
)
def test_what_is_no_plain_data_is_refused(value: Any, what: str) -> None:
    with pytest.raises(Refusal) as caught:
        make_plain({"deep": [value]})
    assert caught.value.text == f"{what} cannot be stored in a slot"


def test_moments_and_spans_are_stored_as_iso_text() -> None:
    assert make_plain([date(2026, 3, 2), NOW]) == ["2026-03-02", "2026-03-02T10:00:00+00:00"]
    assert make_plain([time(9, 30), timedelta(hours=1, minutes=30)]) == ["09:30:00", "PT1H30M"]


class Euros(float):
    """A library's own kind of number."""


class Size(StrEnum):
    LARGE = "large"


class Stars(IntEnum):
    FIVE = 5


def test_a_librarys_own_kinds_are_stored_as_the_plain_value_they_are() -> None:
    stored = make_plain([Euros(2.5), Size.LARGE, Stars.FIVE, True, None])
    assert stored == [2.5, "large", 5, True, None]
    assert [type(item) for item in stored] == [float, str, int, bool, type(None)]
