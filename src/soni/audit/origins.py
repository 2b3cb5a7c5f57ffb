"""Origins: where the values of a conversation come from, by the evidence in its journal."""

from collections.abc import Iterable, Mapping
from typing import Any

from soni.audit.turn import RecordedTurn
from soni.runtime.evidence import describe_span

Origins = dict[tuple[str, str], str]
"""By flow instance and slot, in words. `CONVERSATION` stands for the conversation's own slots."""


def find_origins(turns: Iterable[RecordedTurn]) -> Origins:
    """Where each value that was stored last comes from."""
    origins: Origins = {}
    for turn in turns:
        if turn.entry.status in ("reset", "erased"):
            origins.clear()
        for owner, slots in turn.evidence.items():
            for slot, evidence in slots.items():
                how = _describe_evidence(evidence, turn.message)
                origins[owner, slot] = f"turn {turn.entry.turn}, {how}"
    return origins


def _describe_evidence(evidence: Mapping[str, Any], message: str | None) -> str:
    by = str(evidence.get("by"))
    if by == "user":
        words = describe_span(evidence, message)
        said = "button" if evidence.get("how") == "button" else f'"{words}"' if words else "said"
        return f"corrected: {said}" if evidence.get("correction") else said
    names = (str(evidence[key]) for key in ("action", "step") if evidence.get(key))
    return f"{by} {next(names, '')}".rstrip()
