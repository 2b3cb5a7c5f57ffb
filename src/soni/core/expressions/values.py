"""How values compare and combine: the meaning of the operators."""

import math
import operator
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, TypeGuard, TypeVar

from soni.core.errors import NotationError


class ExpressionError(NotationError):
    """An expression that cannot be read or evaluated.

    The reason never quotes a value, since values come from users.
    """


MAX_NUMBER: Final = 10**18
MAX_SIZE: Final = 10_000
MAX_DEPTH: Final = 30

_Moment = TypeVar("_Moment", datetime, time)

ORDERINGS: Final = MappingProxyType(
    {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
)
ARITHMETIC: Final = MappingProxyType(
    {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": operator.truediv,
        "//": operator.floordiv,
        "%": operator.mod,
    }
)
_KINDS: Final[tuple[tuple[Any, str], ...]] = (
    (bool, "boolean"),
    (int | float | Decimal, "number"),
    (str, "text"),
    (list, "list"),
    (dict, "object"),
    (datetime, "datetime"),
    (date, "date"),
    (time, "time"),
    (timedelta, "duration"),
)


def is_truthy(value: Any) -> bool:
    """Whether a condition holds: false, null, 0, "" and empty lists or objects do not."""
    return bool(value)


def describe_kind(value: Any) -> str:
    """The author's word for a value's type."""
    if value is None:
        return "null"
    return next((name for type_, name in _KINDS if isinstance(value, type_)), "unknown value")


def is_number(value: Any) -> TypeGuard[int | float | Decimal]:
    # A boolean is an int to Python; to an author `true + 1` is a mistake.
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def require_bounded(value: Any) -> Any:
    """The value itself, unless it is larger than an expression may make."""
    if is_number(value):
        if isinstance(value, float):
            fits = math.isfinite(value)
        else:
            finite = not isinstance(value, Decimal) or value.is_finite()
            fits = finite and -MAX_NUMBER <= value <= MAX_NUMBER
        if not fits:
            raise ExpressionError("the number is too large", remedy="stay within 10 to the 18th")
    elif isinstance(value, str | list) and len(value) > MAX_SIZE:
        raise ExpressionError(
            f"the {describe_kind(value)} is too long",
            remedy=f"stay within {MAX_SIZE:,} items or characters",
        )
    return value


def is_equal(left: Any, right: Any, depth: int = MAX_DEPTH) -> bool:
    """``==``, which never raises: values of different kinds are not equal."""
    if depth == 0:
        return False
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(
            is_equal(a, b, depth - 1) for a, b in zip(left, right, strict=True)
        )
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(
            is_equal(left[key], right[key], depth - 1) for key in left
        )
    try:
        pair = _make_comparable(left, right)
        return left is right if pair is None else bool(pair[0] == pair[1])
    except (ValueError, ArithmeticError):
        return False


def compare_order(symbol: str, left: Any, right: Any) -> bool:
    """``<``, ``<=``, ``>`` and ``>=``: false against null, an error between unlike kinds."""
    if left is None or right is None:
        return False
    pair = _make_comparable(left, right)
    if pair is None or isinstance(left, bool):
        raise ExpressionError(
            f"`{symbol}` cannot compare {describe_kind(left)} with {describe_kind(right)}",
            remedy="compare numbers, texts, dates, times or durations with their own kind",
        )
    return bool(ORDERINGS[symbol](*pair))


def contains(container: Any, item: Any) -> bool:
    """``in``: an item of a list, a part of a text, a key of an object; nothing is in null."""
    if container is None:
        return False
    if isinstance(container, list | dict):
        return any(is_equal(item, element) for element in container)
    if isinstance(container, str) and (item is None or isinstance(item, str)):
        return item is not None and item in container
    raise ExpressionError(
        f"{describe_kind(item)} cannot be looked for in {describe_kind(container)}",
        remedy="look in a list, an object, or for a text in a text",
    )


def combine_values(symbol: str, left: Any, right: Any) -> Any:
    """Arithmetic on numbers, joining of texts and lists, moving of dates by durations."""
    if is_number(left) and is_number(right):
        if symbol in ("/", "//", "%") and right == 0:
            raise ExpressionError("division by zero", remedy="test the divisor first")
        return require_bounded(ARITHMETIC[symbol](*_align_numbers(left, right)))
    may_join = isinstance(left, str | list) and describe_kind(left) == describe_kind(right)
    if symbol == "+" and may_join:
        return require_bounded(left + right)
    moved = _shift_time(symbol, left, right)
    if moved is None:
        null = left is None or right is None
        raise ExpressionError(
            f"`{symbol}` cannot combine {describe_kind(left)} with {describe_kind(right)}",
            remedy="give an unset name a value: coalesce(name, 0)" if null else None,
        )
    return moved


def negate(value: Any) -> Any:
    if not is_number(value):
        raise ExpressionError(f"`-` needs a number and got {describe_kind(value)}")
    return require_bounded(-value)


def to_moment(value: Any) -> datetime:
    """A date, a datetime or an ISO text as a datetime; a date is its midnight."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    return _parse_iso(datetime, value, "date", "2030-12-31")


def _to_time(value: Any) -> time:
    return value if isinstance(value, time) else _parse_iso(time, value, "time", "18:30")


def _parse_iso(type_: type[_Moment], value: Any, noun: str, example: str) -> _Moment:
    if isinstance(value, str):
        # The original error quotes the text, which comes from a user.
        with suppress(ValueError):
            return type_.fromisoformat(value)
    raise ExpressionError(
        f"{describe_kind(value)} is not a {noun}", remedy=f'write it like "{example}"'
    )


def _make_comparable(left: Any, right: Any) -> tuple[Any, Any] | None:
    """Both values as one kind, or None when they have none in common."""
    if is_number(left) and is_number(right):
        return _align_numbers(left, right)
    either = (left, right)
    if any(isinstance(value, date) for value in either):
        if all(isinstance(value, date | str) for value in either):
            return _align_zones(to_moment(left), to_moment(right))
    elif any(isinstance(value, time) for value in either):
        if all(isinstance(value, time | str) for value in either):
            return _align_zones(_to_time(left), _to_time(right))
    elif any(
        isinstance(left, type_) and isinstance(right, type_) for type_ in (str, timedelta, bool)
    ):
        return either
    return None


def _align_numbers(
    left: int | float | Decimal, right: int | float | Decimal
) -> tuple[int | float | Decimal, int | float | Decimal]:
    # Python cannot add a float to a Decimal. Converted by its text, 0.1 stays 0.1.
    if isinstance(left, Decimal) and isinstance(right, float):
        return left, Decimal(str(right))
    if isinstance(left, float) and isinstance(right, Decimal):
        return Decimal(str(left)), right
    return left, right


def _align_zones(left: Any, right: Any) -> tuple[Any, Any]:
    """A moment written without a zone is meant in the zone of the other."""
    if left.tzinfo is None:
        return left.replace(tzinfo=right.tzinfo), right
    if right.tzinfo is None:
        return left, right.replace(tzinfo=left.tzinfo)
    return left, right


def _shift_time(symbol: str, left: Any, right: Any) -> Any:
    """``+`` and ``-`` with dates and durations; None for anything else."""
    if symbol not in ("+", "-"):
        return None
    if isinstance(right, timedelta) and isinstance(left, date | timedelta):
        if describe_kind(left) == "date" and right % timedelta(days=1):
            raise ExpressionError(
                "a date moves by whole days only", remedy="use days(n), or now() for a moment"
            )
        return ARITHMETIC[symbol](left, right)
    if symbol == "+" and isinstance(left, timedelta) and isinstance(right, date):
        return _shift_time(symbol, right, left)
    if symbol == "-" and isinstance(left, date) and isinstance(right, date):
        return operator.sub(*_align_zones(to_moment(left), to_moment(right)))
    return None
