"""Explains errors of the YAML parser, and resolves scalars by the YAML 1.2 core schema."""

import re
from typing import Any, Final

from ruamel.yaml.error import MarkedYAMLError

from soni.config.positions import Mark, Source
from soni.core.errors import Problem

_QUOTE_REMEDY: Final = (
    "put a text in quotes that holds `: ` or ` #`, or begins with { [ * & @ or the like"
)
_COMMA_REMEDY: Final = (
    "write the ',' or close the bracket; put a text in quotes that begins with one"
)
_WHOLE_REMEDY: Final = "put the whole text in quotes; inside single quotes, write '' for '"
_INDENT_REMEDY: Final = "give the lines of one mapping or list the same indentation"

# (part of the parser's words, code, what they mean, what to do)
_ERROR_MEANINGS: Final = (
    ("mapping values are not allowed", "E121", "a second ':' has no meaning here", _QUOTE_REMEDY),
    ("found character '\\t'", "E122", "a tab stands where only spaces may", "indent with spaces"),
    ("that cannot start any token", "E123", "a text cannot begin with this sign", _QUOTE_REMEDY),
    (
        "sequence entries are not allowed",
        "E124",
        "a list cannot begin here",
        "begin it on a line of its own, with `-`, or write [a, b]",
    ),
    ("found unexpected end of stream", "E125", "the quote is never closed", "close the quote"),
    (
        "unknown escape character",
        "E126",
        "this backslash means nothing in double quotes",
        r"write `\\` for a backslash, or use single quotes",
    ),
    (
        "could not find expected ':'",
        "E127",
        "the ':' after this key is missing",
        "write `key: value`",
    ),
    ("but found '<scalar>'", "E128", "the value has ended before this", _WHOLE_REMEDY),
    ("but found ','", "E128", "the value has ended before this", _WHOLE_REMEDY),
    (
        "'}', but got '<stream end>'",
        "E129",
        "this '{' is never closed",
        f"close it with }}; {_QUOTE_REMEDY}",
    ),
    (
        "']', but got '<stream end>'",
        "E129",
        "this '[' is never closed",
        f"close it with ]; {_QUOTE_REMEDY}",
    ),
    (
        "expected ',' or",
        "E129",
        "a ',' or the closing bracket is missing before this",
        _COMMA_REMEDY,
    ),
    (
        "expected the node content",
        "E129",
        "a value is missing here",
        "write it; close every [ and {",
    ),
    ("expected <block end>", "E130", "this line does not fit what is above it", _INDENT_REMEDY),
)

# The most characters of the parser's own message that are shown.
_MAX_QUOTED: Final = 100

# A line that is nothing but `key: value` has no mistake of its own.
_KEY: Final = re.compile(r"\s*(- )?[\w-]+")
_CONTINUED_REMEDY: Final = (
    "begin it at the column of the line above, and write a space behind the ':' of that line"
)

_NULL: Final = frozenset({"null", "Null", "NULL", "~", ""})
_BOOLEAN: Final = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER: Final = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT: Final = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"
    r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
_MAX_DIGITS: Final = 100


def describe_yaml_error(error: MarkedYAMLError, source: Source) -> Problem:
    """The problem behind an error of the YAML parser."""
    said = str(error.problem or error.context or "")
    where = error.problem_mark or error.context_mark
    at_end = "end of stream" in said or "<stream end>" in said
    if at_end or said.startswith("could not find expected ':'"):
        # The parser points further down; the mistake is where something was begun.
        where = error.context_mark or where
    start = where.index if where is not None else 0
    mark = Mark(source, start, start + 1)
    line, column = source.locate(start)
    for words, code, meaning, remedy in _ERROR_MEANINGS:
        if words in said and code == "E121" and _KEY.fullmatch(source.get_line(line)[: column - 1]):
            message = "this line is read as a part of the line above"
            return mark.make_problem(message, code="E130", remedy=_CONTINUED_REMEDY)
        if words in said:
            return mark.make_problem(meaning, code=code, remedy=remedy)
    message = f"this is not YAML: {said[:_MAX_QUOTED]}"
    return mark.make_problem(message, code="E120", remedy="write it otherwise")


def resolve_scalar(text: str, kind: str | None) -> Any:
    """The value of a scalar; `kind` is None for a plain word, else what its tag says.

    Raises `LookupError` for an unknown kind and `ValueError` for a text that is not of its kind.
    """
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError("half of a character cannot stand alone")
    if kind == "str":
        return text
    if kind is None:
        return _parse_scalar(text)
    if kind not in ("null", "bool", "int", "float"):
        raise LookupError(kind)
    value = _parse_scalar(text)
    if kind == "float" and type(value) is int:
        return float(value)
    found = {type(None): "null", bool: "bool", int: "int", float: "float"}.get(type(value))
    if found != kind:
        raise ValueError(f"'{text[:40]}' is not of the kind its tag '!!{kind}' says")
    return value


def _parse_scalar(text: str) -> Any:
    if text in _NULL:
        return None
    if text in _BOOLEAN:
        return _BOOLEAN[text]
    whole = _INTEGER.fullmatch(text)
    if whole is None and _FLOAT.fullmatch(text) is None:
        return text
    if len(text) > _MAX_DIGITS:
        raise ValueError("the number is too long")
    if whole is None:
        # Python writes `inf` where YAML writes `.inf`.
        return float(re.sub(r"\.(?=[in])", "", text.lower()))
    # Python reads a leading zero as a mistake where the schema reads a decimal number.
    return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
