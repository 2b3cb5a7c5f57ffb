"""Values in the middle of a sentence: whatever a slot's type takes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from soni.core.errors import Refusal
from soni.du.context import SlotBrief
from soni.du.local.values.counts import (
    count_company,
    holds_day_of_month,
    holds_party_size,
    parse_day_of_month,
    selects_by_ordinal,
)
from soni.du.local.values.days import (
    correct_day_words,
    find_past_day,
    iter_clock_readings,
    strip_contraction,
)
from soni.du.local.values.parts import (
    find_other_spans,
    holds_rate,
    is_no_length,
    is_of_rate,
    is_rate,
)
from soni.du.local.view import MessageEnv
from soni.du.local.words.units import find_counted_noun, is_unit
from soni.du.local.words.words import find_whole_words, normalise
from soni.language import Language
from soni.slots import SlotEnv, SlotType
from soni.slots.parsers.clock import split_clock
from soni.slots.parsers.days import read_day
from soni.slots.parsers.numbers import is_ambiguous_code, parse_words
from soni.slots.parsers.words import convert_number_words, tidy_text

# Groups of digits; "+44 (0)20 7946 0233", "07700 900 188", "555-0132".
_DIGIT_RUN: Final = re.compile(
    r"(?<![\w.,/:#$€£-])(?<!\d )(?:\+\s?|\()?\d(?:[\s().-]{0,2}\d){6,14}(?![\w/:%-]|[., ]\d)"
)

_NO_PHONE: Final = re.compile(
    r"\d{4}([-.])\d{1,2}\1\d{1,2}|\d{1,2}([-.])\d{1,2}\2(?:\d{4}|\d{2})|"
    r"\d{1,3}(?:([.,])\d{3})(?:\3\d{3})*"
)

# A number that begins otherwise may be of anything, unless somebody is to call it.
_PHONE_START: Final = re.compile(r"[+(0]")
_CONTRACTING = frozenset({"day", "time", "duration", "money"})

# A value has few words, and a message that is longer than this is hardly an answer.
_MAX_VALUE_WORDS, _MAX_SEARCHED_WORDS = 7, 60

# In "80kg" the number is a word of its own.
_WORD = re.compile(
    r"\d[\d.,]{0,30}(?=(?:kg|km|cm|gb|mb|tb|lb|kwh)s?\b)|[^\s,;:!?()\"“”]+(?:,\d+)*", re.IGNORECASE
)
_CLAUSE = re.compile(r"[^\s,;.!?][^,;.!?]*")
_DIGITS_BEFORE, _DIGITS_BEHIND = re.compile(r"\d[.,]"), re.compile(r"[.,]\d")


@dataclass(frozen=True)
class ValueSpan:
    """A part of a message that is a value."""

    start: int
    end: int
    value: Any
    """As a write would store it."""

    said: str
    """In words that the slot's type takes."""


def find_values(message: str, slot: SlotBrief, env: SlotEnv) -> list[ValueSpan]:
    """The values of the slot's type in a message, in order; the longest where they overlap."""
    if not isinstance(env, MessageEnv):
        return _search_values(message, slot, env)
    key = (message, slot.flow, slot.name, slot.type)
    if key not in env.found:
        env.found[key] = _search_values(message, slot, env)
    return list(env.found[key])


def _search_values(message: str, slot: SlotBrief, env: SlotEnv) -> list[ValueSpan]:
    kind = slot.kind
    if not kind.has_form:
        return []
    taken: list[ValueSpan] = _find_company(message, slot, env)
    closed = [(one.start, one.end) for one in taken] + find_other_spans(message, slot, env.lang)
    for start, end in _iter_spans(message, env.lang):
        if any(start < last and first < end for first, last in closed):
            continue
        for said in _iter_spellings(message, start, end, slot, env):
            value = _try_coerce(kind, said, slot, env)
            if value is not None and not _is_of_another_kind(message, start, end, said, slot, env):
                taken.append(_settle_date(message, ValueSpan(start, end, value, said), slot, env))
                closed.append((start, end))
                break
    if slot.kind.dimension == "phone" and not taken:
        spans = find_phone_spans(message, env.lang)
        taken = [ValueSpan(a, b, message[a:b], message[a:b]) for a, b in spans]
    plain = _keep_plainest(sorted(taken, key=lambda one: one.start), slot, env)
    # "A day later, on the 10th": the day itself is said as well.
    named = [one for one in plain if not _is_distance(message, one, env.lang)]
    return named if slot.kind.dimension == "day" and named else plain


def _is_distance(message: str, one: ValueSpan, lang: Language) -> bool:
    said = message[one.start : one.end].strip()
    if not lang.pattern("values.length").fullmatch(said):
        return False
    return lang.pattern("values.later").match(message[one.end :]) is not None


def is_part_of_word(value: str, message: str) -> bool:
    """Whether a value stands in a message only as a part of a word or number: the 2 of "2.5"."""
    if value not in message:
        return False
    return all(
        _DIGITS_BEFORE.fullmatch(message, max(0, start - 2), start)
        or _DIGITS_BEHIND.match(message, end)
        for start, end in find_whole_words(value, message)
    )


def is_part_of_name(value: str, names: Sequence[str]) -> bool:
    """Whether a value is only a part of a name: the 2 of "Zootopia 2"."""
    return any(value != name and value in normalise(name).split() for name in names)


def _iter_spellings(
    message: str, start: int, end: int, slot: SlotBrief, env: SlotEnv
) -> Iterator[str]:
    said = message[start:end]
    yield said
    if (
        slot.kind.dimension in _CONTRACTING
        and (bare := strip_contraction(message, start, end, env.lang)) != said
    ):
        said = bare
        yield bare
    if (
        slot.kind.dimension in ("day", "time")
        and (meant := correct_day_words(said, env.lang)) != said
    ):
        yield meant
    if slot.kind.dimension == "time":
        yield from iter_clock_readings(message, start, end, slot, env)
    if holds_day_of_month(slot, env.lang) and (
        number := parse_day_of_month(said, env.base_language)
    ):
        yield number
    if slot.kind.is_number:
        if env.lang.pattern("values.single").fullmatch(said):
            yield "1"
        elif contracted := env.lang.pattern("values.contracted").fullmatch(said):
            yield contracted[1] or contracted[2]
        elif parted := env.lang.pattern("values.parted").fullmatch(said):
            yield f"{parted['count']} {parted['share']}"


def _is_of_another_kind(
    message: str, start: int, end: int, said: str, slot: SlotBrief, env: SlotEnv
) -> bool:
    """Whether words that the type takes say something else where they stand."""
    if slot.kind.dimension == "time":
        # An hour by itself is one only where nothing else is said.
        bare = said.isdecimal() or parse_words(said.casefold(), env.base_language) is not None
        return bare and bool(message[:start].strip(" .,!") or message[end:].strip(" .,!"))
    if slot.kind.dimension == "money" and not _has_currency(said, env):
        return is_unit(find_counted_noun(message, end, env.lang), env.lang)
    if slot.kind.dimension == "money":
        # Where everything is in capitals, "ALL" is a word.
        loud = message.isupper() and message.strip(" .!") != said
        return loud and any(is_ambiguous_code(word, env.base_language) for word in said.split())
    if slot.kind.dimension == "day":
        # "For two weeks" is how long.
        so_long = env.lang.pattern("values.for_so_long")
        led = so_long.search(message[:start]) or so_long.match(message[start:end])
        length = env.lang.pattern("values.length")
        long = led and length.fullmatch(so_long.sub("", message[start:end]).strip())
        return bool(long) or selects_by_ordinal(message, start, end, env.base_language)
    if slot.kind.is_number:
        return is_rate(message, end, env.lang) and not holds_rate(slot, env.lang)
    return slot.kind.dimension == "duration" and bool(
        is_no_length(message, start, end, slot, env.lang)
        or is_of_rate(message, start, end, env.lang)
    )


def _settle_date(message: str, one: ValueSpan, slot: SlotBrief, env: SlotEnv) -> ValueSpan:
    """A day without the clock behind it, and the last of its name where it has been."""
    if slot.kind.dimension != "day":
        return one
    day = _strip_clock(message, one, env)
    was = find_past_day(message, day.start, day.end, day.said, slot, env)
    if was is None or was.isoformat() == day.value:
        return day
    return ValueSpan(day.start, day.end, was.isoformat(), was.isoformat())


def _strip_clock(message: str, one: ValueSpan, env: SlotEnv) -> ValueSpan:
    """ "Friday, at 6 am" is a day and a time: only the first of them is the day."""
    if _parse_day(one.said, env):
        return one
    shorter = [
        (one.start + start, one.start + end)
        for start, end in _iter_spans(message[one.start : one.end], env.lang)
        if _parse_day(message[one.start + start : one.start + end], env) == one.value
    ]
    for start, end in shorter:
        rest = f"{message[one.start : start]} {message[end : one.end]}".strip(" ,")
        if split_clock(tidy_text(rest) or "", env.base_language)[0] == "":
            return ValueSpan(start, end, one.value, message[start:end])
    if not shorter:
        return one
    start, end = min(shorter)
    return ValueSpan(start, end, one.value, message[start:end])


def _parse_day(said: str, env: SlotEnv) -> str | None:
    day = read_day(tidy_text(said) or "", env.now.date(), env.base_language)
    return day.isoformat() if day else None


def _keep_plainest(values: list[ValueSpan], slot: SlotBrief, env: SlotEnv) -> list[ValueSpan]:
    if slot.kind.dimension == "duration":
        named_span = env.lang.pattern("values.named_span")
        sure = [one for one in values if not named_span.search(one.said)]
    elif slot.kind.dimension == "money":
        sure = [one for one in values if _has_currency(one.said, env)]
    else:
        return values
    return sure or values


def _has_currency(said: str, env: SlotEnv) -> bool:
    text = convert_number_words(tidy_text(said) or "", env.base_language)
    return env.lang.pattern("values.currency", cased=True).search(text) is not None


def _find_company(message: str, slot: SlotBrief, env: SlotEnv) -> list[ValueSpan]:
    """ "My wife, the two kids and me", where people are counted."""
    if (
        slot.kind.dimension != "count"
        or len(message.split()) > _MAX_SEARCHED_WORDS
        or not holds_party_size(slot, env.lang)
    ):
        return []
    parts = [part.span() for part in _CLAUSE.finditer(message)][:_MAX_VALUE_WORDS]
    runs = [(first, last) for first in range(len(parts)) for last in range(first, len(parts))]
    for first, last in sorted(runs, key=lambda run: run[0] - run[1]):
        start, end = parts[first][0], parts[last][1]
        count = count_company(message[start:end], env.base_language)
        if count is not None:
            return [ValueSpan(start, end, count, str(count))]
    return []


def _try_coerce(kind: SlotType, said: str, slot: SlotBrief, env: SlotEnv) -> Any:
    try:
        return kind.coerce(said, slot, env)
    except Refusal:
        return None


def _iter_spans(message: str, lang: Language) -> Iterator[tuple[int, int]]:
    """Runs of words, longest first."""
    dull = lang.pattern("values.dull")
    words = [(w.start(), w.start() + len(w[0].rstrip("."))) for w in _WORD.finditer(message)]
    words = [word for word in words[:_MAX_SEARCHED_WORDS] if word[0] < word[1]]
    for length in range(min(_MAX_VALUE_WORDS, len(words)), 0, -1):
        for first in range(len(words) - length + 1):
            span = words[first][0], words[first + length - 1][1]
            if length > 1 or not dull.fullmatch(message, *span):
                yield span


def find_phone_spans(
    message: str, lang: Language, *, asked: bool = False
) -> Iterator[tuple[int, int]]:
    """Where a message has so many digits as a phone number (`asked`: nothing else was)."""
    called = lang.pattern("phones.called")
    for run in _DIGIT_RUN.finditer(message):
        own = _PHONE_START.match(run[0]) or called.search(message[: run.start()])
        if (own or asked) and not _NO_PHONE.fullmatch(run[0]):
            yield run.span()
