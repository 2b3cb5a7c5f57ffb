"""What a reading gives for the slots: a value for each that was filled, no words used twice."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from soni.core.errors import Refusal
from soni.du.context import DialogueContext, ShownValues, SlotBrief
from soni.du.local.tagging.counting import CountedNumber, find_numbers, is_counter
from soni.du.local.values.choices import find_choice
from soni.du.local.values.route import find_other_end
from soni.du.local.words.mentions import is_mentioned
from soni.du.local.words.words import extract_words, normalise, speak_name, stem_plural
from soni.du.tagger.reading import SlotReading, Span
from soni.language import Language, find_language
from soni.slots import SlotEnv

# A second guess is worth a look when the first one's words belong to another slot.
_MIN_SECOND_GUESS = 0.1


@dataclass(frozen=True)
class SlotValue:
    """A value that was said for a slot."""

    slot: str
    value: Any
    confidence: float
    place: tuple[int, int] | None = None
    """Where it stands in the message; None: it was read off the whole of it."""

    firm: bool = True
    """Not a bare number that may as well be a part of something else."""

    named: bool = False
    """Whether it says what the slot is called: "Sun Pharmacy"."""

    cuttable: bool = False
    """Whether any part of it would be a value as well."""

    wider: tuple[int, int] | None = None
    """Where it stands with what it has: "a red bag" and "with a yellow strap"."""


def make_values(
    filled: Mapping[str, SlotReading],
    briefs: Mapping[str, SlotBrief],
    message: str,
    context: DialogueContext,
) -> list[SlotValue]:
    """A value for each slot that was filled, as far as one can be told."""
    lang = find_language(context.language)
    numbers = find_numbers(message, briefs.values(), lang)
    found: dict[str, list[SlotValue]] = {}
    for name, reading in filled.items():
        given = list(_iter_guesses(reading, briefs[name], message, context, numbers))
        if given:
            found[name] = given
    kept = _resolve_clashes(found, message, lang)
    described = [_extend_description(one, kept, briefs, message, lang) for one in kept]
    return _move_to_ends(described, briefs, message, lang)


def _extend_description(
    one: SlotValue,
    others: Sequence[SlotValue],
    briefs: Mapping[str, SlotBrief],
    message: str,
    lang: Language,
) -> SlotValue:
    """A thing with what it has, unless that is for another slot."""
    if one.place is None or one.wider is None:
        return one
    whole = replace(one, value=message[slice(*one.wider)].strip(), place=one.wider)
    more = message[one.place[1] : one.wider[1]]
    rest = [brief for brief in briefs.values() if brief.name != one.slot]
    told = any(
        find_choice(more, brief, lang) is not None
        if brief.kind.has_values
        else brief.kind.is_polar and is_mentioned(brief, more, lang)
        for brief in rest
    )
    clash = any(_overlaps(whole, other) for other in others if other is not one)
    return one if told or clash else whole


def _move_to_ends(
    found: Sequence[SlotValue], briefs: Mapping[str, SlotBrief], message: str, lang: Language
) -> list[SlotValue]:
    """Move values to the end (from, to) that the word before them names; swap if need be."""
    moved: dict[str, SlotValue] = {}
    kept: dict[str, SlotValue] = {}
    for one in found:
        other = find_other_end(one.slot, message, one.place[0], briefs, lang) if one.place else None
        if other is not None and briefs[other].kind is briefs[one.slot].kind:
            moved[other] = replace(one, slot=other)
        else:
            kept[one.slot] = one
    return list((kept | moved).values())


def accepts_value(brief: SlotBrief, value: Any, context: DialogueContext) -> bool:
    """Whether the slot's type can make something of the value."""
    if brief.kind.is_free_text or brief.kind.is_structured:
        return True
    env = SlotEnv(now=context.now, language=context.language)
    try:
        brief.kind.coerce(value, brief, env)
    except Refusal:
        return False
    return True


def _iter_guesses(
    reading: SlotReading,
    brief: SlotBrief,
    message: str,
    context: DialogueContext,
    numbers: Sequence[CountedNumber],
) -> Iterator[SlotValue]:
    if reading.values and is_counter(brief):
        yield from _find_count(reading, brief, numbers)
        return
    if reading.values:
        value, likely = max(reading.values.items(), key=lambda item: item[1])
        told = value == "true" if brief.kind.is_polar else value
        yield SlotValue(brief.name, told, reading.inform * likely)
        return
    spans = [span for span in reading.spans if message[span.start : span.end].strip()]
    fitting = [s for s in spans if accepts_value(brief, message[s.start : s.end], context)]
    lang = find_language(context.language)
    # Where no guess fits, the first one is what the user said: the refusal will tell.
    for span in fitting or spans[:1]:
        one = _make_value_at(span, reading, message)
        wider = _find_wider_span(span, spans, message, lang) if brief.kind.is_short_text else None
        said = complete_shown_value(one.value, brief.name, context.shown, lang)
        named = brief.kind.is_short_text and _is_called(said, brief, lang)
        whole = said != one.value
        yield replace(
            one,
            value=said,
            named=named,
            cuttable=brief.kind.is_short_text and not whole,
            wider=None if whole else wider,
        )


def _is_called(said: str, brief: SlotBrief, lang: Language) -> bool:
    words = [stem_plural(word, lang) for word in normalise(said).split()]
    return len(words) > 1 and bool(
        {words[0], words[-1]} & extract_words(speak_name(brief.name), lang)
    )


def _find_wider_span(
    span: Span, spans: Sequence[Span], message: str, lang: Language
) -> tuple[int, int] | None:
    """Another guess that begins alike and tells what the thing has."""
    more = lang.pattern("name.with")
    for other in spans:
        if other.start == span.start and more.fullmatch(message[span.end : other.end]):
            return other.start, other.end
    return None


def complete_shown_value(said: str, slot: str, shown: ShownValues, lang: Language) -> str:
    """What was offered or is to be confirmed, where the user says only a part of it again."""
    words = _split_words(said, lang)
    for told in (shown.offered.get(slot), shown.confirmed.get(slot)):
        values = told if isinstance(told, list | tuple) else (told,)
        meant = [
            v for v in values if isinstance(v, str) and words and words <= _split_words(v, lang)
        ]
        if len(meant) == 1:
            return meant[0]
    return said


def _split_words(text: str, lang: Language) -> set[str]:
    words = {word.strip(".,;:!?\"'()") for word in text.casefold().split()}
    return words - lang.words("classes.article")


def _find_count(
    reading: SlotReading, brief: SlotBrief, numbers: Sequence[CountedNumber]
) -> Iterator[SlotValue]:
    """The number that counts what the slot is about; never one that counts something else."""
    own = [m for m in numbers if brief.name in m.counts and m.value in reading.values]
    ranked = sorted(reading.values, key=lambda value: -reading.values[value])
    for value in ranked:
        said = [m for m in numbers if m.value == value]
        free = [m for m in said if brief.name in m.counts or not (m.counts or own)]
        if free or (not own and not said and value == ranked[0]):
            place = (free[0].start, free[0].end) if free else None
            likely = reading.inform * reading.values[value]
            yield SlotValue(brief.name, value, likely, place, firm=bool(own))
            return


def _make_value_at(span: Span, reading: SlotReading, message: str) -> SlotValue:
    end = span.end
    # Half a word is never what was said.
    while end < len(message) and message[end].isalnum() and message[end - 1].isalnum():
        end += 1
    likely = reading.inform * span.probability
    return SlotValue(reading.name, message[span.start : end].strip(), likely, (span.start, end))


def _resolve_clashes(
    found: Mapping[str, Sequence[SlotValue]], message: str, lang: Language
) -> list[SlotValue]:
    """Resolve overlaps: the surest value first; a later one takes its next guess, or none."""
    kept: dict[str, SlotValue] = {}
    for guesses in sorted(found.values(), key=_rank_weakness):
        for number, one in enumerate(guesses):
            guess = _cut_before(one, kept.values(), message, lang)
            likely = number == 0 or guess.confidence > _MIN_SECOND_GUESS
            if likely and not any(_overlaps(guess, other) for other in kept.values()):
                kept[guess.slot] = guess
                break
    return [kept[name] for name in found if name in kept]


def _cut_before(
    guess: SlotValue, others: Iterable[SlotValue], message: str, lang: Language
) -> SlotValue:
    """Of words that run on into another value, those before it: the "ann" of "ann 25"."""
    if guess.place is None or not guess.cuttable:
        return guess
    start, end = guess.place
    behind = [o.place[0] for o in others if o.place and start < o.place[0] and o.place[1] <= end]
    before = message[start : min(behind, default=end)].rstrip()
    said = lang.pattern("name.leading").sub("", before)
    if not behind or not said:
        return guess
    return replace(guess, value=said, place=(start, start + len(said)), wider=None)


def _rank_weakness(guesses: Sequence[SlotValue]) -> tuple[bool, bool, float]:
    first = guesses[0]
    return not first.named, not first.firm, -first.confidence


def _overlaps(one: SlotValue, other: SlotValue) -> bool:
    if one.place is None or other.place is None:
        return False
    return one.place[0] < other.place[1] and other.place[0] < one.place[1]


def is_same_value(said: Any, known: Any) -> bool:
    """Whether a value is the one that is known, however it is spelt."""
    return known is not None and str(said).strip().casefold() == str(known).strip().casefold()


_SENTENCE_START: Final = re.compile(r"(?:^|[.!?]\s+)\W*$")
# How sure it must be that the slot is filled, and where the name stands.
_MIN_INFORM: Final = 0.03
_MIN_SPAN: Final = 0.7
# A sentence begins with a capital anyhow.
_MIN_FIRST_WORD: Final = 0.95
# What has a form of its own is no name: "Friday".
_DAY: Final = SlotBrief(name="day", flow="", type="date")


def assign_unclaimed_names(
    message: str,
    slots: Sequence[SlotBrief],
    read: Iterable[SlotReading],
    values: Mapping[str, Any],
    context: DialogueContext,
) -> dict[str, str]:
    """By slot the name that stands there, where the slot has no value and the name no slot."""
    if message.isupper():
        return {}
    own = {slot.name: slot for slot in slots if slot.kind.is_short_text and slot.name not in values}
    likely = sorted((one for one in read if one.name in own), key=lambda one: -one.inform)
    taken = [normalise(str(value)) for value in values.values()]
    found: dict[str, str] = {}
    lang = find_language(context.language)
    for one in likely:
        name = _find_name(message, one, lang)
        if name is None or _is_taken(name, taken, lang) or accepts_value(_DAY, name, context):
            continue
        if not any(slot.kind.has_values and find_choice(name, slot, lang) for slot in slots):
            found[one.name] = name
            taken.append(normalise(name))
    return found


def _find_name(message: str, read: SlotReading, lang: Language) -> str | None:
    first = next(iter(read.spans), Span(0, 0, 0.0))
    name = message[first.start : first.end]
    least = _MIN_FIRST_WORD if _SENTENCE_START.search(message, 0, first.start) else _MIN_SPAN
    sure = first.probability >= least and read.inform >= max(_MIN_INFORM, read.dontcare)
    return name if sure and lang.pattern("name.capitals").fullmatch(name) else None


def _is_taken(name: str, taken: Iterable[str], lang: Language) -> bool:
    words = extract_words(normalise(name), lang)
    return not words or any(words & extract_words(value, lang) for value in taken)
