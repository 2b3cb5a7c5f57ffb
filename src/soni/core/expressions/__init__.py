"""Conditions and ``{{ }}`` values: a small, closed language over plain data.

One rule for unset names: an unset name is null; ``== null`` tells, ordering against null is
false, a function given null answers null (``coalesce`` and ``empty`` aside), and arithmetic
with null is an error, because a sum over a missing value is a mistake and not a number.
"""

from soni.core.expressions.functions import FUNCTIONS, Function
from soni.core.expressions.parse import (
    Expression,
    is_expression,
    parse_braced,
    parse_expression,
)
from soni.core.expressions.values import ExpressionError, truthy

__all__ = [
    "FUNCTIONS",
    "Expression",
    "ExpressionError",
    "Function",
    "is_expression",
    "parse_braced",
    "parse_expression",
    "truthy",
]
