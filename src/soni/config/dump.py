"""Plain data to readable YAML text that parses back to the same data."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from soni.config.syntax import resolve_scalar

WIDTH: Final = 90
"""Longer lists and mappings are written as blocks."""

Path = tuple[str | int, ...]
_INDENT: Final = "  "

# Begins with a letter and has no sign that is special anywhere in YAML.
_BARE: Final = re.compile(r"[^\W_][\w .!?'()/%+@€$£;-]*(?<! )")
_ISO_MOMENT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+([+-][0-9:]+|Z)?)?")
# Outside of brackets a comma is an ordinary sign.
_BARE_ALONE: Final = re.compile(_BARE.pattern.replace("[\\w ", "[\\w, "))
# YAML 1.1, and so many an editor, reads these as booleans.
_OLD_BOOLEANS: Final = frozenset({"y", "n", "yes", "no", "on", "off"})
_BLOCK_LINE: Final = re.compile(r"(?! )[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]*(?<! )")
_ESCAPED: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


def dump_yaml(data: Any, opened: Callable[[Path], bool] = lambda path: False) -> str:
    """A document. Short lists and mappings stand on one line, unless `opened` says otherwise."""
    return "".join(f"{line}\n" for line in _BlockWriter(opened).write_lines(data, (), 0))


def format_inline(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        pairs = ", ".join(
            f"{format_scalar(str(key))}: {format_inline(each)}" for key, each in value.items()
        )
        return f"{{{pairs}}}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(format_inline, value))}]"
    return format_scalar(value)


def format_scalar(value: Any) -> str:
    """A scalar; texts that YAML would read as something else are quoted."""
    if isinstance(value, str):
        return value if _is_bare(value, _BARE) else _quote_text(value)
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return ".inf" if value > 0 else "-.inf"
    if isinstance(value, float) and value != value:
        return ".nan"
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)
    raise TypeError(f"{type(value).__name__} has no place in YAML here")


def _format_alone(value: Any) -> str:
    """A value at the end of its line."""
    bare = isinstance(value, str) and _is_bare(value, _BARE_ALONE)
    return value if bare else format_inline(value)


def _is_bare(text: str, signs: re.Pattern[str]) -> bool:
    if text.lower() in _OLD_BOOLEANS or not (signs.fullmatch(text) or _ISO_MOMENT.fullmatch(text)):
        return False
    try:
        return bool(resolve_scalar(text, None) == text)
    except ValueError:
        return False


def _quote_text(text: str) -> str:
    shown = json.dumps(text, ensure_ascii=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", shown)


class _BlockWriter:
    def __init__(self, opened: Callable[[Path], bool]) -> None:
        self._opened = opened

    def write_lines(self, value: Any, path: Path, depth: int) -> Iterator[str]:
        """The lines of a list or mapping in block style."""
        space = _INDENT * depth
        if isinstance(value, Mapping):
            for key, each in value.items():
                yield from self._write_entry(
                    f"{space}{format_scalar(str(key))}:", each, (*path, key), depth
                )
        elif isinstance(value, Sequence) and not isinstance(value, str):
            for index, each in enumerate(value):
                yield from self._write_item(each, (*path, index), depth)
        else:
            yield f"{space}{format_scalar(value)}"

    def _write_entry(self, before: str, value: Any, path: Path, depth: int) -> Iterator[str]:
        if isinstance(value, str) and _fits_block(value):
            yield f"{before} |-"
            yield from (f"{_INDENT * (depth + 1)}{line}" for line in value.split("\n"))
        elif self._needs_block(before, value, path):
            yield before
            yield from self.write_lines(value, path, depth + 1)
        else:
            yield f"{before} {_format_alone(value)}"

    def _write_item(self, value: Any, path: Path, depth: int) -> Iterator[str]:
        dash = f"{_INDENT * depth}-"
        if isinstance(value, Mapping) and value and self._fits_below(value, dash, path):
            first, *rest = self.write_lines(value, path, depth + 1)
            yield f"{dash} {first.lstrip(' ')}"
            yield from rest
        else:
            yield from self._write_entry(dash, value, path, depth)

    def _fits_below(self, value: Mapping[str, Any], dash: str, path: Path) -> bool:
        # `- Name: {..}` needs no braces around it.
        return len(value) == 1 or self._needs_block(dash, value, path)

    def _needs_block(self, before: str, value: Any, path: Path) -> bool:
        if isinstance(value, str) or not isinstance(value, Mapping | Sequence) or not value:
            return False
        too_long = len(before) + 1 + len(format_inline(value)) > WIDTH
        return too_long or self._opened(path) or _has_block(value)


def _has_block(value: Any) -> bool:
    if isinstance(value, str):
        return _fits_block(value)
    inner = value.values() if isinstance(value, Mapping) else value
    return isinstance(value, Mapping | Sequence) and any(map(_has_block, inner))


def _fits_block(text: str) -> bool:
    """Whether a text of several lines can be written as a literal block."""
    lines = text.split("\n")
    return len(lines) > 1 and all(lines) and all(map(_BLOCK_LINE.fullmatch, lines))
