"""Which texts are most like a question, by their sense."""

import asyncio
from collections.abc import Sequence
from typing import Final

_READ: Final = 500
"""Texts that are compared: each has to be read once, and that takes some ten milliseconds."""


async def nearest(question: str, texts: Sequence[Sequence[str]], limit: int) -> list[int]:
    """The places of the nearest, the nearest first; each has several wordings."""
    if limit <= 0 or len(texts) <= limit:
        return list(range(len(texts)))[: max(0, limit)]
    return await asyncio.to_thread(_ranked, question, texts, limit)


def _ranked(question: str, texts: Sequence[Sequence[str]], limit: int) -> list[int]:
    from soni.du.local.mind import mind

    owners = [at for at, wordings in enumerate(texts) for _ in wordings][:_READ]
    said = [wording for wordings in texts for wording in wordings][:_READ]
    best: dict[int, float] = {}
    asked = mind().sentence(question)
    for at, alike in zip(owners, mind().likeness_of(asked, said), strict=True):
        best[at] = max(alike, best.get(at, -1.0))
    return sorted(best, key=lambda at: (-best[at], at))[:limit]
