"""Rings: compared with following every way from every name."""

from hypothesis import given
from hypothesis import strategies as st

from soni.config.checks.graph import find_cycles

NAMES = st.sampled_from("abcdef")


def reached(start: str, after: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    todo = list(after[start])
    while todo:
        here = todo.pop()
        if here in after and here not in seen:
            seen.add(here)
            todo += after[here]
    return seen


@given(st.dictionaries(NAMES, st.sets(NAMES)))
def test_a_ring_is_what_leads_to_each_other(after: dict[str, set[str]]) -> None:
    ahead = {name: reached(name, after) for name in after}
    expected = {
        frozenset(other for other in ahead[name] if name in ahead[other])
        for name in after
        if name in ahead[name]
    }
    found = find_cycles(after)
    assert {frozenset(ring) for ring in found} == expected
    assert len(found) == len(expected)


def test_a_ring_of_very_many_names_is_found() -> None:
    size = 20_000
    after = {str(number): {str((number + 1) % size)} for number in range(size)}
    assert [len(ring) for ring in find_cycles(after)] == [size]
