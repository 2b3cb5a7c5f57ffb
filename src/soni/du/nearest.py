"""The texts and flows that are most similar to a message in meaning."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

from soni.du.context import FlowBrief
from soni.du.workers import run_in_thread
from soni.language import find_language

_MAX_TEXTS: Final = 500
"""The most texts that are compared: encoding one takes some ten milliseconds, once."""


async def find_nearest_texts(
    question: str, texts: Sequence[Sequence[str]], limit: int
) -> list[int]:
    """The indexes of the most similar texts, the best first; a text has several wordings."""
    if limit <= 0 or len(texts) <= limit:
        return list(range(len(texts)))[: max(0, limit)]
    return await run_in_thread(partial(_rank_texts, question, texts, limit))


async def find_nearest_flows(
    message: str, flows: Sequence[FlowBrief], at_work: Collection[str], limit: int, language: str
) -> Sequence[FlowBrief]:
    """All flows if they are few; else those on the stack, then those most like the message."""
    if len(flows) <= limit or not message:
        return flows
    kept = [flow for flow in flows if flow.name in at_work][:limit]
    others = [flow for flow in flows if flow.name not in at_work]
    # Encoding hundreds of flows takes seconds the first time, and must not block the event loop.
    rank = partial(_rank_flows, message, others, limit - len(kept), language)
    near = await run_in_thread(rank)
    return [*kept, *near]


def _rank_flows(
    message: str, flows: Sequence[FlowBrief], limit: int, language: str
) -> Sequence[FlowBrief]:
    """By meaning; in a language without a model, flows that share words come first."""
    # Lazy: only assistants with many flows get here, and the others need no model for it.
    from soni.du.encoder.blas import use_one_thread
    from soni.du.local.analysis import load_models
    from soni.du.local.lexical.flows import rank_flow_matches

    lang = find_language(language)
    said = [] if lang.has_models else rank_flow_matches(message, flows, lang)
    by_name = {flow.name: flow for flow in flows}
    named = {match.flow: by_name[match.flow] for match in said[:limit]}
    with use_one_thread():
        # Always the whole set, since the encoded flows are cached per set.
        alike = load_models().find_nearest_flows(message, flows, limit + len(named))
    return [*named.values(), *(flow for flow in alike if flow.name not in named)][:limit]


def _rank_texts(question: str, texts: Sequence[Sequence[str]], limit: int) -> list[int]:
    from soni.du.encoder.blas import use_one_thread
    from soni.du.local.analysis import load_models

    owners = [at for at, wordings in enumerate(texts) for _ in wordings][:_MAX_TEXTS]
    said = [wording for wordings in texts for wording in wordings][:_MAX_TEXTS]
    best: dict[int, float] = {}
    with use_one_thread():
        alike = load_models().compare_texts(load_models().encode_message(question), said)
    for at, likeness in zip(owners, alike, strict=True):
        best[at] = max(likeness, best.get(at, -1.0))
    return sorted(best, key=lambda at: (-best[at], at))[:limit]
