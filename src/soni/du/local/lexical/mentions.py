"""Which slot words name, whatever language its author wrote in."""

from collections.abc import Iterable
from functools import lru_cache

from soni.du.context import SlotBrief
from soni.du.local.lexical.stems import (
    fold_text,
    is_same_stem,
    stem_text,
    stem_word,
    translate_stem,
)
from soni.du.local.words.words import extract_words, speak_name
from soni.language import Language

# Those of a slot's name say more than those of its description.
_NAME, _KIND, _DESCRIPTION = 3.0, 2.0, 1.0


def find_slot_by_stems(text: str, slots: Iterable[SlotBrief], lang: Language) -> SlotBrief | None:
    """The slot that most of the words are of; None if there is none, or there are several."""
    said = stem_text(text, lang) or _find_day_words(text, lang)
    scored = [(_measure_likeness(said, slot, lang), slot) for slot in slots]
    best = max((score for score, _ in scored), default=0.0)
    named = [slot for score, slot in scored if score == best]
    return named[0] if said and best >= 1 and len(named) == 1 else None


def _find_day_words(text: str, lang: Language) -> frozenset[str]:
    known = lang.words("lexical.day_word")
    return frozenset(stem_word(word, lang) for word in text.split() if word in known)


def _measure_likeness(said: frozenset[str], slot: SlotBrief, lang: Language) -> float:
    groups = _list_slot_words(slot.name, slot.type, slot.description, lang)
    best = (
        max((weight for weight, words in groups if _holds_word(word, words, lang)), default=0.0)
        for word in said
    )
    return sum(best) / max(1, len(said))


@lru_cache(maxsize=1024)
def _list_slot_words(
    name: str, kind: str, description: str, lang: Language
) -> tuple[tuple[float, frozenset[str]], ...]:
    called = (noun for noun, kinds in lang.table("mentions.called").items() if kind in kinds)
    return (
        (_NAME, stem_text(speak_name(name), lang) | extract_words(speak_name(name), lang)),
        (_KIND, frozenset(stem_word(fold_text(noun), lang) for noun in called)),
        (_DESCRIPTION, stem_text(description, lang) | extract_words(description.casefold(), lang)),
    )


def _holds_word(word: str, words: frozenset[str], lang: Language) -> bool:
    if any(is_same_stem(word, other) for other in words):
        return True
    return bool(translate_stem(word, lang) & words)
