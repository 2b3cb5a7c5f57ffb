"""Converts Python's syntax tree to ours and refuses every construct not listed here."""

import ast
import difflib
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from soni.core.expressions import tree
from soni.core.expressions.functions import FUNCTIONS
from soni.core.expressions.spelling import make_depth_error
from soni.core.expressions.values import MAX_DEPTH, ExpressionError, require_bounded
from soni.core.paths import NAME_PATTERN, is_private

_CONSTANTS: Final = MappingProxyType({"true": True, "false": False, "null": None})
_ARITHMETIC: Final[Mapping[type[ast.AST], str]] = MappingProxyType(
    {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
)
_COMPARISONS: Final[Mapping[type[ast.AST], str]] = MappingProxyType(
    {
        ast.Eq: "==",
        ast.NotEq: "!=",
        ast.Lt: "<",
        ast.LtE: "<=",
        ast.Gt: ">",
        ast.GtE: ">=",
        ast.In: "in",
        ast.NotIn: "not in",
    }
)
_REFUSALS: Final[Mapping[type[ast.AST], tuple[str, str]]] = MappingProxyType(
    {
        ast.Tuple: ("values in round brackets", "write a list: [a, b]"),
        ast.Is: ("`is`", "write `==`, as in `name == null`"),
        ast.IsNot: ("`is not`", "write `!=`, as in `name != null`"),
        ast.BitAnd: ("`&`", "write `and`"),
        ast.BitOr: ("`|`", "write `or`"),
        ast.Pow: ("`**`", "multiply, or compute it in an action"),
    }
)


class Reader:
    """Reads one expression, and notes the names and functions in it."""

    def __init__(self, body: str, start: int) -> None:
        self.start = start
        self.names: set[str] = set()
        self.functions: set[str] = set()
        self._body = body.encode()

    def read(self, node: ast.expr, depth: int = 1) -> tree.Node:
        if depth > MAX_DEPTH:
            raise make_depth_error(self._find_offset(node))
        match node:
            case ast.Constant():
                return self._read_literal(node)
            case ast.Name(id=name) if name in _CONSTANTS:
                return tree.Literal(_CONSTANTS[name])
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return self._read_path(node)
            case ast.Call():
                return self._read_call(node, depth)
            case ast.List(elts=items):
                return tree.Items(self._read_all(items, depth))
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                return tree.Choice(*self._read_all([test, then, otherwise], depth))
            case ast.BoolOp(op=op, values=operands):
                return tree.Logic(isinstance(op, ast.Or), self._read_all(operands, depth))
            case _:
                return self._read_operation(node, depth)

    def _read_operation(self, node: ast.expr, depth: int) -> tree.Node:
        offset = self._find_offset(node)
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return tree.Not(self.read(operand, depth + 1))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return tree.Negative(self.read(operand, depth + 1), offset)
            case ast.BinOp(op=op, left=left, right=right):
                symbol = self._find_symbol(op, _ARITHMETIC, offset)
                first, second = self._read_all([left, right], depth)
                return tree.Arithmetic(symbol, first, second, offset)
            case ast.Compare(left=left, ops=ops, comparators=values):
                symbols = [self._find_symbol(op, _COMPARISONS, offset) for op in ops]
                rest = zip(symbols, self._read_all(values, depth), strict=True)
                return tree.Comparison(self.read(left, depth + 1), tuple(rest), offset)
        raise _refuse_node(node, offset)

    def _read_all(self, nodes: list[ast.expr], depth: int) -> tuple[tree.Node, ...]:
        return tuple(self.read(node, depth + 1) for node in nodes)

    def _find_symbol(self, op: ast.AST, listed: Mapping[type[ast.AST], str], offset: int) -> str:
        if type(op) not in listed:
            raise _refuse_node(op, offset)
        return listed[type(op)]

    def _read_literal(self, node: ast.Constant) -> tree.Node:
        if node.value is not None and not isinstance(node.value, bool | int | float | str):
            raise _refuse_node(node, self._find_offset(node))
        try:
            return tree.Literal(require_bounded(node.value))
        except ExpressionError as error:
            error.offset = self._find_offset(node)
            raise

    def _read_path(self, node: ast.expr) -> tree.Node:
        parts: list[str] = []
        inner = node
        while isinstance(inner, ast.Attribute | ast.Subscript):
            parts.append(self._read_part(inner))
            inner = inner.value
        if len(parts) > MAX_DEPTH:
            raise make_depth_error(self._find_offset(node))
        if not isinstance(inner, ast.Name) or inner.id in _CONSTANTS:
            raise self._make_error(
                inner,
                "only a name has parts",
                "set a slot to this value first, then name its parts",
            )
        self._check_name(inner.id, inner)
        self.names.add(inner.id)
        return tree.Path(inner.id, tuple(reversed(parts)))

    def _read_part(self, node: ast.Attribute | ast.Subscript) -> str:
        if isinstance(node, ast.Attribute):
            self._check_name(node.attr, node)
            return node.attr
        match node.slice:
            case ast.Constant(value=str(key)):
                self._check_public(key, node)
                return key
            case ast.Constant(value=int(index)) if not isinstance(index, bool):
                return str(index)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(index))) if (
                not isinstance(index, bool)
            ):
                return str(-index)
        remedy = 'write `flight["price"]` or `items[0]`'
        raise self._make_error(node.slice, "a part is named by a text or a whole number", remedy)

    def _read_call(self, node: ast.Call, depth: int) -> tree.Node:
        name = self._read_function_name(node.func)
        function = FUNCTIONS.get(name)
        if function is None:
            near = difflib.get_close_matches(name, FUNCTIONS)
            guess = f"did you mean {near[0]}()? " if near else ""
            remedy = f"{guess}there are {', '.join(sorted(FUNCTIONS))}"
            raise self._make_error(node, f"there is no function {name}()", remedy)
        count = len(node.args)
        most = count if function.most is None else function.most
        if node.keywords or not function.least <= count <= most:
            given = count + len(node.keywords)
            reason = f"{name}() takes {function.takes} plain arguments and has {given}"
            raise self._make_error(node, reason, f"{name}() is {function.doc}")
        self.functions.add(name)
        return tree.Call(function, self._read_all(node.args, depth), self._find_offset(node))

    def _read_function_name(self, called: ast.expr) -> str:
        if isinstance(called, ast.Name):
            return called.id
        listed = isinstance(called, ast.Attribute) and called.attr in FUNCTIONS
        example = called.attr if listed and isinstance(called, ast.Attribute) else "lower"
        remedy = f"write the function first, as in `{example}(name)`"
        raise self._make_error(called, "only the listed functions can be called", remedy)

    def _check_name(self, name: str, node: ast.expr) -> None:
        self._check_public(name, node)
        if re.fullmatch(NAME_PATTERN, name) is None:
            remedy = 'write other keys in quotes: `data["key"]`'
            raise self._make_error(node, "a name has letters a to z, digits and `_` only", remedy)

    def _check_public(self, name: str, node: ast.expr) -> None:
        if is_private(name):
            remedy = "of these only _error, _error_type and _error_message can be read"
            raise self._make_error(node, "names that begin with `_` are private", remedy)

    def _make_error(self, node: ast.expr, reason: str, remedy: str) -> ExpressionError:
        return ExpressionError(reason, offset=self._find_offset(node), remedy=remedy)

    def _find_offset(self, node: ast.expr) -> int:
        # The parser counts bytes, an author counts characters.
        return self.start + len(self._body[: node.col_offset].decode())


def _refuse_node(node: ast.AST, offset: int) -> ExpressionError:
    usual = "use names, values, lists, comparison, and/or/not, in, + - * / // % and functions"
    what, remedy = _REFUSALS.get(type(node), ("this", usual))
    return ExpressionError(f"{what} cannot be used in an expression", offset=offset, remedy=remedy)
