"""Conditions and computed values, as an author writes them and as they are answered."""

from __future__ import annotations

import copy
import pickle
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from soni.core.expressions import (
    FUNCTIONS,
    Expression,
    ExpressionError,
    is_expression,
    parse_braced,
    parse_expression,
)
from soni.core.expressions.values import ARITHMETIC, ORDERINGS
from tests.unit.core.evaluation import NOW, SCOPE, error_in, failure_of, value_of


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
