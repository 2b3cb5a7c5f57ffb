"""Which of several days or times is wanted: "nobody is in on Thursday, Friday works"."""

import re
from datetime import date
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.values.finding import Found

_CLAUSE: Final = re.compile(
    r"[,;.!?]|\b(?:but|so|(?:can|could|would|will) (?:you|we|i|someone)|how about|what about|"
    r"rather|please|pero|mejor|as[íi] que)\b",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(
    r"(?<!why )\bnot\b(?! (?:before|after|until|later|earlier|sooner))|n['\u2019]t\b|"
    r"\bno(?!w)(?:body| one)?\b(?! (?:later|earlier|sooner))|"
    r"\b(?:cannot|never|away|busy|instead of|rather than|unable|impossible|too \w+|at work|"
    r"bad|dont|cant|doesnt|wont|"
    r"nadie|imposible|en vez de)\b",
    re.IGNORECASE,
)
# Said behind a value, these put right what was said before it.
_I_MEAN: Final = re.compile(
    r"\W*(?:i mean|i meant|that is|to be (?:precise|exact)|rather|quiero decir|o sea)\b",
    re.IGNORECASE,
)


def wished(message: str, values: list[Found], slot: SlotBrief) -> list[Found]:
    """The values of a message without those that were denied, or said more exactly afterwards."""
    if len(values) < 2:
        return values
    if _I_MEAN.match(message, values[-1].end) or _is_finer(values, slot):
        return values[-1:]
    kept = [one for one in values if not _is_denied(message, one)] if slot.kind.is_dated else []
    return kept or values


def _is_denied(message: str, one: Found) -> bool:
    before = _CLAUSE.split(message[: one.start])[-1]
    return _DENIED.search(before + " " + _CLAUSE.split(message[one.end :])[0]) is not None


def _is_finer(values: list[Found], slot: SlotBrief) -> bool:
    """ "On Sunday? the 15th": the Sunday that is the 15th."""
    if slot.kind.dimension != "day" or len(values) != 2:
        return False
    first, last = (date.fromisoformat(one.value).weekday() for one in values)
    numbered = [any(map(str.isdigit, one.said)) for one in values]
    return first == last and numbered == [False, True]
