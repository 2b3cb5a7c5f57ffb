"""What is not right in the frames after a message, and which of it the message brought."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.understanding.sgd.conversation import Held
from benchmarks.understanding.sgd.match import AGREES, score
from benchmarks.understanding.sgd.schema import Generated

Mistake = tuple[str, str, str, str]
"""Service, slot or "intent", what is right, what is there."""

NOTHING = ""


def standing(held: Held, generated: Generated) -> frozenset[Mistake]:
    """The slots and intents that are wrong now, whichever message made them so."""
    found: set[Mistake] = set()
    for service, frame in held.frames.items():
        right = held.turn.state[service]
        if frame.intent != right["active_intent"]:
            found.add((service, "intent", right["active_intent"], frame.intent))
        for slot in generated.services[service]["slots"]:
            name = slot["name"]
            wanted, got = right["slot_values"].get(name), frame.slots.get(name)
            agrees = wanted is got is None
            if wanted is not None and got is not None:
                agrees = score(slot, wanted, got) >= AGREES
            if not agrees:
                found.add((service, name, "/".join(wanted or ()), got or NOTHING))
    return frozenset(found)


def misheard(held: Held) -> Iterator[tuple[str, str]]:
    """Slots that the message asks about and was not heard to, or the other way round."""
    for service, frame in held.frames.items():
        for slot in frame.requested ^ frozenset(held.turn.state[service]["requested_slots"]):
            yield service, slot
