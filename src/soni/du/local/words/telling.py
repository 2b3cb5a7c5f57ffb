"""Which words tell one choice from the others: "twice" of "charged twice", not "charged"."""

from functools import lru_cache

from soni.du.context import FlowBrief, SlotBrief
from soni.du.local.words.kin import is_inflection, is_typo
from soni.du.local.words.words import content, normal, speak_name
from soni.language import Language


def tells(
    text: str, slot: SlotBrief, value: str, lang: Language, flow: FlowBrief | None = None
) -> bool:
    """Whether a text has all words of a name of a choice, or one that can only be about it."""
    forms = tuple(map(speak_name, (value, *slot.values[value])))
    said = normal(text)
    if any(_says_form(said, form, lang) for form in forms):
        return True
    dull = _dull(slot, value, lang, flow)
    words = {word for form in forms for word in content(form, lang) if len(word) > 2} - dull
    telling = content(said, lang) - dull
    return any(
        is_inflection(one, word, lang) or is_typo(one, word)
        for one in telling
        for word in words
        if one in words or not any(is_inflection(one, other, lang) for other in dull)
    )


def _says_form(said: str, form: str, lang: Language) -> bool:
    """Whether a name is said, as it is or with its words elsewhere: "only the boiler"."""
    words = content(form, lang)
    apart = len(words) > 1 and words <= content(said, lang)
    return bool(form) and (apart or f" {form} " in f" {said} ")


def _dull(slot: SlotBrief, value: str, lang: Language, flow: FlowBrief | None) -> frozenset[str]:
    """Words that are said whichever choice is meant.

    A description may list the choices, and an example make one: what a value is called counts
    in spite of them, if it is called so in one word. Of "wrong ticket", a ticket says nothing.
    """
    others = (form for name, same in slot.values.items() if name != value for form in (name, *same))
    of_flow = words_of(flow, lang) if flow is not None else frozenset()
    about = _collect_words(lang, slot.description) | of_flow
    own = _collect_words(lang, value)
    named = lang.words("mentions.common") | _collect_words(lang, slot.name, *others)
    return named | (about - own if len(own) == 1 else about)


def words_of(flow: FlowBrief, lang: Language) -> frozenset[str]:
    """The words that a flow is told with."""
    return _collect_words(lang, flow.name, flow.description, *flow.examples)


@lru_cache(maxsize=1024)
def _collect_words(lang: Language, *texts: str) -> frozenset[str]:
    return frozenset().union(*(content(speak_name(text), lang) for text in texts))
