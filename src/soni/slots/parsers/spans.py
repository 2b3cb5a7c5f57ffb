"""Spans of time: `2 hours`, `1h 30m`, `an hour and a half`, `PT1H30M`."""

import re
from datetime import timedelta

from soni.language import Language, find_language
from soni.slots.parsers.words import convert_number_words

LONGEST_SPAN = timedelta(days=36_525)

_SECONDS = {
    "half_month": 1_296_000,
    "fortnight": 1_209_600,
    "week": 604_800,
    "day": 86_400,
    "hour": 3_600,
    "minute": 60,
    "second": 1,
}
_CLOCKED = re.compile(r"(\d{1,4})h(\d{2})(?!\w)")
_ISO = re.compile(
    r"p(?:(?P<week>\d{1,9})w)?(?:(?P<day>\d{1,9})d)?"
    r"(?:t(?:(?P<hour>\d{1,9})h)?(?:(?P<minute>\d{1,9})m)?(?:(?P<second>\d{1,12})s)?)?"
)


def read_span(text: str, language: str) -> timedelta | None:
    """A span of time in tidied text; months and years are none, since they differ in length."""
    iso = read_iso_span(text)
    if iso is not None:
        return iso
    lang = find_language(language)
    text = lang.pattern("units.pair", cased=True).sub("2 ", text)
    said = _CLOCKED.sub(r"\1 h \2 m", convert_number_words(text, language))
    said = lang.pattern("units.three_quarters", cased=True).sub("45 min", said)
    said = lang.pattern("units.weekend", cased=True).sub("2 days", said)
    span_part = lang.pattern("units.span", cased=True)
    separator = lang.pattern("units.between", cased=True)
    seconds, at, between = 0.0, 0, ""
    while at < len(said):
        part = span_part.match(said, at)
        worth = _count_seconds(part, lang) if part else None
        # "An hour a day" is a rate, not a duration.
        each = part is not None and part["one"] and between == " "
        if part is None or worth is None or each:
            return None
        seconds += worth
        at = part.end()
        found = separator.match(said, at)
        between = found[0] if found and found.end() < len(said) else ""
        at += len(between)
    return make_span(seconds) if at else None


def read_iso_span(text: str) -> timedelta | None:
    """A span written as ISO 8601, in lower case."""
    found = _ISO.fullmatch(text)
    if found is None or not any(found.groups()):
        return None
    return make_span(
        sum(int(count or 0) * _SECONDS[unit] for unit, count in found.groupdict().items())
    )


def make_span(seconds: float) -> timedelta | None:
    """So many seconds, to the whole second; None if that is negative or too long."""
    if not 0 <= seconds <= LONGEST_SPAN.total_seconds():
        return None
    return timedelta(seconds=int(seconds + 0.5))


def format_iso_span(span: timedelta) -> str:
    """`PT1H30M`, `P2D`, `PT0S`; a span backwards has a sign."""
    if span < timedelta():
        return f"-{format_iso_span(-span)}"
    minutes, second = divmod(span.seconds, 60)
    hour, minute = divmod(minutes, 60)
    day = f"{span.days}D" if span.days else ""
    rest = "".join(f"{n}{u}" for n, u in ((hour, "H"), (minute, "M"), (second, "S")) if n)
    if not (day or rest):
        return "PT0S"
    return f"P{day}T{rest}" if rest else f"P{day}"


def _count_seconds(part: re.Match[str], lang: Language) -> float | None:
    alone, shares = lang.table("units.time"), lang.table("units.shares")
    unit = alone.get(part["unit"]) or lang.table("units.time_forms").get(part["unit"])
    # "Half an hours notice" is said as well.
    word = part["unit"].removesuffix("s") if part["share"] else part["unit"]
    # With no number before it, only a whole word is a unit: "hour and a half", never "h".
    if unit is None or not (part["count"] or word in alone):
        return None
    count = float(part["count"].replace(",", ".")) if part["count"] else 1.0
    if part["share"]:
        count = shares[part["share"]]
    if part["half"]:
        count += 0.5
    if part["more"]:
        count += shares[part["more"].split()[-1]]
    return count * _SECONDS[unit]
