"""Which of a slot's values a message names, also with a slip of the finger."""

import unicodedata
from difflib import SequenceMatcher

from soni.du.context import SlotBrief
from soni.du.local.words.words import normal

# Shorter words are too alike: "one" and "ona" may be two things.
_SHORTEST = 4
_ALIKE = 0.8


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
