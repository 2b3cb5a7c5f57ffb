"""Values in expressions: how they are read, combined, compared and looked into."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from soni.core.expressions import is_truthy, parse_expression
from tests.unit.core.evaluation import NOW, check, value_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("'it'", "it"),
        (r'"a \"b\" \\ c"', 'a "b" \\ c'),
        ('"# = && {x}"', "# = && {x}"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("None", None),
        ("[1, 'a', [true]]", [1, "a", [True]]),
        ("amount", 12),
        ("unset", None),
        ("_error", "timeout"),
        ("  amount\n  > 10 ", True),
        ("amount > 10\nand\tcity == 'Madrid'", True),
    ],
)
def test_values_and_names_are_read_as_written(text: str, expected: Any) -> None:
    check(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("flight.price", 80),
        ("flight['price']", 80),
        ('flight["stops"][0]["city"]', "Paris"),
        ("flight.stops[-1].city", "Rome"),
        ("ranks[1]", "silver"),
        ("ranks[-1]", "bronze"),
        ("ranks[-3]", "gold"),
        ("ranks[-4]", None),
        ("flight.stops[7].city", None),
        ("flight.nope.deeper", None),
        ("unset.a.b", None),
        ("city.upper", None),
        ("amount.real", None),
        ("session.tier", "gold"),
        ("flight.class", "business"),
        ("from == 'Lisbon'", True),
        ("tags['x']", None),
    ],
)
def test_a_path_walks_plain_data_and_is_null_where_something_is_missing(
    text: str, expected: Any
) -> None:
    check(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7 + 2 * 3", 13),
        ("(7 + 2) * 3", 27),
        ("7 - 10", -3),
        ("-amount", -12),
        ("7 / 2", 3.5),
        ("7 // 2", 3),
        ("7 % 4", 3),
        ("price * 2", Decimal("39.80")),
        ("price + 0.1", Decimal("20.00")),
        ("0.1 + price", Decimal("20.00")),
        ("'a' + 'b'", "ab"),
        ("[1] + [2]", [1, 2]),
        ("today() + days(2)", date(2030, 6, 17)),
        ("days(2) + today()", date(2030, 6, 17)),
        ("date - days(5)", date(2030, 6, 15)),
        ("now() + hours(1.5)", datetime(2030, 6, 15, 12, 0)),
        ("date - today()", timedelta(days=5)),
        ("stay - days(1)", timedelta(days=2)),
    ],
)
def test_arithmetic_works_on_numbers_texts_lists_and_dates(text: str, expected: Any) -> None:
    check(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("amount == 12", True),
        ("amount == 12.0", True),
        ("amount != 12", False),
        ("1 == true", False),
        ("0 == false", False),
        ("[1] == [true]", False),
        ("[1, [2]] == [1.0, [2]]", True),
        ("zero == null", False),
        ("blank == null", False),
        ("unset == null", True),
        ("unset == unset_too", True),
        ("amount == 'twelve'", False),
        ("tags == 3", False),
        ("3 == tags", False),
        ("tags == ['a']", False),
        ("flight == 3", False),
        ("3 == flight", False),
        ("flight == session", False),
        ("price == 19.9", True),
        ("flight.stops[0] == flight.stops[0]", True),
        ("flight.stops[0] == flight.stops[1]", False),
        ("1 < 2 < 3", True),
        ("1 < 2 < 2", False),
        ("3 > 2 >= 2", True),
        ("'a' < 'b'", True),
        ("stay >= days(3)", True),
        ("price < 20", True),
    ],
)
def test_values_are_compared_by_kind_and_a_boolean_is_no_number(text: str, expected: Any) -> None:
    check(text, expected)


@pytest.mark.parametrize("symbol", ["<", "<=", ">", ">="])
@pytest.mark.parametrize("pair", ["unset {} 3", "3 {} unset", "unset {} null", "unset {} 'a'"])
def test_ordering_against_an_unset_name_is_false(symbol: str, pair: str) -> None:
    assert value_of(pair.format(symbol)) is False


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("date == '2030-06-20'", True),
        ("'2030-06-20' == date", True),
        ("date > '2030-06-19'", True),
        ("date > today()", True),
        ("date == 'soon'", False),
        ("date in ['2030-06-20']", True),
        ("at < now()", True),
        ("at >= today()", True),
        ("at < '2030-06-15T09:30'", True),
        ("opens < '10:00'", True),
        ("opens == 'early'", False),
        ("opens == date", False),
    ],
)
def test_dates_compare_with_dates_and_with_iso_texts(text: str, expected: bool) -> None:
    check(text, expected)


def test_a_moment_without_a_zone_is_meant_in_the_zone_of_the_other() -> None:
    scope = {"at": datetime(2030, 6, 15, 9, 0), "since": datetime(2030, 6, 15, 8, 0, tzinfo=UTC)}
    now = NOW.replace(tzinfo=UTC)
    assert parse_expression("at < now()").evaluate(scope, now) is True
    assert parse_expression("since < now()").evaluate(scope, now) is True
    assert parse_expression("since < at").evaluate(scope, now) is True
    assert parse_expression("at - since").evaluate(scope, now) == timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'a' in tags", True),
        ("'c' not in tags", True),
        ("1 in [true]", False),
        ("null in [null]", True),
        ("'rid' in city", True),
        ("unset in city", False),
        ("'a' in unset", False),
        ("'a' not in unset", True),
        ("'price' in flight", True),
    ],
)
def test_in_looks_in_lists_texts_and_objects(text: str, expected: bool) -> None:
    check(text, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true and false", False),
        ("false or amount > 3", True),
        ("not unset", True),
        ("not amount == 12", False),
        ("unset or 'friend'", "friend"),
        ("unset != null and unset + 1 > 0", False),
        ("true or 1 / 0", True),
        ("'big' if amount > 10 else 'small'", "big"),
        ("amount if city == 'Madrid' else zero", 12),
        ("amount if city == 'Rome' else zero", 0),
        ("1 / 0 if false else 'safe'", "safe"),
    ],
)
def test_logic_works_out_no_more_than_it_needs(text: str, expected: Any) -> None:
    check(text, expected)


HOLDING: list[Any] = [True, 1, -0.5, "no", [0], {"a": None}, timedelta(1)]
FAILING: list[Any] = [False, None, 0, 0.0, "", [], {}, timedelta(0)]


@pytest.mark.parametrize(
    ("value", "holds"),
    [*((value, True) for value in HOLDING), *((value, False) for value in FAILING)],
)
def test_a_condition_holds_for_all_but_false_null_zero_and_empty(value: Any, holds: bool) -> None:
    assert is_truthy(value) is holds


@pytest.mark.parametrize("name", ["odd", "other"])
def test_equality_never_raises(name: str) -> None:
    scope = {"odd": Decimal("sNaN"), "other": object()}
    for text in (f"{name} == 1", f"1.5 == {name}", f"{name} == 'a'", f"[{name}] == [1]"):
        assert value_of(text, **scope) is False


def test_equality_of_endless_data_comes_to_an_end() -> None:
    endless: list[Any] = []
    endless.append(endless)
    other: list[Any] = []
    other.append(other)
    assert value_of("a == b", a=endless, b=other) is False
    ring: dict[str, Any] = {}
    ring["next"] = ring
    circle: dict[str, Any] = {}
    circle["next"] = circle
    assert value_of("a == b", a=ring, b=circle) is False


def nested(levels: int, wrap: Callable[[Any], Any]) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = wrap(value)
    return value


@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"in": inner}])
def test_data_is_compared_down_to_its_thirtieth_level(wrap: Callable[[Any], Any]) -> None:
    assert value_of("a == b", a=nested(29, wrap), b=nested(29, wrap)) is True
    assert value_of("a == b", a=nested(30, wrap), b=nested(30, wrap)) is False


def test_the_largest_number_and_the_longest_text_are_allowed() -> None:
    assert value_of("-1000000000000000000") == -(10**18)
    assert value_of("999999999999999999 + 1") == 10**18
    assert len(value_of("half + half", half="x" * 5_000)) == 10_000
    assert len(value_of("half + half", half=[0] * 5_000)) == 10_000
