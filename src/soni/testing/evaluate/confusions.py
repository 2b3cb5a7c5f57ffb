"""Confusions: what was understood in place of what."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from soni.testing.evaluate.meaning import Unit
from soni.testing.evaluate.sample import Reading

NOTHING = "nothing"
_PairNamer = Callable[[Unit | None, Unit | None], tuple[str, str] | None]


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
    return _group_pairs(readings, _name_pair)


def find_wrong_values(readings: Sequence[Reading]) -> list[Confusion]:
    """Wrong values by slot; the most frequent first."""
    return _group_pairs(readings, _name_values)


def _group_pairs(readings: Sequence[Reading], name_pair: _PairNamer) -> list[Confusion]:
    found: dict[tuple[str, str], Confusion] = {}
    for reading in readings:
        for expected, got in _pair_units(reading):
            names = name_pair(expected, got)
            if names is not None:
                found.setdefault(names, Confusion(*names)).examples.append(reading)
    return sorted(found.values(), key=lambda each: (-each.count, each.expected, each.got))


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


def _name_pair(expected: Unit | None, got: Unit | None) -> tuple[str, str] | None:
    """The types; with flow or slot, where the types are the same. None: only values differ."""
    if expected is None or got is None or expected.type != got.type:
        return expected.type if expected else NOTHING, got.type if got else NOTHING
    if expected.of == got.of:
        return None
    return f"{expected.type} {expected.of}".strip(), f"{got.type} {got.of}".strip()


def _name_values(expected: Unit | None, got: Unit | None) -> tuple[str, str] | None:
    if expected is None or got is None or not _is_same_place(expected, got):
        return None
    return f"{expected.of} {expected.text}", got.text
