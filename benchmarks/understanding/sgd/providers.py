"""Providers side by side on the same dialogues: what they understand and what they cost."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.understanding.sgd.answers import Answers, Remembering
from benchmarks.understanding.sgd.as_engine import AsEngine
from benchmarks.understanding.sgd.conversation import Held, hold
from benchmarks.understanding.sgd.dialogues import Dialogue, schema
from benchmarks.understanding.sgd.schema import Generated, assistant
from benchmarks.understanding.sgd.tally import Tally
from benchmarks.understanding.sgd.watch import Took, Watched
from soni.config.settings import Nlu
from soni.du.cascade import CascadeNLU
from soni.du.llm import LanguageModelNLU
from soni.du.local.provider import LocalNLU

SECONDS = 3600.0
"""How long a message may take: a machine that others use as well is slow at times."""


@dataclass(frozen=True)
class Model:
    """The language model that is asked."""

    name: str
    base_url: str
    answers: Path
    threshold: float = Nlu().threshold
    known: bool = False
    """Nobody is asked: only what was answered before counts."""


def language_model(model: Model) -> LanguageModelNLU:
    """The model as an assistant's settings would have it."""
    from soni.du import SlotExtractor, SoniDU
    from soni.du.llm.client import LanguageModel

    settings = Nlu(model=model.name, base_url=model.base_url, timeout=SECONDS)
    return LanguageModelNLU(LanguageModel(settings), SoniDU(), SlotExtractor())


async def measured(name: str, dialogues: Sequence[Dialogue], model: Model) -> Tally:
    """Hold the dialogues with a provider."""
    tally, report = Tally(), _progress(name, len(dialogues))
    asked = None if name == "local" or model.known else language_model(model)
    watched = _watched(name, model, asked)
    try:
        for dialogue in dialogues:
            tally.add(*await _held(dialogue, watched))
            report(tally)
    finally:
        if asked is not None:
            await asked.aclose()
    return tally


async def known(name: str, dialogues: Sequence[Dialogue], model: Model) -> list[Dialogue]:
    """Those that can be held with what the model has answered already."""
    found = []
    for dialogue in dialogues:
        watched = _watched(name, model, None)
        await _held(dialogue, watched)
        if watched.model is None or not watched.model.missing:
            found.append(dialogue)
    return found


def _watched(name: str, settings: Model, asked: LanguageModelNLU | None) -> Watched:
    if name == "local":
        return Watched(LocalNLU())
    remembering = Remembering(asked, _answers(settings, asked))
    model = AsEngine(remembering)
    if name == "llm":
        return Watched(model, remembering)
    cascade = CascadeNLU(LocalNLU(), model, threshold=settings.threshold, timeout=SECONDS)
    return Watched(cascade, remembering)


def _answers(settings: Model, asked: LanguageModelNLU | None) -> Answers:
    if asked is None:
        return Answers(settings.answers)
    from benchmarks.understanding.sgd.prompts import made_with

    return Answers(settings.answers, made_with(settings.name))


async def _held(
    dialogue: Dialogue, watched: Watched
) -> tuple[Sequence[Held], Sequence[Took], Generated]:
    services = schema("dev")
    generated = assistant([services[name] for name in dialogue.services])
    watched.took.clear()
    held = await hold(dialogue, generated, watched)
    return held, tuple(watched.took), generated


def _progress(name: str, whole: int) -> Callable[[Tally], None]:
    start = time.monotonic()

    def report(tally: Tally) -> None:
        spent = time.monotonic() - start
        left = spent / tally.dialogues * (whole - tally.dialogues)
        now = f"{tally.dialogues} of {whole} dialogues, {tally.scores.turns} messages"
        print(f"{name}: {now}, {left / 60:.0f} min left", file=sys.stderr, flush=True)

    return report
