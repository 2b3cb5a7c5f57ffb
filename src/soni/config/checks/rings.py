"""What leads back to itself, in any graph of names."""

from collections.abc import Collection, Iterator, Mapping


def rings(after: Mapping[str, Collection[str]]) -> list[set[str]]:
    """Groups of names each of which leads to all of its group, itself included.

    In time that grows with the names and ways alone (Tarjan's algorithm, without recursion).
    """
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_names: dict[str, None] = {}
    found: list[set[str]] = []
    for start in after:
        if start in order:
            continue
        trail: list[tuple[str, Iterator[str]]] = []
        _enter(start, after, order, lowest, open_names, trail)
        while trail:
            here, ways = trail[-1]
            ahead = next((each for each in ways if each in after), None)
            if ahead is None:
                trail.pop()
                if trail:
                    above = trail[-1][0]
                    lowest[above] = min(lowest[above], lowest[here])
                if lowest[here] == order[here]:
                    found.append(_take_ring(here, open_names))
            elif ahead not in order:
                _enter(ahead, after, order, lowest, open_names, trail)
            elif ahead in open_names:
                lowest[here] = min(lowest[here], order[ahead])
    return [ring for ring in found if len(ring) > 1 or any(each in after[each] for each in ring)]


def _enter(
    name: str,
    after: Mapping[str, Collection[str]],
    order: dict[str, int],
    lowest: dict[str, int],
    open_names: dict[str, None],
    trail: list[tuple[str, Iterator[str]]],
) -> None:
    order[name] = lowest[name] = len(order)
    open_names[name] = None
    trail.append((name, iter(after[name])))


def _take_ring(name: str, open_names: dict[str, None]) -> set[str]:
    """Take everything that was opened since `name`, which it leads back to."""
    ring: set[str] = set()
    while name not in ring:
        ring.add(open_names.popitem()[0])
    return ring
