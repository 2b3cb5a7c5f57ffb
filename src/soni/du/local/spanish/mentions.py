"""Which slot Spanish words name, whatever language its author wrote in."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from soni.du.context import SlotBrief
from soni.du.local.spanish.dictionary import in_english
from soni.du.local.spanish.stems import alike, fold, stem, stems
from soni.du.local.words.words import content, spoken
from soni.language import find_language

# What slots of a kind are called, whatever they are for.
_CALLED: Final = {
    "money": ("importe", "cantidad", "dinero", "precio", "presupuesto"),
    "date": ("fecha", "día"),
    "time": ("hora",),
    "datetime": ("fecha", "día", "hora"),
    "duration": ("duración", "tiempo"),
    "phone": ("teléfono", "móvil", "celular", "número"),
    "email": ("correo", "email", "mail"),
}
# Those of a slot's name say more than those of its description.
_NAME, _KIND, _DESCRIPTION = 3.0, 2.0, 1.0
_DAY: Final = frozenset({"dia", "dias", "tarde", "manana"})


def named_slot(text: str, slots: Iterable[SlotBrief]) -> SlotBrief | None:
    """The slot that most of the words are of; None if there is none, or there are several."""
    said = stems(text) or frozenset(stem(word) for word in text.split() if word in _DAY)
    scored = [(_likeness(said, slot), slot) for slot in slots]
    best = max((score for score, _ in scored), default=0.0)
    named = [slot for score, slot in scored if score == best]
    return named[0] if said and best >= 1 and len(named) == 1 else None


def _likeness(said: frozenset[str], slot: SlotBrief) -> float:
    groups = _words(slot.name, slot.type, slot.description)
    best = (max((w for w, words in groups if _has(word, words)), default=0.0) for word in said)
    return sum(best) / max(1, len(said))


@lru_cache(maxsize=1024)
def _words(name: str, kind: str, description: str) -> tuple[tuple[float, frozenset[str]], ...]:
    """What a slot is called, and how much each name for it says."""
    return (
        (_NAME, stems(spoken(name)) | content(spoken(name), find_language("es"))),
        (_KIND, frozenset(stem(fold(called)) for called in _CALLED.get(kind, ()))),
        (_DESCRIPTION, stems(description) | content(description.casefold(), find_language("es"))),
    )


def _has(word: str, words: frozenset[str]) -> bool:
    return any(alike(word, other) for other in words) or bool(in_english(word) & words)
