"""The one function that writes slots: coerce, normalise, check, validate, constrain, store."""

import functools
import threading
from collections.abc import Callable
from datetime import date, time, timedelta
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Any

import pytest

from soni import normalizer, validator
from soni.core.errors import Refusal
from soni.flow.plain import make_plain
from soni.flow.write import SlotWrite
from tests.unit.flow.slot_writes import NOW, refusal, slot, write


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
