"""Whether the time that a pattern takes grows faster than the text that it reads.

Measured, on texts that repeat what the pattern itself repeats: an analysis alone would not know
what its look-arounds rule out. The texts are made of the pattern, so they are always the same.
"""

import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from statistics import median
from typing import Any, Final

# The form in which `re` itself reads a pattern. It has no public name.
_parser: Any = import_module("re._parser")

_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_LOOKS: Final = ("ASSERT", "ASSERT_NOT")
_SILENT: Final = ("AT", "GROUPREF", *_LOOKS)
_SIGNS: Final = " a1,.-A'\n\"é_(:!?0$/#@"
_COMMON_PARTS: Final = ("a", " ", "1", ",", "-", ".", "(", "\n", "a ", "1 ", "a, ", "1,,", "A ")
# What no pattern ends with, so that all ways to read the text before it are tried.
_ENDS: Final = ("\x00", "\n.\x00")

_MAX_SAMPLES: Final = 40
_SAMPLES_OF_A_LOOP: Final = 4
_SHARED_WORDS: Final = 6

# What grows exponentially would never be done with a long text. So texts begin short and grow,
# until one takes a time that no short text is worth. Twice the text squares the ways to read it:
# what was quick is at worst slow then, and from there texts grow by small steps.
_FEWEST, _STEP = 8, 4
_QUICK_NS, _ENDLESS_NS = 50_000, 20_000_000
# The lengths of texts, and how many times as long the longer one may take. Four times the length
# take four times as long, or sixteen times where time grows with its square. What only seems slow
# over short texts, because a bounded repetition has not come to its end, is not so over the
# longest, which are as long as a message may be.
_SHORT, _SUSPECT = (100, 400), 5.5
_LONG, _MOST = (1000, 4000), 8.0
# Over long texts this would take minutes, and no bounded repetition grows so fast.
_HOPELESS: Final = 40.0
_RUNS, _TRIES = 3, 3

_Items = Sequence[tuple[Any, Any]]
_Reader = Callable[[str], object]
_Text = tuple[str, str]
"""What a text begins with, and what it repeats."""


@dataclass(frozen=True)
class SlowText:
    """A text over which a pattern takes too long."""

    start: str
    part: str
    """What it repeats."""

    growth: float
    """How many times as long a few times the text takes."""


def find_slow_text(pattern: re.Pattern[str], *, anywhere: bool) -> SlowText | None:
    """A text over which the time of a pattern grows faster than the text; None: there is none.

    `anywhere`: the pattern is looked for from every place of a text, and not only from its start.
    """
    items = list(_parser.parse(pattern.pattern, pattern.flags))
    if not _has_loop(items):
        return None

    # Nothing but the pattern may run while it is measured: under a tracer, a line of Python takes
    # longer than a short text, and hides how the time grows.
    read: _Reader = pattern.findall if anywhere else pattern.fullmatch
    for start, part in dict.fromkeys(_iter_texts(items)):
        for end in _ENDS:
            growth = _find_growth(read, _Repeated(start, part, end))
            if growth is not None:
                return SlowText(start, part, growth)
    return None


def looks_back(pattern: re.Pattern[str]) -> bool:
    """Whether a pattern asks what is before it, as one does that is looked for anywhere."""
    return _begins_behind(list(_parser.parse(pattern.pattern, pattern.flags)))


def _begins_behind(items: _Items) -> bool:
    if not items:
        return False
    op, given = str(items[0][0]), items[0][1]
    if op == "AT":
        return "BOUNDARY" in str(given)
    if op in _LOOKS:
        return bool(given[0] < 0)
    return any(map(_begins_behind, _iter_inner(op, given)))


@dataclass(frozen=True)
class _Repeated:
    start: str
    part: str
    end: str

    def repeat(self, times: int) -> str:
        return f"{self.start}{self.part * times}{self.end}"

    def fill(self, size: int) -> str:
        return self.repeat(max(2, size // len(self.part)))


def _find_growth(read: _Reader, text: _Repeated) -> float | None:
    """How many times as long a longer text takes, where that is too long."""
    if _is_endless(read, text):
        return math.inf
    growth = _measure_growth(read, *map(text.fill, _SHORT), most=_SUSPECT)
    if growth is None or growth > _HOPELESS:
        return growth
    return _measure_growth(read, *map(text.fill, _LONG), most=_MOST)


def _is_endless(read: _Reader, text: _Repeated) -> bool:
    times = _FEWEST
    while times * len(text.part) <= _SHORT[1]:
        taken = _measure_time(read, text.repeat(times))
        # A second look: something else may have run meanwhile.
        if taken > _ENDLESS_NS and _measure_time(read, text.repeat(times)) > _ENDLESS_NS:
            return True
        times += times if taken < _QUICK_NS else max(2, times // _STEP)
    return False


def _measure_growth(read: _Reader, short: str, long: str, *, most: float) -> float | None:
    read(short)
    growth = _measure_time(read, long) / _measure_time(read, short)
    for _ in range(_TRIES):
        if growth <= most:
            return None
        # Something else may have run meanwhile, and the clock of a thread may stumble. So the
        # quickest run of the longer text counts, and the one in the middle of the shorter.
        less = median(_measure_time(read, short) for _ in range(_RUNS))
        growth = min(_measure_time(read, long) for _ in range(_RUNS)) / less
    return growth if growth > most else None


def _measure_time(read: _Reader, text: str) -> int:
    began = time.thread_time_ns()
    read(text)
    return max(1, time.thread_time_ns() - began)


def _iter_texts(items: _Items) -> Iterator[_Text]:
    """Texts that repeat what a pattern repeats, behind what leads there and with it."""
    yield from (("", part) for part in _COMMON_PARTS)
    words: dict[str, set[str]] = {}
    for shortest in (False, True):
        loops: dict[str, list[str]] = {}
        for before, part in _iter_loops(items, "", shortest=shortest):
            loops.setdefault(before, []).append(part)
            words.setdefault(part.strip(), set()).add(before)
        for before, parts in loops.items():
            for part in islice(dict.fromkeys(parts), _SAMPLES_OF_A_LOOP):
                yield from ((before, part), ("", part), ("", before + part), (before, f" {part}"))
                yield "", f"{before} {part}"
    # Where two loops know the same word, either may read it.
    shared = (word for word, places in words.items() if len(word) > 1 and len(places) > 1)
    for word in islice(shared, _SHARED_WORDS):
        yield from ((min(words[word]), f"{word} "), (min(words[word]), f" {word}"))


def _iter_loops(items: _Items, before: str, *, shortest: bool) -> Iterator[_Text]:
    """What each endless repetition repeats, with a text that leads to it."""
    last = max((place for place, item in enumerate(items) if _has_loop([item])), default=-1)
    for place, (code, given) in enumerate(items[: last + 1]):
        op = str(code)
        if _is_endless_repeat(op, given):
            parts = [part for part in _sample(given[2]) if part]
            yield from ((before, part) for part in parts)
            # Between two repetitions what follows is read, in vain.
            for behind in _sample(items[place + 1 : place + 2])[:2] if parts else ():
                yield before + parts[0], behind + parts[0]
        for inner in _iter_inner(op, given):
            yield from _iter_loops(inner, before, shortest=shortest)
        before += _sample_shortest(op, given) if shortest else _take_first(_sample([(op, given)]))


def _has_loop(items: _Items) -> bool:
    """Whether parts of a pattern repeat something without end."""
    return any(
        _is_endless_repeat(str(code), given) or any(map(_has_loop, _iter_inner(str(code), given)))
        for code, given in items
    )


def _is_endless_repeat(op: str, given: Any) -> bool:
    return op in _REPEATS and bool(given[1] == _parser.MAXREPEAT)


def _iter_inner(op: str, given: Any) -> Iterable[_Items]:
    """The parts that a part of a pattern is made of."""
    if op in _REPEATS:
        return [list(given[2])]
    if op == "ATOMIC_GROUP":
        return [list(given)]
    if op == "SUBPATTERN":
        return [list(given[3])]
    if op == "BRANCH":
        return [list(branch) for branch in given[1]]
    return [list(given[1])] if op in _LOOKS else []


def _sample(items: Iterable[tuple[Any, Any]]) -> list[str]:
    """Some of the texts that parts of a pattern read, each in one thing unlike the first."""
    texts = [""]
    for code, given in items:
        options = _sample_one(str(code), given)
        if not options:
            return []
        first = [text + options[0] for text in texts]
        texts = list(dict.fromkeys([*first, *(texts[0] + each for each in options[1:])]))
        texts = texts[:_MAX_SAMPLES]
    return texts


def _sample_one(op: str, given: Any) -> list[str]:
    if op == "LITERAL":
        return [chr(given)]
    if op in _SILENT:
        return [""]
    if op in _REPEATS:
        parts = [part * max(1, given[0]) for part in _sample(given[2])]
        return parts if given[0] else [*parts, ""]
    if op in ("ATOMIC_GROUP", "SUBPATTERN", "BRANCH"):
        return [text for inner in _iter_inner(op, given) for text in _sample(inner)]
    read = (sign for sign in _SIGNS if _reads(op, given, sign))
    found = list(islice(read, _SAMPLES_OF_A_LOOP))
    if not found and op == "IN":
        found = [chr(told[0] if str(kind) == "RANGE" else told) for kind, told in given[:1]]
    return found


def _sample_shortest(op: str, given: Any) -> str:
    if op in _REPEATS and given[0] == 0:
        return ""
    if op in ("SUBPATTERN", "BRANCH"):
        inner = (
            "".join(_sample_shortest(str(code), told) for code, told in items)
            for items in _iter_inner(op, given)
        )
        return min(inner, key=len)
    return _take_first(_sample([(op, given)]))


def _take_first(texts: Sequence[str]) -> str:
    return texts[0] if texts else ""


def _reads(op: str, given: Any, sign: str) -> bool:
    """Whether a part that reads one sign reads this one."""
    if op == "IN":
        negated = str(given[0][0]) == "NEGATE"
        return negated != any(_reads(str(kind), told, sign) for kind, told in given[negated:])
    if op == "RANGE":
        return bool(given[0] <= ord(sign) <= given[1])
    if op == "CATEGORY":
        name = str(given).removeprefix("CATEGORY_")
        kind = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}[name.removeprefix("NOT_")]
        return (re.match(kind, sign) is None) == name.startswith("NOT_")
    if op == "ANY":
        return sign != "\n"
    return bool(given == ord(sign)) == (op == "LITERAL")
