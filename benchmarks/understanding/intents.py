"""How well the sentence encoder tells intents apart from ten examples of each, and knows others.

Reads CLINC150 and Banking77 from `$SONI_BENCH_DATA`, or from ../shared/data beside the checkout.

    OPENBLAS_NUM_THREADS=1 python benchmarks/understanding/intents.py [--shots 10] [--seeds 3]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from soni.du.encoder import Encoder

Floats = npt.NDArray[np.float32]
Example = tuple[str, str]

ROOT = Path(__file__).parents[2]
# Of Banking77 there is only one part: so many of each intent are kept for the test.
KEPT = 20
# Chosen on examples of CLINC150's train part that no run uses to learn or to test.
PENALTY = 1e-4
STEPS = 300


def data(name: str) -> dict[str, list[Example]]:
    """A data set by name, or the end of the program."""
    folder = Path(os.environ.get("SONI_BENCH_DATA", ROOT.parent / "shared" / "data")) / "intents"
    path = folder / f"{name}.json"
    if not path.is_file():
        print(f"{path} is not there. Set SONI_BENCH_DATA to the folder of data.", file=sys.stderr)
        sys.exit(2)
    read = json.loads(path.read_text(encoding="utf-8"))
    return {part: [(text, intent) for text, intent in rows] for part, rows in read.items()}


class Vectors:
    """Encodes each text once."""

    def __init__(self) -> None:
        self._encoder = Encoder.load()
        self._known: dict[str, Floats] = {}
        self.seconds = 0.0

    def of(self, texts: Sequence[str]) -> Floats:
        """A row for each text."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        start = time.perf_counter()
        self._known.update(zip(new, self._encoder.encode(new), strict=True))
        self.seconds += time.perf_counter() - start
        return np.array([self._known[text] for text in texts], dtype=np.float32)

    def __len__(self) -> int:
        return len(self._known)


@dataclass(frozen=True)
class Scored:
    """A score for each intent of each text; how sure it is that one of them is meant."""

    scores: Floats
    sure: Floats


def centroid(vectors: Floats, labels: npt.NDArray[np.int64], asked: Floats) -> Scored:
    """Similarity to the mean of each intent's examples."""
    means = np.array([vectors[labels == label].mean(axis=0) for label in range(labels.max() + 1)])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    scores = asked @ means.T
    return Scored(scores, scores.max(axis=1))


def logistic(vectors: Floats, labels: npt.NDArray[np.int64], asked: Floats) -> Scored:
    """Multinomial logistic regression with an L2 penalty, by accelerated gradient descent.

    The greatest score before softmax says how sure it is: softmax would hide that all are small.
    """
    wanted = np.eye(labels.max() + 1, dtype=np.float32)[labels]
    inputs = np.hstack([vectors, np.ones((len(vectors), 1), np.float32)])
    # The gradient changes at most so fast: half the greatest eigenvalue of the inputs' moments.
    rate = 1 / (0.5 * np.linalg.norm(inputs, 2) ** 2 / len(inputs) + PENALTY)
    weights = ahead = np.zeros((inputs.shape[1], wanted.shape[1]), dtype=np.float32)
    for step in range(1, STEPS + 1):
        error = softmax(inputs @ ahead) - wanted
        gradient = inputs.T @ error / len(inputs) + PENALTY * ahead
        before, weights = weights, ahead - np.float32(rate) * gradient
        ahead = weights + np.float32((step - 1) / (step + 2)) * (weights - before)
    scores = asked @ weights[:-1] + weights[-1]
    return Scored(scores, scores.max(axis=1))


def softmax(scores: Floats) -> Floats:
    """Scores as probabilities."""
    raised: Floats = np.exp(scores - scores.max(axis=1, keepdims=True))
    raised /= raised.sum(axis=1, keepdims=True)
    return raised


WAYS = {"centroid": centroid, "logistic regression": logistic}


def auroc(inside: Floats, outside: Floats) -> float:
    """How often a text that is in scope is surer than one that is not."""
    less = (outside[None] < inside[:, None]).mean() + (outside[None] == inside[:, None]).mean() / 2
    return float(less)


def few(examples: Iterable[Example], shots: int, seed: int) -> tuple[list[Example], list[Example]]:
    """So many examples of each intent, and the rest."""
    by_intent: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        by_intent[example[1]].append(example)
    taken, rest = [], []
    rng = random.Random(seed)
    for intent in sorted(by_intent):
        rng.shuffle(by_intent[intent])
        taken += by_intent[intent][:shots]
        rest += by_intent[intent][shots:]
    return taken, rest


def run(
    vectors: Vectors, train: list[Example], test: list[Example], others: list[Example]
) -> dict[str, tuple[float, float]]:
    """Accuracy, and AUROC against the others, of each way."""
    intents = {intent: number for number, intent in enumerate(sorted({i for _, i in train}))}
    learnt = vectors.of([text for text, _ in train])
    labels = np.array([intents[intent] for _, intent in train])
    gold = np.array([intents[intent] for _, intent in test])
    asked = vectors.of([text for text, _ in (*test, *others)])
    given = {}
    for name, way in WAYS.items():
        scored = way(learnt, labels, asked)
        right = float((scored.scores[: len(test)].argmax(axis=1) == gold).mean())
        sure = scored.sure
        given[name] = right, auroc(sure[: len(test)], sure[len(test) :]) if others else np.nan
    return given


def table(title: str, runs: list[dict[str, tuple[float, float]]]) -> None:
    """Mean and standard deviation over the runs."""
    print(f"\n{title}")
    for name in WAYS:
        figures = np.array([one[name] for one in runs])
        (right, area), (spread, _) = figures.mean(axis=0), figures.std(axis=0)
        beside = "" if np.isnan(area) else f"   out-of-scope AUROC {area:.4f}"
        print(f"  {name:22}accuracy {right:.4f} (sd {spread:.4f}){beside}")


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--shots", type=int, default=10)
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--test", type=int, help="only so many texts of each test")
    given = options.parse_args()
    clinc, banking, vectors = data("clinc150"), data("banking77"), Vectors()
    seeds = range(given.seeds)
    tested = random.Random(0).sample(clinc["val"], given.test or len(clinc["val"]))
    runs = [
        run(vectors, few(clinc["train"], given.shots, seed)[0], tested, clinc["oos_val"])
        for seed in seeds
    ]
    table(f"CLINC150, {given.shots} examples of each intent, val, {len(tested)} texts", runs)
    kept, rest = few(banking["train"], KEPT, seed=0)
    tested = random.Random(0).sample(kept, given.test or len(kept))
    runs = [run(vectors, few(rest, given.shots, seed + 1)[0], tested, []) for seed in seeds]
    table(f"Banking77, {given.shots} examples of each intent, own split, {len(tested)} texts", runs)
    each = 1000 * vectors.seconds / len(vectors)
    print(f"\n{len(vectors)} texts encoded in {vectors.seconds:.0f} s, {each:.1f} ms each")


if __name__ == "__main__":
    main()
