"""Confusions: what was understood in place of what."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from soni.testing.evaluate.meaning import Unit
from soni.testing.evaluate.sample import Reading

NOTHING = "nothing"


@dataclass
class Confusion:
    """A confusion of two things, with the readings in which it occurs."""

    expected: str
    got: str
    examples: list[Reading] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How often."""
        return len(self.examples)


def find_confusions(readings: Sequence[Reading]) -> list[Confusion]:
    """Confused types, and confused flows and slots of one type; the most frequent first."""
    found: dict[tuple[str, str], Confusion] = {}
    for reading in readings:
        for expected, got in _pair_units(reading):
            if expected is not None and got is not None and _is_same_place(expected, got):
                continue  # only its value is wrong
            names = _name_pair(expected, got)
            found.setdefault(names, Confusion(*names)).examples.append(reading)
    return _sort_confusions(found.values())


def find_wrong_values(readings: Sequence[Reading]) -> list[Confusion]:
    """Wrong values by slot; the most frequent first."""
    found: dict[tuple[str, str], Confusion] = {}
    for reading in readings:
        for expected, got in _pair_units(reading):
            if expected is not None and got is not None and _is_same_place(expected, got):
                names = (f"{expected.of} {expected.text}", got.text)
                found.setdefault(names, Confusion(*names)).examples.append(reading)
    return _sort_confusions(found.values())


def _sort_confusions(found: Iterable[Confusion]) -> list[Confusion]:
    return sorted(found, key=lambda each: (-each.count, each.expected, each.got))


def _pair_units(reading: Reading) -> Iterator[tuple[Unit | None, Unit | None]]:
    """Pairs of expected and understood units: the most similar first, the rest in order."""
    missed = sorted(reading.expected - reading.got)
    extra = sorted(reading.got - reading.expected)
    for likeness in (_is_same_place, _is_same_slot, _is_same_type):
        for expected in list(missed):
            got = next((unit for unit in extra if likeness(expected, unit)), None)
            if got is not None:
                missed.remove(expected)
                extra.remove(got)
                yield expected, got
    while missed or extra:
        yield missed.pop(0) if missed else None, extra.pop(0) if extra else None


def _is_same_place(one: Unit, other: Unit) -> bool:
    return (one.type, one.of) == (other.type, other.of)


def _is_same_slot(one: Unit, other: Unit) -> bool:
    return bool(one.of) and one.of == other.of


def _is_same_type(one: Unit, other: Unit) -> bool:
    return one.type == other.type


def _name_pair(expected: Unit | None, got: Unit | None) -> tuple[str, str]:
    """The types; with flow or slot, where the types are the same."""
    if expected is not None and got is not None and expected.type == got.type:
        return _format_unit(expected), _format_unit(got)
    return expected.type if expected else NOTHING, got.type if got else NOTHING


def _format_unit(unit: Unit) -> str:
    return f"{unit.type} {unit.of}".strip()
