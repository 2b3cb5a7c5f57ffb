"""Conditions and ``{{ }}`` values: a small, closed language over plain data.

An unset name is null. ``== null`` tests for it. Ordering against null is false. A function given
null returns null, except ``coalesce`` and ``empty``. Arithmetic with null is an error, because a
sum over a missing value is a mistake.
"""

from soni.core.expressions.functions import FUNCTIONS, Function
from soni.core.expressions.parse import Expression, is_expression, parse_braced, parse_expression
from soni.core.expressions.values import ExpressionError, is_truthy

__all__ = [
    "FUNCTIONS",
    "Expression",
    "ExpressionError",
    "Function",
    "is_expression",
    "is_truthy",
    "parse_braced",
    "parse_expression",
]
