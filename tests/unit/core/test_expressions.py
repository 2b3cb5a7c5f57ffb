"""Conditions and computed values, as an author writes them and as they are answered."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from soni.core.expressions import (
    FUNCTIONS,
    Expression,
    ExpressionError,
    Function,
    is_expression,
    is_truthy,
    parse_braced,
    parse_expression,
)
from soni.core.expressions.values import ARITHMETIC, ORDERINGS

NOW = datetime(2030, 6, 15, 10, 30)

SCOPE: dict[str, Any] = {
    "amount": 12,
    "zero": 0,
    "blank": "",
    "no": False,
    "city": "Madrid",
    "date": date(2030, 6, 20),
    "at": datetime(2030, 6, 15, 9, 0),
    "opens": time(9, 30),
    "stay": timedelta(days=3),
    "price": Decimal("19.90"),
    "flight": {"price": 80, "class": "business", "stops": [{"city": "Paris"}, {"city": "Rome"}]},
    "tags": ["a", "b"],
    "ranks": ["gold", "silver", "bronze"],
    "nothing": [],
    "session": {"tier": "gold"},
    "from": "Lisbon",
    "_error": "timeout",
}


def value_of(text: str, **more: Any) -> Any:
    return parse_expression(text).evaluate({**SCOPE, **more}, NOW)


def error_in(text: str) -> ExpressionError:
    with pytest.raises(ExpressionError) as caught:
        parse_expression(text)
    return caught.value


def failure_of(text: str, **more: Any) -> ExpressionError:
    expression = parse_expression(text)
    with pytest.raises(ExpressionError) as caught:
        expression.evaluate({**SCOPE, **more}, NOW)
    return caught.value


def check(text: str, expected: Any) -> None:
    value = value_of(text)
    assert value == expected
    assert type(value) is type(expected)


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("today()", date(2030, 6, 15)),
        ("now()", NOW),
        ("date('2030-01-02')", date(2030, 1, 2)),
        ("date(at)", date(2030, 6, 15)),
        ("date(date)", date(2030, 6, 20)),
        ("days(2)", timedelta(days=2)),
        ("hours(2)", timedelta(hours=2)),
        ("minutes(90)", timedelta(hours=1.5)),
        ("days_between(today(), '2030-06-18')", 3),
        ("len(city)", 6),
        ("len(tags)", 2),
        ("len(session)", 1),
        ("lower(city)", "madrid"),
        ("upper(city)", "MADRID"),
        ("trim(' a ')", "a"),
        ("contains(city, 'dri')", True),
        ("contains(tags, 'z')", False),
        ("starts_with(city, 'Mad')", True),
        ("ends_with(city, 'x')", False),
        ("abs(-3)", 3),
        ("round(2.5)", 3),
        ("round(-2.5)", -3),
        ("round(2.675, 2)", 2.68),
        ("round(price / 3, 2)", Decimal("6.63")),
        ("round(0.1234567890125, 12)", 0.123456789013),
        ("round(1000000000000000000, 12)", 1e18),
        ("round(1e27, 12)", 1e27),
        ("min(3, 1, 2)", 1),
        ("min(7)", 7),
        ("max(3, 1, 2)", 3),
        ("max([3, 1, 2])", 3),
        ("max(date, '2030-01-01')", date(2030, 6, 20)),
        ("min([])", None),
        ("sum([1, 2.5])", 3.5),
        ("sum([])", 0),
        ("int('42')", 42),
        ("int(3.9)", 3),
        ("float(' 1.5 ')", 1.5),
        ("float('1e3')", 1000.0),
        ("float('1E3')", 1000.0),
        ("float(2)", 2.0),
        ("str(4 / 2)", "2"),
        ("str(0.5)", "0.5"),
        ("str(true)", "true"),
        ("str(false)", "false"),
        ("str(date)", "2030-06-20"),
        ("str(city)", "Madrid"),
        ("empty(unset)", True),
        ("empty(blank)", True),
        ("empty(nothing)", True),
        ("empty(zero)", False),
        ("coalesce(unset, zero, 5)", 0),
        ("coalesce(unset)", None),
    ],
)
def test_the_listed_functions_answer(text: str, expected: Any) -> None:
    check(text, expected)


@pytest.mark.parametrize(
    "text",
    [
        "len(unset)",
        "lower(unset)",
        "days(unset)",
        "min(1, unset)",
        "max([1, null])",
        "sum(unset)",
        "contains(unset, 'a')",
        "days_between(unset, today())",
        "round(unset, 2)",
        "str(unset)",
    ],
)
def test_a_function_given_null_answers_null(text: str) -> None:
    assert value_of(text) is None


def test_every_function_is_documented_and_the_list_cannot_be_changed() -> None:
    assert all(name == function.name and function.doc for name, function in FUNCTIONS.items())
    with pytest.raises(TypeError):
        FUNCTIONS["more"] = FUNCTIONS["len"]  # type: ignore[index]
    assert isinstance(FUNCTIONS["len"], Function)


def test_arithmetic_with_an_unset_name_is_an_error_that_proposes_a_value() -> None:
    failure = failure_of("amount > 3 and unset + 1")
    assert failure.reason == "`+` cannot combine null with number"
    assert failure.remedy == "give an unset name a value: coalesce(name, 0)"
    assert failure.offset == len("amount > 3 and ")
    assert value_of("coalesce(unset, 0) + 1") == 1


@pytest.mark.parametrize("text", ["date(secret)", "int(secret)", "opens > secret", "secret < 1"])
def test_an_error_never_quotes_a_users_value(text: str) -> None:
    failure = failure_of(text, secret="my-password")
    assert "my-password" not in str(failure)
    assert failure.__cause__ is None
    assert failure.__context__ is None or failure.__suppress_context__


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


def test_an_unknown_function_lists_those_there_are() -> None:
    error = error_in("eval('1')")
    assert error.reason == "there is no function eval()"
    assert all(name in (error.remedy or "") for name in FUNCTIONS)


@pytest.mark.parametrize(
    "text",
    [
        "lambda: 1",
        "[x for x in y]",
        "[*a]",
        "len(*a)",
        "min(**a)",
        "(a := 1)",
        "{1}",
        "{'a': 1}",
        "f(x)(y)",
        "(len)(a)(b)",
        "`a`",
        "a; b",
        "...",
        "~a",
        "+a",
        "a @ b",
        "a << 1",
        "yield a",
        "await a",
        "a if b",
        "b'x'",
        "print(1)",
        "().__class__",
        "''.join(a)",
        "a.b.__init__",
    ],
)
def test_what_is_not_listed_is_refused(text: str) -> None:
    assert str(error_in(text))


@pytest.mark.parametrize(
    "text",
    [
        "(" * 500,
        "(" * 400 + "1" + ")" * 400,
        "(" * 31 + "1" + ")" * 31,
        "[" * 31 + "]" * 31,
        "-" * 999 + "1",
        "not " * 240 + "a",
        "a" + ".a" * 490,
        "a" + "[0]" * 300,
        "1" + "+1" * 400,
        "abs(" * 100 + "1" + ")" * 100,
        "1 if a else " * 60 + "2",
        "9" * 1_000,
        "1" * 400,
        "-" + "9" * 400,
        "x" * 10_000_000,
        "(" * 10_000_000,
        "a\x00b",
        "'\ud800'",
        "\ud800",
        "\\\n1",
        "\ufeff",
        "é" * 1_000,
    ],
    ids=range(22),
)
def test_a_hostile_text_is_refused_and_nothing_else_happens(text: str) -> None:
    error = error_in(text)
    assert error.offset is not None and 0 <= error.offset <= 1_000
    assert len(str(error)) < 500


def test_thirty_levels_and_a_thousand_characters_are_allowed() -> None:
    assert value_of("(" * 30 + "1" + ")" * 30) == 1
    assert value_of("abs(" * 29 + "1" + ")" * 29) == 1
    assert value_of(f"'{'x' * 998}'") == "x" * 998


def test_an_expression_knows_the_names_and_functions_it_reads() -> None:
    expression = parse_expression("flight.price > limit and session.tier in lower(tier) or true")
    assert expression.text == "flight.price > limit and session.tier in lower(tier) or true"
    assert expression.names == {"flight", "limit", "session", "tier"}
    assert expression.functions == {"lower"}
    assert parse_expression("date(date) > today()").names == {"date"}


def test_an_expression_is_fixed_and_is_parsed_once() -> None:
    text = "amount > 10 and flight.price < 90"
    expression = parse_expression(text)
    assert parse_expression(text) is expression
    assert pickle.loads(pickle.dumps(expression)) == expression
    with pytest.raises(AttributeError):
        expression.text = "other"  # type: ignore[misc]


def test_a_list_in_an_expression_is_new_each_time() -> None:
    expression = parse_expression("[1]")
    expression.evaluate({}, NOW).append(2)
    assert expression.evaluate({}, NOW) == [1]


@pytest.mark.parametrize("text", ["{{ amount + 1 }}", "  {{amount+1}} \n", "{{\namount\n+ 1}}"])
def test_a_value_in_double_braces_is_computed(text: str) -> None:
    assert is_expression(text)
    expression = parse_braced(text)
    assert isinstance(expression, Expression)
    assert expression.evaluate(SCOPE, NOW) == 13


@pytest.mark.parametrize(
    "value", ["amount", "{amount}", "{{ a", "a }}", "{{}", 3, None, ["{{ a }}"]]
)
def test_any_other_value_is_a_literal(value: object) -> None:
    assert not is_expression(value)
    if isinstance(value, str):
        with pytest.raises(ExpressionError, match="not an expression in braces"):
            parse_braced(value)


@pytest.mark.parametrize(
    ("text", "offset"), [(" {{ a = 1 }}", 6), ("{{ a }} and {{ b }}", 5), ("{{}}", 2)]
)
def test_a_mistake_in_braces_is_placed_in_the_whole_value(text: str, offset: int) -> None:
    assert is_expression(text)
    with pytest.raises(ExpressionError) as caught:
        parse_braced(text)
    assert caught.value.offset == offset


PIECES = st.sampled_from(
    [
        "a",
        "b.c",
        "a[0]",
        "b['c']",
        "1",
        "2.5",
        "0",
        "-",
        "+",
        "*",
        "/",
        "//",
        "%",
        "(",
        ")",
        "[",
        "]",
    ]
    + [",", "<", "<=", "==", "!=", "in", "not", "and", "or", "if", "else", "null", "true", "'x'"]
    + ["'2030-01-01'", "now()", "class", "=", "'", '"', "\\", "{", "**", "lambda", "1e999", "_"]
    + [f"{name}(" for name in FUNCTIONS]
)
NUMBERS = st.integers() | st.floats() | st.decimals()
SCALARS = (
    st.none()
    | st.booleans()
    | NUMBERS
    | st.text(max_size=5)
    | st.dates()
    | st.datetimes(timezones=st.none() | st.just(UTC))
    | st.times()
    | st.timedeltas()
    | st.sampled_from(["2030-01-01", "10:00", "7", "1e400"])
)
DATA = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["c", "d", "0"]), inner, max_size=3)
    ),
    max_leaves=6,
)
OPERATION = st.sampled_from(
    [f"a {op} b" for op in (*ARITHMETIC, *ORDERINGS, "==", "!=", "in", "and", "or")]
    + ["a not in b", "-a", "not a", "a if b else a", "a.c < b", "a[0] + b[-1]"]
    + ["[a, b]", "max([a, b])", "sum([a, b])", "round(a, b)", "a < b < 3", "a - '2030-01-01'"]
    + [
        f"{function.name}({', '.join(['a', 'b', 'a'][:count])})"
        for function in FUNCTIONS.values()
        for count in range(
            function.least, min(2 if function.most is None else function.most, 2) + 1
        )
    ]
)


@given(st.text() | st.lists(PIECES, max_size=12).map(" ".join))
@example("1if 1 else 2")
@example("'\\8'")
def test_any_text_is_an_expression_or_an_expression_error(text: str) -> None:
    try:
        expression = parse_expression(text)
    except ExpressionError as error:
        assert error.offset is not None and 0 <= error.offset <= len(text)
    else:
        assert expression.text == text


@given(OPERATION, DATA, DATA)
@example("a == b", Decimal("sNaN"), 1.5)
@example("abs(a)", 10**400, None)
@example("str(a)", 10**4000, None)
@example("a + b", 10**400, 1.5)
@example("a < b", datetime.max.replace(tzinfo=UTC), datetime.min)
def test_any_values_give_an_answer_or_an_expression_error(text: str, a: Any, b: Any) -> None:
    expression = parse_expression(text)
    scope = {"a": a, "b": b}
    before = copy.deepcopy(scope)
    try:
        expression.evaluate(scope, NOW)
    except ExpressionError as error:
        assert error.offset is not None
        assert "==" not in text and "!=" not in text
    assert repr(scope) == repr(before)
