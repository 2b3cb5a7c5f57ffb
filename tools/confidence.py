"""Finds the weights of soni.du.local.confidence, and the threshold that a cascade begins with.

    OPENBLAS_NUM_THREADS=1 python -m tools.confidence [--dialogues 230]

Reads the tuning half of tests/nlu, and dialogues of half A of SGD dev where
benchmarks/understanding/sgd looks for them. Figures are told of messages whose assistant or
dialogue the weights were not found on.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import structlog

from benchmarks.understanding.nlu import READ, UNREAD
from benchmarks.understanding.sgd.commands import compared
from benchmarks.understanding.sgd.conversation import hold
from benchmarks.understanding.sgd.dialogues import schema
from benchmarks.understanding.sgd.run import Options, chosen
from benchmarks.understanding.sgd.schema import assistant
from soni.du.context import DialogueContext, NLUOutput
from soni.du.local.confidence import WEIGHTS
from soni.du.local.exact import read_exact
from soni.du.local.reader import Reader
from soni.du.local.view import View
from soni.testing.evaluate import Curve, Evaluation
from soni.testing.evaluate.curve import CurveMessage
from soni.testing.evaluate.sample import Half, Reading

Array = npt.NDArray[np.float64]

NLU = Path(__file__).parents[1] / "tests" / "nlu"
NAMES = tuple(WEIGHTS)
RIDGE = 1.0
STEPS = 60
FOLDS = 5
TARGETS = (0.95, 0.98)


@dataclass(frozen=True)
class Heard:
    """A message: what speaks for and against what was made of it, and whether it is right."""

    group: str
    """What must not be on both sides when it is measured: an assistant, a dialogue."""

    signs: tuple[float, ...] | None
    """None: there was nothing to doubt."""

    right: bool
    empty: bool


class Watched:
    """The default provider, with the signs of each message."""

    def __init__(self) -> None:
        self.seen: list[tuple[tuple[float, ...] | None, bool]] = []

    async def understand(
        self, user_message: str, history: Sequence[Any], context: DialogueContext
    ) -> NLUOutput:
        """As the provider does it."""
        view, message = View(context), user_message.strip()
        plain = read_exact(message, view)
        if plain is not None:
            self.seen.append((None, False))
            return NLUOutput(commands=(plain,))
        signs = Reader(view, list(history)).extract_features(message)
        told = signs.compute_features()
        self.seen.append((tuple(told[name] for name in NAMES), not signs.read))
        return NLUOutput(commands=signs.read.commands, about=signs.read.about)


async def sentences() -> list[Heard]:
    """The tuning half of the assistants' sentences."""
    found: list[Heard] = []
    for file in sorted(NLU.glob("*.assistant.yaml")):
        name = file.name.split(".")[0]
        if name in UNREAD:
            continue
        own = [path for path in sorted(NLU.glob(f"{name}.*.yaml")) if path != file]
        watched = Watched()

        def hear(reading: Reading, name: str = name, watched: Watched = watched) -> None:
            signs, empty = watched.seen[-1]
            found.append(Heard(name, signs, reading.right, empty))

        half: Half | None = None if name in READ else "tuning"
        await Evaluation.load(file, own, half=half).run(watched, hear)
    return found


async def dialogues(count: int) -> list[Heard]:
    """The messages of some dialogues of half A."""
    found: list[Heard] = []
    services = schema("dev")
    for dialogue in chosen(Options(half="A", limit=count)):
        generated = assistant([services[name] for name in dialogue.services])
        watched = Watched()
        held = await hold(dialogue, generated, watched)
        for each, (signs, empty) in zip(held, watched.seen, strict=True):
            right = all(how == "right" for _, how in compared(each, generated))
            found.append(Heard(dialogue.id, signs, right, empty))
    return found


def fitted(heard: Sequence[Heard]) -> Array:
    """Weights in the order of the names, the constant last."""
    rows = [each for each in heard if each.signs is not None and not each.empty]
    inputs = _inputs(rows)
    wanted = np.array([each.right for each in rows], dtype=float)
    ridge = RIDGE * np.eye(inputs.shape[1])
    ridge[-1, -1] = 1e-6
    found = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (likely - wanted) + ridge @ found
        curved = (inputs * (likely * (1 - likely))[:, None]).T @ inputs + ridge
        found -= np.linalg.solve(curved, slope)
    return found


def messages(heard: Sequence[Heard], every: Sequence[Heard]) -> list[CurveMessage]:
    """What a cascade can do with each, by weights that were found on other groups."""
    found: list[CurveMessage] = []
    for fold in range(FOLDS):
        weights = fitted([each for each in every if _fold(each) != fold])
        for each in heard:
            if _fold(each) == fold:
                found.append(CurveMessage(_sure(each, weights), each.right, True))
    return found


def _sure(each: Heard, weights: Array) -> float:
    if each.empty:
        return -np.inf
    return 1.0 if each.signs is None else float(1 / (1 + np.exp(-(_inputs([each]) @ weights)[0])))


def _inputs(rows: Sequence[Heard]) -> Array:
    return np.array([(*(each.signs or ()), 1.0) for each in rows])


def _fold(each: Heard) -> int:
    return sha256(each.group.encode()).digest()[0] % FOLDS


def main() -> None:
    """Find and print."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    options = argparse.ArgumentParser(prog="tools.confidence")
    options.add_argument("--dialogues", type=int, default=230)
    given = options.parse_args()
    sets = {
        "sentences": asyncio.run(sentences()),
        "dialogues": asyncio.run(dialogues(given.dialogues)),
    }
    every = [each for heard in sets.values() for each in heard]
    for name, heard in sets.items():
        curve = Curve.from_messages(messages(heard, every), perfect=True)
        print(f"{name}: {len(heard)}")
        for point in filter(None, map(curve.propose_point, TARGETS)):
            right, asked = point.right.value or 0.0, point.asked.value or 0.0
            print(f"  {right:.4f} right, {asked:.4f} asked, threshold {point.threshold:g}")
    weights = fitted(every)
    for name, weight in zip((*NAMES, "constant"), weights, strict=True):
        print(f'    "{name}": {weight:.2f},')


if __name__ == "__main__":
    main()
