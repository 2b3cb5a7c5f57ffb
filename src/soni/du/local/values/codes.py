"""Numbers that name a thing instead of counting: "my card ending in 1234", "order 5567"."""

import re
from collections.abc import Sequence
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.words import content, normal, spoken, stem

_CODED: Final = re.compile(
    r"\b(?:digits?|number|code|reference|id|identifier|iban|cifras?|número|código|referencia)\b"
)
_CODE: Final = re.compile(
    r"(?P<before>[^\W\d_]+)(?:['\u2019]s)?\s*(?:(?:in|with|on|is|en|con|es)\s+)?[#:]?\s*"
    r"(?P<code>(?=[\w-]*\d{3})[A-Z0-9][A-Z0-9-]{2,})\b",
    re.IGNORECASE,
)
# Not a day, a time, an amount or an address.
_TOKEN: Final = re.compile(
    r"(?<![\w@./:$€£-])(?=[A-Z\d-]*\d{3}|[A-Z-]*\d[A-Z\d-]*[A-Z]|[A-Z]+-?\d{2})[A-Z\d][A-Z\d-]{2,}"
    r"(?![\w@/:-]|[.,]\d|\s?(?:[$€£%]|euros?|dollars?|pounds?|bucks|am|pm)\b)"
)
# A shorter one may be an amount or a day.
_LONG: Final = 8
_PLAIN: Final = re.compile(
    r"[^\w\s.#/-]|\b(?:is|the|my|it|to|for|on|at|and|es|el|la|mi|y)\b", re.IGNORECASE
)
_LEADS: Final = frozenset({
    *("ending", "end", "number", "no", "code", "reference", "ref", "id", "digit"),
    *("termina", "acaba", "terminada", "número", "código", "referencia"),
})  # fmt: skip


def codes(message: str, slots: Sequence[SlotBrief]) -> dict[str, str]:
    """A code that the word before it tells to be one, for the one slot that holds codes."""
    coded = [slot for slot in slots if slot.type == "string" and _is_code(slot)]
    if len(coded) != 1:
        return {}
    words = content(spoken(coded[0].name)) | _LEADS
    found = [m["code"] for m in _CODE.finditer(message) if stem(normal(m["before"])) in words]
    return {coded[0].name: found[0]} if len(found) == 1 else {}


def coded(message: str, slot: SlotBrief) -> str | None:
    """The one thing in a message that can be the code that was asked for: "it says 49006"."""
    if slot.type != "string" or not _is_code(slot):
        return None
    found = [one[0] for one in _TOKEN.finditer(message)]
    # Where more has digits, it may be in groups.
    digits = [word for word in message.split() if any(map(str.isdigit, word))]
    return found[0] if len(found) == len(digits) == 1 else None


def is_code(text: str) -> bool:
    """Whether a whole text is a code, in groups or not: "GB29 NWBK 6016 1331 9268 19"."""
    words = text.split()
    numbered = [word for word in words if any(sign.isdigit() for sign in word)]
    return (
        sum(map(len, numbered)) >= _LONG
        and len(numbered) * 2 > len(words)
        and not _PLAIN.search(text)
    )


def _is_code(slot: SlotBrief) -> bool:
    return _CODED.search(f"{spoken(slot.name)} {normal(slot.description)}") is not None
