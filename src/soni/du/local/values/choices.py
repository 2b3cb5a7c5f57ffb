"""Which of a slot's values a message names, also with a slip of the finger."""

import re
import unicodedata
from functools import partial
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.words.lexicon import is_cardinal
from soni.du.local.words.words import (
    MIN_TYPO_LENGTH,
    extract_words,
    is_inflection,
    is_typo,
    list_forms,
    normalise,
    stem_plural,
)
from soni.language import Language

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")


def find_choice(message: str, slot: SlotBrief, lang: Language, *, slips: bool = True) -> str | None:
    """The one value that the message names; None if it names none, or several.

    `slips`: also in words that have to be misspelt for it.
    """
    return _find_named_choice(strip_refused(message, slot, lang), slot, lang, slips=slips)


def is_refused(message: str, value: str, slot: SlotBrief, lang: Language) -> bool:
    """ "Anything but the large one": whether a value is named only to be left out."""
    left = strip_refused(message, slot, lang)
    if left == message:
        return False
    alone = (
        _find_named_choice(message, slot, lang) == value
        and _find_named_choice(left, slot, lang) != value
    )
    return alone or (
        value in _collect_named_values(message, slot, lang)
        and value not in _collect_named_values(left, slot, lang)
    )


def is_undecided(message: str, slot: SlotBrief, lang: Language) -> bool:
    """ "Oslo or Lima": whether several values are named to choose from."""
    left = strip_refused(message, slot, lang)
    either = lang.words("choices.either")
    is_open = any(before in either for _, before in find_named_values(left, slot, lang))
    return is_open and len(_collect_named_values(left, slot, lang)) > 1


def strip_refused(message: str, slot: SlotBrief, lang: Language) -> str:
    """The message without what it refuses, unless values are said by denials: "not working"."""
    if any(map(lang.pattern("choices.denying").search, list_forms(slot))):
        return message
    return lang.pattern("choices.refused").sub(" ", message)


def _find_named_choice(
    message: str, slot: SlotBrief, lang: Language, *, slips: bool = True
) -> str | None:
    text = f" {_normalise_form(message)} "
    forms = {
        value: [_normalise_form(form) for form in (value, *same)]
        for value, same in slot.values.items()
    }
    for alike in (
        (_holds_form, _holds_spread_form, _holds_similar_form) if slips else (_holds_form,)
    ):
        named = [
            value for value, given in forms.items() if any(alike(text, f, lang) for f in given)
        ]
        if len(named) == 1:
            return named[0]
        if named:
            return _choose_longest(text, named, forms)
    return None


def find_named_values(message: str, slot: SlotBrief, lang: Language) -> list[tuple[str, str]]:
    """The values that a message names, in its order, each with the word before it."""
    words = _normalise_form(message).split()
    forms = sorted(
        ((_normalise_form(form).split(), value) for value, same in slot.values.items()
         for form in (value, *same)),
        key=lambda one: -len(one[0]),
    )  # fmt: skip
    named: list[tuple[str, str]] = []
    at = 0
    while at < len(words):
        step, value = 1, None
        for form, meant in forms:
            run = words[at : at + len(form)]
            if form and (
                run == form or (len(run) == 1 and _holds_similar_form(run[0], " ".join(form), lang))
            ):
                step, value = len(form), meant
                break
        if value is not None:
            named.append((value, words[at - 1] if at else ""))
        at += step
    return named


def _collect_named_values(message: str, slot: SlotBrief, lang: Language) -> set[str]:
    return {value for value, _ in find_named_values(message, slot, lang)}


def has_numbers(slot: SlotBrief, lang: Language) -> bool:
    """Whether numbers tell the values apart: 2, 3 and 4, or two and three bedrooms."""
    numbers = partial(_find_numbers, lang=lang)
    said = [set().union(*map(numbers, (value, *same))) for value, same in slot.values.items()]
    # One word alone may be a manner of speaking: "one way".
    return sum(map(bool, said)) > 1 or any(one[:1].isdecimal() for some in said for one in some)


def find_numbered_choice(number: str, slot: SlotBrief, lang: Language) -> str | None:
    """The one value that has this number in it: "2" for "2 bedrooms"."""
    ordinals = lang.table("lexicon.ordinals")
    meant = str(ordinals.get(number, number))
    named = [
        value
        for value, same in slot.values.items()
        if any(
            meant == str(ordinals.get(one, one))
            for form in (value, *same)
            for one in _find_numbers(form, lang)
        )
    ]
    return named[0] if len(named) == 1 else None


def _find_numbers(text: str, lang: Language) -> set[str]:
    words = _NUMBER.findall(text.casefold())
    return {word for word in words if word[:1].isdecimal() or is_cardinal(word, lang)}


def _normalise_form(text: str) -> str:
    """Without accents and apostrophes, which people leave out, and signs of authors alone."""
    apart = unicodedata.normalize("NFKD", normalise(text.replace("_", " ")))
    return "".join(sign for sign in apart if sign != "'" and not unicodedata.combining(sign))


def _holds_form(text: str, form: str, lang: Language) -> bool:
    return bool(form) and f" {form} " in text


def _holds_spread_form(text: str, form: str, lang: Language) -> bool:
    """A name of several words with others between them, and with other endings."""
    said = extract_words(form, lang)
    name = [root for word in form.split() if (root := stem_plural(word, lang)) in said]
    if len(name) < 2 or not lang.words("choices.whole_only").isdisjoint(name):
        return False
    words = text.split()
    return any(_begins_with_name(words[at:], name, lang) for at in range(len(words)))


def _begins_with_name(words: list[str], name: list[str], lang: Language) -> bool:
    """Whether the words begin with the name, but for what may stand between its own."""
    left = list(name)
    for word in words:
        if is_inflection(stem_plural(word, lang), left[0], lang) or is_typo(word, left[0]):
            left.pop(0)
        elif len(left) == len(name) or word not in lang.words("choices.between"):
            return False
        if not left:
            return True
    return False


def _holds_similar_form(text: str, form: str, lang: Language) -> bool:
    """A word that begins like it, or has a letter wrong."""
    if len(form) < MIN_TYPO_LENGTH:
        return False
    count = len(form.split())
    words = text.split()
    runs = (" ".join(words[at : at + count]) for at in range(len(words) - count + 1))
    done = lang.pattern("choices.participle", cased=True).fullmatch(form)
    return any(
        (run.startswith(form) and len(run) <= len(form) + 3)
        or is_typo(run, form)
        or (done is not None and run == done[1])
        for run in runs
    )


def _choose_longest(text: str, named: list[str], forms: dict[str, list[str]]) -> str | None:
    """ "everyday account" is not "account": the value whose words hold those of the others."""
    said = {
        value: max((f for f in forms[value] if f in text), key=len, default="") for value in named
    }
    best = max(named, key=lambda value: len(said[value]))
    others = (said[value] for value in named if value != best)
    return best if all(other and other in said[best] for other in others) else None
