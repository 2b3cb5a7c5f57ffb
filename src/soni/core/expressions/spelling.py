"""Checks an expression's text before parsing and explains spellings of other languages."""

import keyword
import re
from types import MappingProxyType
from typing import Final

from soni.core.expressions.values import MAX_DEPTH, ExpressionError

MAX_TEXT: Final = 1_000

_GRAMMAR: Final = frozenset(
    {"and", "or", "not", "in", "if", "else", "is", "for", "lambda", "yield"}
    | {"True", "False", "None"}
)
_PLAIN_WORDS: Final = frozenset(keyword.kwlist) - _GRAMMAR

_TOKEN_PATTERN: Final = re.compile(
    r"""
      (?P<prefix> \b[bfrtuBFRTU]{1,2}(?=['"]) )
    | (?P<text>   '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" )
    | (?P<quote>  ['"] )
    | (?P<number> (?<!\w)[0-9]++(?:\.[0-9]*+)?+(?:[eE][+-]?[0-9]++)?+(?=[A-Za-z_]) )
    | (?P<word>   \b[A-Za-z]+\b )
    | (?P<open>   [(\[] )
    | (?P<close>  [)\]] )
    | (?P<space>  \s )
    | (?P<wrong>  ={3,} | !== | && | \|\| | => | =< | <> | !(?!=)
                | (?<![=!<>])=(?!=) | [#\\?{}] )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE: Final = re.compile(r"""\\(?:[\\'"nt]|(?P<wrong>.))""", re.DOTALL)

_REMEDIES: Final = MappingProxyType(
    {
        "=": "write `==` to compare",
        "!==": "write `!=`",
        "&&": "write `and`",
        "||": "write `or`",
        "!": "write `not`",
        "=>": "write `>=`",
        "=<": "write `<=`",
        "<>": "write `!=`",
        "?": "write `x if condition else y`",
        "#": "leave comments to the file around it",
        "\\": "write it on one line, or on several without `\\`",
        "{": "an expression has no braces inside; a value is one {{ expression }} and no more",
        "}": "an expression has no braces inside; a value is one {{ expression }} and no more",
    }
)


def respell(text: str) -> str:
    """The text for the parser, with unchanged offsets; raises ExpressionError for a mistake."""
    if len(text) > MAX_TEXT:
        raise ExpressionError(
            f"the expression has {len(text):,} characters and may have {MAX_TEXT:,}",
            offset=MAX_TEXT,
            remedy="split it over several steps, or compute it in an action",
        )
    characters = list(text)
    depth, text_end = 0, 0
    for token in _TOKEN_PATTERN.finditer(text):
        found, start = token.group(), token.start()
        match token.lastgroup:
            case "space":
                characters[start] = " "
            case "word" if found in _PLAIN_WORDS:
                # `flight.class` and a slot `from` are valid names here. With a full-width letter
                # the parser sees no keyword, and it normalises the letter afterwards.
                characters[start] = chr(ord(found[0]) + 0xFEE0)
            case "open":
                depth += 1
            case "close":
                depth -= 1
            case "text":
                _check_text(text, token, text_end)
                text_end = token.end()
            case "prefix" | "quote" | "number" | "wrong":
                raise _make_token_error(token)
        if depth > MAX_DEPTH:
            raise make_depth_error(start)
    return "".join(characters)


def make_depth_error(offset: int) -> ExpressionError:
    return ExpressionError(
        f"the expression is nested more than {MAX_DEPTH} deep",
        offset=offset,
        remedy="split it over several steps",
    )


def _check_text(text: str, token: re.Match[str], previous_end: int) -> None:
    start = token.start()
    if previous_end and not text[previous_end:start].strip():
        # Python would join them, so a forgotten comma would lose an item of a list.
        raise ExpressionError(
            "two texts stand side by side", offset=start, remedy="put `,` or `+` between them"
        )
    for escape in _ESCAPE.finditer(token.group()):
        if escape["wrong"]:
            raise ExpressionError(
                "this backslash means nothing in a text",
                offset=start + escape.start(),
                remedy=r"write `\\` for a backslash; `\n`, `\t` and quotes may follow one",
            )


def _make_token_error(token: re.Match[str]) -> ExpressionError:
    found = token.group()
    if token.lastgroup == "prefix":
        reason, remedy = f"`{found}` before a text", "write the text in quotes alone"
    elif token.lastgroup == "quote":
        reason, remedy = "the text is not closed", f"end it with {found}"
    elif token.lastgroup == "number":
        reason, remedy = "a number runs into a letter", "write numbers like 12, 12.5 or 1e3"
    else:
        reason = f"`{found}` is not part of an expression"
        remedy = _REMEDIES.get(found, _REMEDIES["="])
    return ExpressionError(reason, offset=token.start(), remedy=remedy)
