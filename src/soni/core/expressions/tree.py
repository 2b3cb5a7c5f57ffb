"""The parsed form of an expression: immutable nodes that evaluate themselves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from soni.core.expressions.functions import Function
from soni.core.expressions.values import (
    ORDERINGS,
    ExpressionError,
    combine_values,
    compare_order,
    contains,
    is_equal,
    is_truthy,
    negate,
)
from soni.core.paths import walk_path


@dataclass(frozen=True, slots=True)
class Environment:
    """What an evaluation may read: the values in scope and the time of the turn."""

    scope: Mapping[str, Any]
    now: datetime


class Node(Protocol):
    def evaluate(self, moment: Environment) -> Any: ...


@dataclass(frozen=True, slots=True)
class Literal:
    value: Any

    def evaluate(self, moment: Environment) -> Any:
        return self.value


@dataclass(frozen=True, slots=True)
class Path:
    root: str
    parts: tuple[str, ...]

    def evaluate(self, moment: Environment) -> Any:
        return walk_path(moment.scope.get(self.root), self.parts)


@dataclass(frozen=True, slots=True)
class Items:
    items: tuple[Node, ...]

    def evaluate(self, moment: Environment) -> Any:
        return [item.evaluate(moment) for item in self.items]


@dataclass(frozen=True, slots=True)
class Not:
    operand: Node

    def evaluate(self, moment: Environment) -> Any:
        return not is_truthy(self.operand.evaluate(moment))


@dataclass(frozen=True, slots=True)
class Negative:
    operand: Node
    offset: int

    def evaluate(self, moment: Environment) -> Any:
        return _run_at(self.offset, negate, self.operand.evaluate(moment))


@dataclass(frozen=True, slots=True)
class Arithmetic:
    symbol: str
    left: Node
    right: Node
    offset: int

    def evaluate(self, moment: Environment) -> Any:
        left, right = self.left.evaluate(moment), self.right.evaluate(moment)
        return _run_at(self.offset, combine_values, self.symbol, left, right)


@dataclass(frozen=True, slots=True)
class Comparison:
    """``a < b <= c``: every neighbouring pair must hold; each value is evaluated once."""

    first: Node
    rest: tuple[tuple[str, Node], ...]
    offset: int

    def evaluate(self, moment: Environment) -> Any:
        left = self.first.evaluate(moment)
        for symbol, node in self.rest:
            right = node.evaluate(moment)
            if not _run_at(self.offset, _compare_values, symbol, left, right):
                return False
            left = right
        return True


@dataclass(frozen=True, slots=True)
class Logic:
    """``and`` / ``or``: returns the deciding operand, so ``nickname or name`` is a value."""

    stops_at: bool
    operands: tuple[Node, ...]

    def evaluate(self, moment: Environment) -> Any:
        value: Any = None
        for operand in self.operands:
            value = operand.evaluate(moment)
            if is_truthy(value) is self.stops_at:
                break
        return value


@dataclass(frozen=True, slots=True)
class Choice:
    test: Node
    then: Node
    otherwise: Node

    def evaluate(self, moment: Environment) -> Any:
        chosen = self.then if is_truthy(self.test.evaluate(moment)) else self.otherwise
        return chosen.evaluate(moment)


@dataclass(frozen=True, slots=True)
class Call:
    function: Function
    arguments: tuple[Node, ...]
    offset: int

    def evaluate(self, moment: Environment) -> Any:
        arguments = [argument.evaluate(moment) for argument in self.arguments]
        return _run_at(self.offset, self.function.call, arguments, moment.now)


def _compare_values(symbol: str, left: Any, right: Any) -> bool:
    if symbol in ORDERINGS:
        return compare_order(symbol, left, right)
    if symbol in ("==", "!="):
        return is_equal(left, right) is (symbol == "==")
    return contains(right, left) is (symbol == "in")


def _run_at(offset: int, operation: Callable[..., Any], *values: Any) -> Any:
    """Run an operation and locate its errors at this offset of the text."""
    try:
        return operation(*values)
    except ExpressionError as error:
        error.offset = offset
        raise
    except (ValueError, ArithmeticError):
        # Python's message may quote a user's value, so it is not shown.
        raise ExpressionError("a value is out of range", offset=offset) from None
