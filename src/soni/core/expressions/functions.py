"""The functions an expression may call: these and no others."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from types import MappingProxyType
from typing import Any, Final

from soni.core.expressions.values import (
    ExpressionError,
    combine_values,
    compare_order,
    contains,
    describe_kind,
    is_number,
    require_bounded,
    to_moment,
)


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the expression language."""

    name: str
    doc: str
    least: int
    most: int | None
    body: Callable[..., Any]
    reads_clock: bool = False
    takes_null: bool = False

    def call(self, arguments: list[Any], now: datetime) -> Any:
        """The result; null for a null argument, unless the function takes null."""
        if not self.takes_null and any(argument is None for argument in arguments):
            return None
        return require_bounded(self.body(now) if self.reads_clock else self.body(*arguments))

    @property
    def takes(self) -> str:
        """The number of arguments, in words for an error."""
        if self.most is None:
            return f"{self.least} or more"
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


def _require_number(value: Any) -> int | float | Decimal:
    if not is_number(value):
        raise ExpressionError(f"a number is needed here, and this is {describe_kind(value)}")
    require_bounded(value)
    return value


def _require_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ExpressionError(
            f"a text is needed here, and this is {describe_kind(value)}", remedy="use str(...)"
        )
    return value


def _measure_length(value: Any) -> int:
    if not isinstance(value, str | list | dict):
        raise ExpressionError(
            f"{describe_kind(value)} has no length", remedy="use a text or a list"
        )
    return len(value)


def _starts_with(text: Any, start: Any) -> bool:
    return _require_text(text).startswith(_require_text(start))


def _ends_with(text: Any, end: Any) -> bool:
    return _require_text(text).endswith(_require_text(end))


def _round(value: Any, digits: Any = 0) -> Any:
    if not (is_number(digits) and digits in range(13)):
        raise ExpressionError("round keeps a whole number of digits from 0 to 12")
    # Half up, on the number as it is written: people expect 3 from round(2.5).
    exact = Decimal(str(_require_number(value))).quantize(
        Decimal(1).scaleb(-int(digits)), ROUND_HALF_UP, Context(prec=40)
    )
    if digits == 0:
        return int(exact)
    return exact if isinstance(value, Decimal) else float(exact)


def _find_extreme(symbol: str, values: tuple[Any, ...]) -> Any:
    items = values[0] if len(values) == 1 and isinstance(values[0], list) else values
    best = items[0] if items else None
    for item in items:
        if item is None:
            return None
        if compare_order(symbol, item, best):
            best = item
    return best


def _min(*values: Any) -> Any:
    return _find_extreme("<", values)


def _max(*values: Any) -> Any:
    return _find_extreme(">", values)


def _sum(items: Any) -> Any:
    if not isinstance(items, list):
        raise ExpressionError(f"sum needs a list of numbers, and this is {describe_kind(items)}")
    total: Any = 0
    for item in items:
        total = combine_values("+", total, item)
    return total


def _count_days(first: Any, last: Any) -> int:
    return (to_moment(last).date() - to_moment(first).date()).days


def _make_span(unit: str, count: Any) -> timedelta:
    return timedelta(**{unit: float(_require_number(count))})


def _match_number_text(value: Any, pattern: str) -> Any:
    if isinstance(value, str) and re.fullmatch(pattern, value.strip()):
        return value.strip()
    return _require_number(value)


def _int(value: Any) -> int:
    return int(_match_number_text(value, r"[+-]?[0-9]{1,19}"))


def _float(value: Any) -> float:
    return float(
        _match_number_text(value, r"[+-]?[0-9]{1,400}(\.[0-9]{1,400})?([eE][+-]?[0-9]{1,3})?")
    )


def _convert_to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date | time):
        return value.isoformat()
    if is_number(value):
        # As people write it: 4 / 2 is 2, not 2.0.
        return str(_require_number(value)).removesuffix(".0")
    if isinstance(value, str):
        return value
    raise ExpressionError(
        f"{describe_kind(value)} has no text form", remedy="name one of its parts"
    )


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)


def _coalesce(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


_ALL_FUNCTIONS: Final = (
    Function("today", "the date of this turn", 0, 0, lambda now: now.date(), reads_clock=True),
    Function("now", "the moment of this turn", 0, 0, lambda now: now, reads_clock=True),
    Function("date", "the date in an ISO text or a moment", 1, 1, lambda x: to_moment(x).date()),
    Function("days", "a duration of n days", 1, 1, lambda n: _make_span("days", n)),
    Function("hours", "a duration of n hours", 1, 1, lambda n: _make_span("hours", n)),
    Function("minutes", "a duration of n minutes", 1, 1, lambda n: _make_span("minutes", n)),
    Function("days_between", "the days from one date to another", 2, 2, _count_days),
    Function("len", "the length of a text, list or object", 1, 1, _measure_length),
    Function("lower", "a text in lower case", 1, 1, lambda s: _require_text(s).lower()),
    Function("upper", "a text in upper case", 1, 1, lambda s: _require_text(s).upper()),
    Function(
        "trim", "a text without the space around it", 1, 1, lambda s: _require_text(s).strip()
    ),
    Function("contains", "whether a text, list or object contains something", 2, 2, contains),
    Function("starts_with", "whether a text starts with another", 2, 2, _starts_with),
    Function("ends_with", "whether a text ends with another", 2, 2, _ends_with),
    Function("abs", "a number without its sign", 1, 1, lambda n: abs(_require_number(n))),
    Function("round", "a number with so many digits, halves rounded up", 1, 2, _round),
    Function("min", "the least of the arguments, or of one list", 1, None, _min),
    Function("max", "the greatest of the arguments, or of one list", 1, None, _max),
    Function("sum", "the sum of a list of numbers", 1, 1, _sum),
    Function("int", "a number or a text of digits as a whole number", 1, 1, _int),
    Function("float", "a number or a text of digits as a number", 1, 1, _float),
    Function("str", "a number, date or boolean as a text", 1, 1, _convert_to_text),
    Function(
        "empty", 'whether a value is null, "" or has no items', 1, 1, _is_empty, takes_null=True
    ),
    Function("coalesce", "the first value that is not null", 1, None, _coalesce, takes_null=True),
)

FUNCTIONS: Final[Mapping[str, Function]] = MappingProxyType(
    {function.name: function for function in _ALL_FUNCTIONS}
)
