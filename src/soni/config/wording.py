"""Words that all problems share."""

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from typing import Any

_SHOWN = 40

# Likeness is costly to tell, and among thousands of names a guess helps little.
_COMPARED = 200


def clip(text: str) -> str:
    """A text short enough to be quoted in a sentence."""
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def find_nearest(word: str, names: Iterable[str]) -> str | None:
    """A guess at the name that was meant."""
    said = word[:100].casefold()
    known = {name.casefold(): name for name in names}
    if len(known) > _COMPARED:
        near_in_length = sorted(known, key=lambda name: abs(len(name) - len(said)))
        known = {name: known[name] for name in near_in_length[:_COMPARED]}
    near = get_close_matches(said, known, n=2)
    if len(near) == 2 and _measure_likeness(near[0], said) > _measure_likeness(near[1], said):
        near.pop()
    guesses = " or ".join(f"'{known[name]}'" for name in sorted(near))
    return f"did you mean {guesses}?" if near else None


def _measure_likeness(name: str, said: str) -> float:
    return SequenceMatcher(None, name, said).ratio()


def describe_value(value: Any) -> str:
    """What an author wrote, in words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text '{clip(value)}'"
    if isinstance(value, int | float):
        return f"the number {clip(str(value))}"
    return "a list" if isinstance(value, list | tuple) else "a mapping"
