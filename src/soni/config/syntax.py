"""What is wrong with a text that is not YAML, in words for its author."""

from typing import Final

from ruamel.yaml.error import MarkedYAMLError

from soni.config.positions import Mark, Source
from soni.core.errors import Problem

_QUOTE: Final = "put a text in quotes that holds `: ` or ` #`, or begins with { [ * & @ or the like"
_INDENT: Final = "give the lines of one mapping or list the same indentation"

# (part of the parser's words, what they mean, what to do)
_WORDS: Final = (
    ("mapping values are not allowed", "a second ':' has no meaning here", _QUOTE),
    ("found character '\\t'", "a tab stands where only spaces may", "indent with spaces"),
    ("that cannot start any token", "a text cannot begin with this sign", _QUOTE),
    (
        "sequence entries are not allowed",
        "a list cannot begin here",
        "begin it on a line of its own, with `-`, or write [a, b]",
    ),
    ("found unexpected end of stream", "the quote is never closed", "close the quote"),
    (
        "unknown escape character",
        "this backslash means nothing in double quotes",
        r"write `\\` for a backslash, or use single quotes",
    ),
    ("could not find expected ':'", "the ':' after this key is missing", "write `key: value`"),
    ("but found '<scalar>'", "the value has ended before this", f"{_QUOTE}; {_INDENT}"),
    ("but found ','", "the value has ended before this", _QUOTE),
    ("'}', but got '<stream end>'", "this '{' is never closed", f"close it with }}; {_QUOTE}"),
    ("']', but got '<stream end>'", "this '[' is never closed", f"close it with ]; {_QUOTE}"),
    ("expected ',' or", "a ',' or the closing bracket is missing before this", _QUOTE),
    ("expected the node content", "a value is missing here", "write it; close every [ and {"),
    ("expected <block end>", "this line does not fit what is above it", _INDENT),
)


def in_words(error: MarkedYAMLError, source: Source) -> Problem:
    """The problem behind an error of the YAML parser."""
    said = str(error.problem or error.context or "")
    where = error.problem_mark or error.context_mark
    if ("end of stream" in said or "<stream end>" in said) and error.context_mark is not None:
        # The parser looks at the end of the file; the mistake is where something was opened.
        where = error.context_mark
    start = where.index if where is not None else 0
    mark = Mark(source, start, start + 1)
    for words, meaning, remedy in _WORDS:
        if words in said:
            return mark.problem(meaning, remedy=remedy)
    return mark.problem(f"this is not YAML: {said}", remedy=_INDENT)
