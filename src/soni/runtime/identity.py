"""Ids that a repeated message makes again: the effects ledger recognises it by them."""

import hashlib
from itertools import count

from soni.core.protocols import NewId


def seeded_ids(conversation_id: str, turn: int, message_id: str | None) -> NewId:
    """A generator of flow ids for one turn."""
    numbers = count()

    def new_id(flow_name: str) -> str:
        seed = "\0".join((conversation_id, str(turn), message_id or "", str(next(numbers))))
        return f"{flow_name}_{hashlib.sha256(seed.encode()).hexdigest()[:12]}"

    return new_id
