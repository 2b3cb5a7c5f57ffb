"""Expressions, worked out over the values of one conversation."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest

from soni.core.expressions import ExpressionError, parse_expression

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
