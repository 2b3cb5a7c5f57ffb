"""Which of several days or times is wanted: "nobody is in on Thursday, Friday works"."""

from datetime import date

from soni.du.context import SlotBrief
from soni.du.local.values.finding import Found
from soni.language import Language


def drop_denied_values(
    message: str, values: list[Found], slot: SlotBrief, lang: Language
) -> list[Found]:
    """The values of a message without those that were denied, or said more exactly afterwards."""
    if len(values) < 2:
        return values
    i_mean = lang.pattern("wanted_day.i_mean")
    if i_mean.match(message, values[-1].end) or _is_finer(values, slot):
        return values[-1:]
    kept = (
        [one for one in values if not _is_denied(message, one, lang)] if slot.kind.is_dated else []
    )
    return kept or values


def _is_denied(message: str, one: Found, lang: Language) -> bool:
    clause = lang.pattern("wanted_day.clause")
    said = f"{clause.split(message[: one.start])[-1]} {clause.split(message[one.end :])[0]}"
    return lang.pattern("wanted_day.denied").search(said) is not None


def _is_finer(values: list[Found], slot: SlotBrief) -> bool:
    """ "On Sunday? the 15th": the Sunday that is the 15th."""
    if slot.kind.dimension != "day" or len(values) != 2:
        return False
    first, last = (date.fromisoformat(one.value).weekday() for one in values)
    numbered = [any(map(str.isdigit, one.said)) for one in values]
    return first == last and numbered == [False, True]
