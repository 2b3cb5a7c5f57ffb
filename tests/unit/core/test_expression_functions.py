"""The functions of expressions."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from soni.core.expressions import FUNCTIONS, Function
from tests.unit.core.evaluation import NOW, check, error_in, value_of


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


def test_an_unknown_function_lists_those_there_are() -> None:
    error = error_in("eval('1')")
    assert error.reason == "there is no function eval()"
    assert all(name in (error.remedy or "") for name in FUNCTIONS)
