"""What is most like a message, by its sense: texts, and flows."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Final

from soni.du.context import FlowBrief
from soni.language import find_language

_READ: Final = 500
"""Texts that are compared: each has to be read once, and that takes some ten milliseconds."""


async def find_nearest_texts(
    question: str, texts: Sequence[Sequence[str]], limit: int
) -> list[int]:
    """The places of the nearest, the nearest first; each has several wordings."""
    if limit <= 0 or len(texts) <= limit:
        return list(range(len(texts)))[: max(0, limit)]
    return await asyncio.to_thread(_rank_texts, question, texts, limit)


async def nearest_flows(
    message: str,
    flows: Sequence[FlowBrief],
    at_work: Collection[str],
    limit: int,
    language: str = "en",
) -> Sequence[FlowBrief]:
    """All flows if they are few; of many those at work, then those most like the message."""
    if len(flows) <= limit or not message:
        return flows
    kept = [flow for flow in flows if flow.name in at_work][:limit]
    others = [flow for flow in flows if flow.name not in at_work]
    # Reading hundreds of flows takes seconds the first time, and others are talking.
    near = await asyncio.to_thread(_near, message, others, limit - len(kept), language)
    return [*kept, *near]


def _near(
    message: str, flows: Sequence[FlowBrief], limit: int, language: str
) -> Sequence[FlowBrief]:
    """By the sense of the words; without a model for the language, first by the words."""
    # Few assistants have so many flows, and the others need not load a model for this.
    from soni.du.local.analysis import load_models
    from soni.du.local.lexical.flows import matches

    lang = find_language(language)
    said = [] if lang.has_models else matches(message, flows, lang)
    by_name = {flow.name: flow for flow in flows}
    named = {match.flow: by_name[match.flow] for match in said[:limit]}
    # All of them, whatever is said: what is worked out for a set of flows is kept.
    alike = load_models().nearest(message, flows, limit + len(named))
    return [*named.values(), *(flow for flow in alike if flow.name not in named)][:limit]


def _rank_texts(question: str, texts: Sequence[Sequence[str]], limit: int) -> list[int]:
    from soni.du.local.analysis import load_models

    owners = [at for at, wordings in enumerate(texts) for _ in wordings][:_READ]
    said = [wording for wordings in texts for wording in wordings][:_READ]
    best: dict[int, float] = {}
    asked = load_models().sentence(question)
    for at, alike in zip(owners, load_models().likeness_of(asked, said), strict=True):
        best[at] = max(alike, best.get(at, -1.0))
    return sorted(best, key=lambda at: (-best[at], at))[:limit]
