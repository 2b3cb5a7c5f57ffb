"""The core schema of YAML 1.2: which plain words are numbers, booleans or null."""

import re
from typing import Any, Final

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


def resolve(text: str, kind: str | None) -> Any:
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
