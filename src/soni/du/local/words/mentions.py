"""Which slot, flow or choice of the configuration a message names."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from soni.du.context import FlowBrief, SlotBrief
from soni.du.local.words.units import has_unit, is_unit_of
from soni.du.local.words.words import (
    describe_slot,
    extract_words,
    is_inflection,
    is_typo,
    normalise,
    speak_name,
    stem_plural,
)
from soni.language import Language

# Fewer words say a value by its name, or not at all.
_MIN_SENTENCE_WORDS = 3


def find_named_slot(text: str, slots: Iterable[SlotBrief], lang: Language) -> SlotBrief | None:
    """The slot a text is the name of; the first of equals."""
    said = extract_words(normalise(text), lang)
    if not said:
        return None
    whole = normalise(text)
    scored = [
        (5 if whole == speak_name(slot.name) else _measure_likeness(said, slot, lang), slot)
        for slot in slots
    ]
    best = max(scored, key=lambda pair: pair[0], default=None)
    return best[1] if best and best[0] >= 1 else None


def _measure_likeness(said: frozenset[str], slot: SlotBrief, lang: Language) -> float:
    """1 and more for a name; the words of a description and of a type count less."""
    name = extract_words(speak_name(slot.name), lang) or frozenset(speak_name(slot.name).split())
    if said == name:
        return 4
    if name <= said:
        return 3
    others = lang.table("mentions.called").items()
    called = {stem_plural(word, lang) for word, types in others if slot.type in types}
    told = normalise(slot.description)
    many = lang.pattern("mentions.many").search(told)
    # "How many people share the bill" is about people.
    words = extract_words(many["what"] if many else told, lang)
    described = words - lang.words("mentions.dull")
    if said <= called and said <= words:
        # "The time" is the time of the visit, not whether it is the first time.
        return 2.8
    if said <= name and len(name) < 4:
        return 2.5
    if said & called:
        return 2
    if said <= words:
        return 1.5
    return 1 if len(said & described) * 2 > len(said) else 0


def is_counted_noun(noun: str, slot: SlotBrief, lang: Language) -> bool:
    """Whether "three <noun>" counts what the slot holds."""
    word = normalise(noun)
    if stem_plural(word, lang) in _list_counted_words(slot, lang):
        return True
    return is_unit_of(word, slot, lang)


def _list_counted_words(slot: SlotBrief, lang: Language) -> frozenset[str]:
    """What the slot may hold so many of: "how many bags to add" are bags."""
    name, told = extract_words(speak_name(slot.name), lang), normalise(slot.description)
    many = lang.pattern("mentions.many").search(told)
    if many is not None:
        return name | extract_words(many["what"], lang)
    # A weight in kilos counts kilos, whatever it is the weight of.
    return name if has_unit(slot, lang) else name | extract_words(told, lang)


def is_mentioned(slot: SlotBrief, text: str, lang: Language) -> bool:
    """Whether the text has a word of a yes-or-no slot: nobody says no to what is not there."""
    if not slot.kind.is_polar:
        return True
    words = extract_words(describe_slot(slot), lang)
    return bool(words & extract_words(normalise(text), lang))


def only_repeats_slot(
    value: object, slot: SlotBrief, flow: FlowBrief | None, lang: Language
) -> bool:
    """Whether a value is no more than what the slot is about: "one of my bags" is no look of a bag.

    Where a slot is for how a thing looks, the words for the thing are those of the flow too.
    """
    if not slot.kind.is_short_text or value in slot.examples:
        return False
    told = normalise(slot.description)
    known = extract_words(describe_slot(slot), lang) | lang.words("mentions.something")
    if flow is not None and lang.pattern("mentions.looks").search(told):
        known = known.union(*_split_flow_words(lang, flow.name, flow.description, flow.examples))
    return extract_words(normalise(str(value)), lang) <= known


def is_choice_named(
    slot: SlotBrief,
    value: object,
    text: str,
    lang: Language,
    *,
    new: bool = True,
    flow: FlowBrief | None = None,
) -> bool:
    """Whether a choice is in the text, where it has to be: nobody means Rome who does not say so.

    What is no name may be said in other words, "I cannot find it" for lost, but not to change
    what was said before (`new`), nor in a word that means several. `flow`: the one that starts,
    whose own words say nothing of the choice.
    """
    if not slot.kind.has_values or value not in slot.values:
        return True
    names = [name for name in slot.values if name[:1].isupper() and not name.isupper()]
    said = normalise(text)
    vague = lang.pattern("mentions.vague").search(said)
    told = len(extract_words(said, lang)) >= _MIN_SENTENCE_WORDS and not vague
    free = new and told and len(names) * 2 <= len(slot.values)
    short = "".join(word[0] for word in normalise(str(value)).split())
    initials = len(short) > 1 and short in said.split()
    return free or initials or names_choice(text, slot, str(value), lang, flow)


def find_named_flow(
    text: str,
    flows: Iterable[FlowBrief],
    lang: Language,
    *,
    least: float = 0.5,
    known: Mapping[str, Mapping[str, object]] | None = None,
) -> FlowBrief | None:
    """The flow with most of the text's words in its name, description and examples.

    `known`: what was said for a flow, by its slots; those words are its own as well.
    """
    said = extract_words(normalise(text), lang)
    best: tuple[float, FlowBrief | None] = (0.0, None)
    for flow in flows:
        name, words = _split_flow_words(lang, flow.name, flow.description, flow.examples)
        # Beside what is kept: nothing is that people say.
        told = (str(value).replace("_", " ") for value in (known or {}).get(flow.name, {}).values())
        words = words.union(*(extract_words(normalise(text), lang) for text in told))
        share = len(said & words) / max(1, len(said)) + (0.5 if name & said else 0.0)
        best = max(best, (share, flow), key=lambda pair: pair[0])
    return best[1] if best[0] >= least else None


@lru_cache(maxsize=1024)
def _split_flow_words(
    lang: Language, name: str, description: str, examples: tuple[str, ...]
) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a flow's name, and of all that is written about it."""
    own = extract_words(speak_name(name), lang)
    texts = (description, *examples)
    return own, own.union(*(extract_words(normalise(text), lang) for text in texts))


def names_choice(
    text: str, slot: SlotBrief, value: str, lang: Language, flow: FlowBrief | None = None
) -> bool:
    """Whether a text has all words of a name of a choice, or one that can only be about it."""
    forms = tuple(map(speak_name, (value, *slot.values[value])))
    said = normalise(text)
    if any(_says_form(said, form, lang) for form in forms):
        return True
    dull = _list_common_words(slot, value, lang, flow)
    words = {word for form in forms for word in extract_words(form, lang) if len(word) > 2} - dull
    telling = extract_words(said, lang) - dull
    return any(
        is_inflection(one, word, lang) or is_typo(one, word)
        for one in telling
        for word in words
        if one in words or not any(is_inflection(one, other, lang) for other in dull)
    )


def _says_form(said: str, form: str, lang: Language) -> bool:
    """Whether a name is said, as it is or with its words elsewhere: "only the boiler"."""
    words = extract_words(form, lang)
    apart = len(words) > 1 and words <= extract_words(said, lang)
    return bool(form) and (apart or f" {form} " in f" {said} ")


def _list_common_words(
    slot: SlotBrief, value: str, lang: Language, flow: FlowBrief | None
) -> frozenset[str]:
    """Words that are said whichever choice is meant.

    A description may list the choices, and an example make one: what a value is called counts
    in spite of them, if it is called so in one word. Of "wrong ticket", a ticket says nothing.
    """
    others = (form for name, same in slot.values.items() if name != value for form in (name, *same))
    of_flow = collect_flow_words(flow, lang) if flow is not None else frozenset()
    about = _collect_words(lang, slot.description) | of_flow
    own = _collect_words(lang, value)
    named = lang.words("mentions.common") | _collect_words(lang, slot.name, *others)
    return named | (about - own if len(own) == 1 else about)


def collect_flow_words(flow: FlowBrief, lang: Language) -> frozenset[str]:
    """The words that a flow is told with."""
    return _collect_words(lang, flow.name, flow.description, *flow.examples)


@lru_cache(maxsize=1024)
def _collect_words(lang: Language, *texts: str) -> frozenset[str]:
    return frozenset().union(*(extract_words(speak_name(text), lang) for text in texts))
