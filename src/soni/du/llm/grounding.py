"""Grounding: a model's values are kept only if the message has words for them."""

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Any, Final

from soni.du.context import SlotBrief
from soni.du.llm.value_parts import find_same_part, is_readable, trim_words
from soni.slots import SlotEnv

_ELLIPSIS: Final = re.compile(r"(?:(?<!\s)\s+)?(?:\.\.\.|…)\s*")
_QUOTES: Final = str.maketrans("‘’“”", "''\"\"")  # noqa: RUF001
_CLOSING_SIGNS: Final = re.compile(r"[!?+#*\"')\]]+")
_NAME_SIGNS: Final = re.compile(r"[+#]+(?![\w+#])")

_LETTER: Final = (
    r"A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1e00-\u1eff"
    r"\u0370-\u0373\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u03ff\u1f00-\u1fff"
    r"\u0400-\u052f"
)
"""Latin, Greek and Cyrillic: other scripts write words without a space between them."""

_IS_LETTER: Final = re.compile(f"[{_LETTER}]")
_WORD_BEFORE: Final = f"(?<![{_LETTER}])"
_WORD_BEHIND: Final = rf"(?![{_LETTER}\u0300-\u036f])"
_WORD: Final = re.compile(r"\w\S*\w|\w")

_MIN_TYPO_LENGTH: Final = 5
"""Shorter words are other words as soon as one letter differs: "Rome", "home"."""

_MIN_SIMILARITY: Final = 0.8


def find_spoken_words(copy: str, message: str, slot: SlotBrief, env: SlotEnv) -> str | None:
    """The user's own words for a value that a model has copied; None if there are none."""
    words = find_copied_words(copy, message)
    if words is not None:
        return trim_words(words, slot, env)
    words = find_misspelt_words(copy, message)
    if not slot.kind.has_form:
        return words
    return find_same_part(copy, message, slot, env) or _correct_copy(copy, words, slot, env)


def _correct_copy(copy: str, words: str | None, slot: SlotBrief, env: SlotEnv) -> str | None:
    if words is None or is_readable(words, slot, env):
        # "Tuesday" is no misspelt "Thursday": words that the type can read are meant as they are.
        return words
    # "tomorow": the person's word has no value, the model's has the one that is meant.
    return copy if is_readable(copy, slot, env) else None


def find_misspelt_words(value: str, message: str) -> str | None:
    """The words of the message that are spelled almost like a value; None if there are none."""
    said = [(match.span(), _strip_word(match[0])) for match in _WORD.finditer(message)]
    meant = [_strip_word(match[0]) for match in _WORD.finditer(value)]
    words = [word for _, word in said]
    # "New York" for "newyork".
    for count in dict.fromkeys((len(meant), len(meant) - 1, len(meant) + 1)):
        for first in range(len(words) - count + 1) if meant and count > 0 else ():
            if _are_alike(words[first : first + count], meant):
                return message[said[first][0][0] : said[first + count - 1][0][1]]
    return None


def _are_alike(said: Sequence[str], meant: Sequence[str]) -> bool:
    if len(said) == len(meant):
        return all(map(_is_alike, said, meant))
    return "".join(said) == "".join(meant)


def _is_alike(said: str, meant: str) -> bool:
    if said == meant:
        return True
    # Nobody misspells digits: those are others.
    if min(len(said), len(meant)) < _MIN_TYPO_LENGTH or not (said + meant).isalpha():
        return False
    return SequenceMatcher(None, said, meant, autojunk=False).ratio() >= _MIN_SIMILARITY


def _strip_word(word: str) -> str:
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(sign for sign in parts if sign.isalnum())


_TEMPLATE_MARK: Final = re.compile(r"<(?=[^\W\d_]|[/|\uff5c])|\[(?=/?[A-Z_]{2,}\])")
"""How marks of chat templates begin: `<|im_end|>`, `</s>`, `[INST]`."""


def quote_json(value: Any, default: Callable[[Any], Any] = str) -> str:
    """JSON in which data can neither end its quotes nor look like a mark of a chat template.

    Some servers obey the marks of their template wherever they stand, so the first character
    of a mark is escaped. The JSON means the same.
    """
    text = json.dumps(value, ensure_ascii=False, default=default)
    return _TEMPLATE_MARK.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def find_copied_words(value: str, message: str) -> str | None:
    """The words of the message that a value copies; None if it copies none.

    Models change case and quotes and drop a last sign. They may shorten a long text to its
    beginning and end, with "..." between.
    """
    whole = message.strip()
    found = _find_span(value.strip(), whole)
    if found is None:
        return None
    start, end = found
    signs = _NAME_SIGNS.match(whole, end) if whole[end - 1].isalpha() else None
    # The "C" of "C++" is another language.
    end = signs.end() if signs else end
    if start == 0 and _CLOSING_SIGNS.fullmatch(whole[end:]):
        # A whole message, "Great!", keeps its last sign.
        return whole
    return whole[start:end]


def _find_span(value: str, message: str) -> tuple[int, int] | None:
    if not value:
        return None
    place = _find_words(value, message)
    if place is not None:
        return place
    # A value may have a gap of its own: "So... it never came ... it is gone".
    cuts = (
        _find_span_around_gap(value[: gap.start()], value[gap.end() :], message)
        for gap in _ELLIPSIS.finditer(value)
    )
    return next(filter(None, cuts), None)


def _find_span_around_gap(head: str, tail: str, message: str) -> tuple[int, int] | None:
    if not head or not tail:
        return None
    first, last = _find_words(head, message), _find_words(tail, message, last=True)
    return (first[0], last[1]) if first and last and first[1] <= last[0] else None


def _find_words(value: str, message: str, *, last: bool = False) -> tuple[int, int] | None:
    """The span of these words, ignoring case, spaces and the form of quotes."""
    words = value.translate(_QUOTES).split()
    # "4" is no part of "453", nor "1" of "1,000", nor "Ann" of "cannot".
    before = r"(?<!\d)(?<!\d[.,])" * value[0].isdigit()
    before += _WORD_BEFORE * bool(_IS_LETTER.match(value[0]))
    behind = r"(?![.,]?\d)" * value[-1].isdigit()
    behind += _WORD_BEHIND * bool(_IS_LETTER.match(value[-1]))
    pattern = re.compile(before + r"\s+".join(map(re.escape, words)) + behind, re.IGNORECASE)
    found = [match.span() for match in pattern.finditer(message.translate(_QUOTES))]
    if not found:
        return None
    exact = [span for span in found if message[slice(*span)] == value]
    return (exact or found)[-1 if last else 0]
