"""Providers side by side on the same dialogues: what they understand and what they cost."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.understanding.sgd.answers import Answers, Remembering
from benchmarks.understanding.sgd.as_engine import AsEngine
from benchmarks.understanding.sgd.conversation import hold
from benchmarks.understanding.sgd.dialogues import Dialogue, schema
from benchmarks.understanding.sgd.schema import assistant
from benchmarks.understanding.sgd.tally import Tally
from benchmarks.understanding.sgd.watch import Watched
from soni.config.settings import Nlu
from soni.du.cascade import CascadeNLU
from soni.du.llm import LanguageModelNLU
from soni.du.local import LocalNLU

NAMES = ("local", "llm", "cascade")
SECONDS = 3600.0
"""How long a message may take: a machine that others use as well is slow at times."""


@dataclass(frozen=True)
class Model:
    """The language model that is asked."""

    name: str
    base_url: str
    answers: Path
    threshold: float = Nlu().threshold


def language_model(model: Model) -> LanguageModelNLU:
    """The model as an assistant's settings would have it."""
    from soni.du import SlotExtractor, SoniDU
    from soni.du.llm.client import LanguageModel

    settings = Nlu(model=model.name, base_url=model.base_url, timeout=SECONDS)
    return LanguageModelNLU(LanguageModel(settings), SoniDU(), SlotExtractor())


async def measured(name: str, dialogues: Sequence[Dialogue], model: Model | None) -> Tally:
    """Hold the dialogues with a provider."""
    services, tally, report = schema("dev"), Tally(), _progress(name, len(dialogues))
    if name == "local":
        watched = Watched(LocalNLU())
        return await _held(watched, dialogues, services, tally, report)
    assert model is not None
    asked = language_model(model)
    remembering = Remembering(asked, Answers(model.answers))
    heard = AsEngine(remembering)
    provider = heard if name == "llm" else _cascade(heard, model)
    try:
        watched = Watched(provider, remembering)
        return await _held(watched, dialogues, services, tally, report)
    finally:
        await asked.aclose()


def _cascade(model: AsEngine, settings: Model) -> CascadeNLU:
    return CascadeNLU(LocalNLU(), model, threshold=settings.threshold, timeout=SECONDS)


async def _held(
    watched: Watched,
    dialogues: Sequence[Dialogue],
    services: dict[str, dict[str, object]],
    tally: Tally,
    report: Callable[[Tally], None],
) -> Tally:
    for dialogue in dialogues:
        generated = assistant([services[name] for name in dialogue.services])
        watched.took.clear()
        held = await hold(dialogue, generated, watched)
        tally.add(held, watched.took, generated)
        report(tally)
    return tally


def _progress(name: str, whole: int) -> Callable[[Tally], None]:
    start = time.monotonic()

    def report(tally: Tally) -> None:
        spent = time.monotonic() - start
        left = spent / tally.dialogues * (whole - tally.dialogues)
        now = f"{tally.dialogues} of {whole} dialogues, {tally.scores.turns} messages"
        print(f"{name}: {now}, {left / 60:.0f} min left", file=sys.stderr, flush=True)

    return report
