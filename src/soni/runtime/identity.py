"""Ids that a repeated message makes again: the effects ledger recognises it by them."""

import hashlib
from itertools import count

from soni.core.protocols import NewId


def make_seeded_ids(
    conversation_id: str, turn: int, message_id: str | None, *, resets: int = 0
) -> NewId:
    """A generator of flow ids for one turn.

    `resets` is how often the conversation was forgotten: its turns are numbered anew, but what
    they do is not what was done before.
    """
    numbers = count()
    # A message that has an id may be sent again after others; one without is known by its place.
    origin = ("turn", str(turn)) if message_id is None else ("message", message_id)

    def new_id(flow_name: str) -> str:
        seed = "\0".join((conversation_id, str(resets), *origin, str(next(numbers))))
        digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass"))
        return f"{flow_name}_{digest.hexdigest()[:12]}"

    return new_id
