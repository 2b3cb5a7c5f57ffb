"""Whether a regular expression may take exponentially long over a text that it does not match.

It does where something repeated can read the same text in two ways: of n repetitions there are 2**n
ways to read them, and where the rest does not match, all are tried. Found by walking two readers at
once through the expression, both reading the same signs, until they have parted and met again.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any

_parser: Any = import_module("re._parser")

# Whatever one part of an expression may tell from another.
_SIGNS = string.printable + "áéíóúñüºª¿¡€£\u2019\u2013\u00a0ж"
# Bounded repetitions are written out, but not more often than this.
_COPIES = 8
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_SILENT = ("AT", "ASSERT", "ASSERT_NOT", "GROUPREF")
# An expression without any of these repeats nothing without end: most are words alone.
_ENDLESS = re.compile(r"[*+]|,\}")

Follows = Mapping[int, Counter[int]]
"""Of each place that reads, those that may read next, and in how many ways they are come to."""


@dataclass
class _Net:
    """Places with ways that read nothing, and places that read one of some signs."""

    signs: str
    known: dict[str, frozenset[str]]
    """The signs that parts like this one read."""

    free: list[list[int]] = field(default_factory=list)
    reads: dict[int, tuple[frozenset[str], int]] = field(default_factory=dict)
    """The signs, and the place behind them."""

    def place(self, *before: int) -> int:
        self.free.append([])
        new = len(self.free) - 1
        for one in before:
            self.free[one].append(new)
        return new

    def add(self, items: Sequence[Any], start: int, flags: int) -> int:
        """Put a part of an expression behind a place; the place behind it."""
        for op, given in items:
            start = self._add(str(op), given, start, flags)
        return start

    def _add(self, op: str, given: Any, start: int, flags: int) -> int:
        if op == "FAILURE" or (op == "ASSERT_NOT" and not given[1]):
            # A class without words: nothing comes behind it.
            return self.place()
        if op in _SILENT:
            return start
        if op in _REPEATS:
            return self._add_repeat(*given, start, flags)
        if op == "ATOMIC_GROUP":
            return self.add(given, start, flags)
        if op == "SUBPATTERN":
            _, more, less, items = given
            return self.add(items, start, (flags | more) & ~less)
        if op == "BRANCH":
            return self.place(*(self.add(one, self.place(start), flags) for one in given[1]))
        here, behind = self.place(start), self.place()
        self.reads[here] = self._accepted(op, given, flags), behind
        return behind

    def _accepted(self, op: str, given: Any, flags: int) -> frozenset[str]:
        key = f"{op} {given} {flags}"
        if key not in self.known:
            self.known[key] = frozenset(s for s in self.signs if _reads(op, given, s, flags))
        return self.known[key]

    def _add_repeat(self, least: int, most: int, items: Any, start: int, flags: int) -> int:
        for _ in range(min(least, _COPIES)):
            start = self.add(items, start, flags)
        if most == _parser.MAXREPEAT:
            ring = self.place()
            self.free[self.add(items, self.place(start, ring), flags)].append(ring)
            return self.place(start, ring)
        ends = [start]
        for _ in range(min(most - least, _COPIES)):
            ends.append(self.add(items, self.place(ends[-1]), flags))
        return self.place(*ends)

    def ways(self, place: int) -> Counter[int]:
        """The next places that read, and in how many ways they are come to."""
        found: Counter[int] = Counter()
        trails = [(place, frozenset([place]))]
        while trails:
            at, seen = trails.pop()
            if at in self.reads:
                found[at] += 1
            trails += [(to, seen | {to}) for to in self.free[at] if to not in seen]
        return found


def ambiguous(pattern: re.Pattern[str]) -> str | None:
    """A text that something repeated in the pattern can read in two ways; None: there is none."""
    if not _ENDLESS.search(pattern.pattern):
        return None
    signs = "".join(sorted({*_SIGNS, *pattern.pattern}))
    net = _Net(signs, _known_parts(signs))
    net.add(_parser.parse(pattern.pattern, pattern.flags), net.place(), pattern.flags)
    follows = {place: net.ways(behind) for place, (_, behind) in net.reads.items()}
    found = (_read_twice(net, follows, ring) for ring in _rings(follows))
    return next((said for said in found if said is not None), None)


@cache
def _known_parts(signs: str) -> dict[str, frozenset[str]]:
    """What was worked out for other expressions: nearly all are made of the same signs."""
    return {}


def _reads(op: str, given: Any, sign: str, flags: int) -> bool:
    """Whether a part of an expression that reads one sign reads this one."""
    forms = {sign, sign.lower(), sign.upper()} if flags & re.IGNORECASE else {sign}
    forms = {one for one in forms if len(one) == 1}
    if op == "ANY":
        return sign != "\n" or bool(flags & re.DOTALL)
    if op == "IN":
        negated = str(given[0][0]) == "NEGATE"
        inside = any(_reads(str(kind), told, f, 0) for kind, told in given[negated:] for f in forms)
        return inside != negated
    if op == "RANGE":
        return any(given[0] <= ord(one) <= given[1] for one in forms)
    if op == "CATEGORY":
        name = str(given).removeprefix("CATEGORY_")
        kind = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}[name.removeprefix("NOT_")]
        return (re.match(kind, sign) is None) == name.startswith("NOT_")
    same = any(given == ord(one) for one in forms)
    return same != (op == "NOT_LITERAL")


def _rings(follows: Follows) -> Iterator[frozenset[int]]:
    """Groups of places each of which may come after each."""
    before: dict[int, list[int]] = {place: [] for place in follows}
    for place, next_ in follows.items():
        for to in next_:
            before[to].append(place)
    seen: set[int] = set()
    order = [place for start in follows for place in _walked(start, follows, seen)]
    seen = set()
    for place in reversed(order):
        ring = frozenset(_walked(place, before, seen))
        if len(ring) > 1 or any(one in follows[one] for one in ring):
            yield ring


def _walked(start: int, ways: Mapping[int, Iterable[int]], seen: set[int]) -> list[int]:
    """The places that are come to for the first time, each behind those that come after it."""
    if start in seen:
        return []
    seen.add(start)
    done: list[int] = []
    trail = [(start, iter(ways[start]))]
    while trail:
        place, left = trail[-1]
        to = next((one for one in left if one not in seen), None)
        if to is None:
            done.append(place)
            trail.pop()
        else:
            seen.add(to)
            trail.append((to, iter(ways[to])))
    return done


def _read_twice(net: _Net, follows: Follows, ring: frozenset[int]) -> str | None:
    """What two readers have read between parting in a ring and meeting again."""
    trails: list[tuple[int, int, str]] = []
    for place in sorted(ring):
        said = min(net.reads[place][0], default="")
        if any(follows[place][to] > 1 for to in ring):
            return said
        trails.append((place, place, said))
    parted: set[tuple[int, int]] = set()
    for one, other, said in trails:
        for a, b in product(follows[one].keys() & ring, follows[other].keys() & ring):
            both = net.reads[a][0] & net.reads[b][0]
            if both and a == b and one != other:
                return said + min(both)
            pair = (min(a, b), max(a, b))
            if both and a != b and pair not in parted:
                parted.add(pair)
                trails.append((*pair, said + min(both)))
    return None
