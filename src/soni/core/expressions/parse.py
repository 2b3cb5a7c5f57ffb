"""Parses expressions with Python's parser and accepts only a strict list of constructs."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from soni.core.expressions import tree
from soni.core.expressions.reader import Reader
from soni.core.expressions.spelling import respell
from soni.core.expressions.values import ExpressionError


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed condition or computed value. Evaluating it has no side effects.

    parse_expression("amount > 10").evaluate({"amount": 12}, now)  # True
    """

    text: str
    names: frozenset[str]
    functions: frozenset[str]
    root: tree.Node = field(repr=False)

    def evaluate(self, scope: Mapping[str, Any], now: datetime) -> Any:
        """The value over these names at this time; raises ExpressionError and nothing else."""
        return self.root.evaluate(tree.Environment(scope, now))


@lru_cache(maxsize=2048)
def parse_expression(text: str) -> Expression:
    """Read an expression, or raise ExpressionError with the place and what to write instead."""
    return _parse_expression(text)


def _parse_expression(text: str) -> Expression:
    line = respell(text)
    body = line.strip()
    if not body:
        raise ExpressionError("the expression is empty", offset=0, remedy="write a condition")
    start = len(line) - len(line.lstrip())
    parsed = _parse_python(body, start)
    reader = Reader(body, start)
    root = reader.read(parsed)
    return Expression(str(text), frozenset(reader.names), frozenset(reader.functions), root)


def is_expression(value: object) -> bool:
    """Whether the whole value is written as ``{{ expression }}``."""
    if not isinstance(value, str):
        return False
    whole = value.strip()
    return len(whole) >= 4 and whole.startswith("{{") and whole.endswith("}}")


def parse_braced(text: str) -> Expression:
    """Read a value written as ``{{ expression }}``; offsets count from the start of the value."""
    if not is_expression(text):
        raise ExpressionError(
            "this is not an expression in braces", offset=0, remedy="write {{ expression }}"
        )
    start = text.index("{{") + 2
    try:
        return parse_expression(text[start : text.rindex("}}")])
    except ExpressionError as error:
        error.offset = start + (error.offset or 0)
        raise


def _parse_python(body: str, start: int) -> ast.expr:
    try:
        return ast.parse(body, mode="eval").body
    except SyntaxError as error:
        # Python's hints help authors; its bare "invalid syntax" does not.
        hint = "" if error.msg.startswith("invalid syntax") else f": {error.msg}"
        offset = start + min(max((error.offset or 1) - 1, 0), len(body))
    except (ValueError, MemoryError, RecursionError):
        hint, offset = "", start
    raise ExpressionError(
        f"the expression cannot be read here{hint}",
        offset=offset,
        remedy='write a condition such as `amount > 10 and city == "Madrid"`',
    )
