"""Which of a slot's values a message names, also with a slip of the finger."""

import re
import unicodedata
from difflib import SequenceMatcher
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.lexicon import ORDINALS, is_cardinal
from soni.du.local.words.words import normal

# Shorter words are too alike: "one" and "ona" may be two things.
_SHORTEST = 4
_ALIKE = 0.8
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")


def chosen(message: str, slot: SlotBrief) -> str | None:
    """The one value that the message names; None if it names none, or several."""
    text = f" {_plain(message)} "
    forms = {
        value: [_plain(form) for form in (value, *same)] for value, same in slot.values.items()
    }
    for alike in (_whole, _nearly):
        named = [value for value, given in forms.items() if any(alike(text, f) for f in given)]
        if len(named) == 1:
            return named[0]
        if named:
            return _longest(text, named, forms)
    return None


def named_values(message: str, slot: SlotBrief) -> list[tuple[str, str]]:
    """The values that a message names, in its order, each with the word before it."""
    words = _plain(message).split()
    forms = sorted(
        ((_plain(form).split(), value) for value, same in slot.values.items()
         for form in (value, *same)),
        key=lambda one: -len(one[0]),
    )  # fmt: skip
    named: list[tuple[str, str]] = []
    at = 0
    while at < len(words):
        step, value = 1, None
        for form, meant in forms:
            run = words[at : at + len(form)]
            if form and (run == form or (len(run) == 1 and _nearly(run[0], " ".join(form)))):
                step, value = len(form), meant
                break
        if value is not None:
            named.append((value, words[at - 1] if at else ""))
        at += step
    return named


def has_numbers(slot: SlotBrief) -> bool:
    """Whether numbers tell the values apart: 2, 3 and 4, or two and three bedrooms."""
    said = [set().union(*map(_numbers, (value, *same))) for value, same in slot.values.items()]
    # One word alone may be a manner of speaking: "one way".
    return sum(map(bool, said)) > 1 or any(one[:1].isdecimal() for some in said for one in some)


def numbered(number: str, slot: SlotBrief) -> str | None:
    """The one value that has this number in it: "2" for "2 bedrooms"."""
    meant = _counted(number)
    named = [
        value
        for value, same in slot.values.items()
        if any(meant in map(_counted, _numbers(form)) for form in (value, *same))
    ]
    return named[0] if len(named) == 1 else None


def _numbers(text: str) -> set[str]:
    """The numbers of a text, as they are written."""
    words = _NUMBER.findall(text.casefold())
    return {word for word in words if word[:1].isdecimal() or is_cardinal(word)}


def _counted(number: str) -> str:
    return str(ORDINALS.get(number, number))


def _plain(text: str) -> str:
    """Without accents, which people leave out, and signs that only authors write."""
    apart = unicodedata.normalize("NFKD", normal(text.replace("_", " ")))
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _whole(text: str, form: str) -> bool:
    return bool(form) and f" {form} " in text


def _nearly(text: str, form: str) -> bool:
    """A word that begins like it, or has a letter wrong."""
    if len(form) < _SHORTEST:
        return False
    count = len(form.split())
    words = text.split()
    runs = (" ".join(words[at : at + count]) for at in range(len(words) - count + 1))
    return any(
        run[:1] == form[:1]
        and len(run) >= _SHORTEST
        and (
            (run.startswith(form) and len(run) <= len(form) + 3)
            or SequenceMatcher(None, run, form).ratio() >= _ALIKE
        )
        for run in runs
    )


def _longest(text: str, named: list[str], forms: dict[str, list[str]]) -> str | None:
    """ "everyday account" is not "account": the value whose words hold those of the others."""
    said = {
        value: max((f for f in forms[value] if f in text), key=len, default="") for value in named
    }
    best = max(named, key=lambda value: len(said[value]))
    others = (said[value] for value in named if value != best)
    return best if all(other and other in said[best] for other in others) else None
