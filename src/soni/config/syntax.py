"""What is wrong with a text that is not YAML, in words for its author."""

import re
from typing import Final

from ruamel.yaml.error import MarkedYAMLError

from soni.config.positions import Mark, Source
from soni.core.errors import Problem

_QUOTE: Final = "put a text in quotes that holds `: ` or ` #`, or begins with { [ * & @ or the like"
_COMMA: Final = "write the ',' or close the bracket; put a text in quotes that begins with one"
_WHOLE: Final = "put the whole text in quotes; inside single quotes, write '' for '"
_INDENT: Final = "give the lines of one mapping or list the same indentation"

# (part of the parser's words, code, what they mean, what to do)
_WORDS: Final = (
    ("mapping values are not allowed", "E121", "a second ':' has no meaning here", _QUOTE),
    ("found character '\\t'", "E122", "a tab stands where only spaces may", "indent with spaces"),
    ("that cannot start any token", "E123", "a text cannot begin with this sign", _QUOTE),
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
    ("but found '<scalar>'", "E128", "the value has ended before this", _WHOLE),
    ("but found ','", "E128", "the value has ended before this", _WHOLE),
    (
        "'}', but got '<stream end>'",
        "E129",
        "this '{' is never closed",
        f"close it with }}; {_QUOTE}",
    ),
    (
        "']', but got '<stream end>'",
        "E129",
        "this '[' is never closed",
        f"close it with ]; {_QUOTE}",
    ),
    ("expected ',' or", "E129", "a ',' or the closing bracket is missing before this", _COMMA),
    (
        "expected the node content",
        "E129",
        "a value is missing here",
        "write it; close every [ and {",
    ),
    ("expected <block end>", "E130", "this line does not fit what is above it", _INDENT),
)


# As much of the parser's own words as is worth reading.
_SAID: Final = 100

# A line that is nothing but `key: value` has no mistake of its own.
_KEY: Final = re.compile(r"\s*(- )?[\w-]+")
_CONTINUED: Final = (
    "begin it at the column of the line above, and write a space behind the ':' of that line"
)


def in_words(error: MarkedYAMLError, source: Source) -> Problem:
    """The problem behind an error of the YAML parser."""
    said = str(error.problem or error.context or "")
    where = error.problem_mark or error.context_mark
    if ("end of stream" in said or "<stream end>" in said) and error.context_mark is not None:
        # The parser looks at the end of the file; the mistake is where something was opened.
        where = error.context_mark
    if said.startswith("could not find expected ':'") and error.context_mark is not None:
        where = error.context_mark
    start = where.index if where is not None else 0
    mark = Mark(source, start, start + 1)
    line, column = source.place(start)
    for words, code, meaning, remedy in _WORDS:
        if words in said and code == "E121" and _KEY.fullmatch(source.line(line)[: column - 1]):
            message = "this line is read as a part of the line above"
            return mark.problem(message, code="E130", remedy=_CONTINUED)
        if words in said:
            return mark.problem(meaning, code=code, remedy=remedy)
    return mark.problem(
        f"this is not YAML: {said[:_SAID]}", code="E120", remedy="write it otherwise"
    )
