"""Finds the constants of soni.du.local.flows.calibration.

    OPENBLAS_NUM_THREADS=1 python -m tools.calibration

Needs the train parts of CLINC150 and Banking77 where benchmarks/understanding/intents.py looks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.understanding.assistants import Assistant, Intents, few
from benchmarks.understanding.intents import KEPT, Read, data
from soni.du.encoder.weights import softmax
from soni.du.local.flows.calibration import ComparisonWeights
from soni.du.local.flows.likeness import FEATURES, NEAREST_COLUMN, FlowLikeness

Array = npt.NDArray[np.float64]

SIZES = (2, 5, 10, 20, 50, 150)
ALIKE = (5, 10, 20, 50, 77)
SHOTS = (0, 1, 3, 5, 10)
NUMBER = 4
SEEDS = (1, 2, 3)
# Keeps weights small that the data says little about.
RIDGE = 0.1
# The regression is used, and its weights found, from so many examples on.
ENOUGH = 3


@dataclass(frozen=True)
class Heard:
    """The messages of an assistant: their parts, the wanted flow's place or -1, what is told."""

    parts: Array
    wanted: npt.NDArray[np.intp]
    texts: Array
    shots: int


def heard(assistant: Assistant, read: Read) -> Heard:
    """What an assistant makes of each of its messages."""
    likeness = FlowLikeness(assistant.flows, read.of)
    places = {flow.name: place for place, flow in enumerate(assistant.flows)}
    rows = read.of([text for text, _ in assistant.messages])
    return Heard(
        np.array(
            [
                likeness.compute_features(row, text)
                for row, (text, _) in zip(rows, assistant.messages, strict=True)
            ],
            dtype=float,
        ),
        np.array([places[name] if name else -1 for _, name in assistant.messages]),
        likeness.texts.astype(float),
        len(assistant.flows[0].examples),
    )


def apart(all_heard: Sequence[Heard], columns: Sequence[int]) -> Array:
    """The weights under which the wanted flows are likeliest, by Newton's steps."""
    weights = np.ones(len(columns))
    for _ in range(100):
        slope = -RIDGE * weights
        curve = RIDGE * np.eye(len(columns))
        for one in all_heard:
            meant = one.wanted >= 0
            parts, wanted = one.parts[meant][:, :, columns], one.wanted[meant]
            likely = softmax(parts @ weights)  # type: ignore[arg-type]
            mean = np.einsum("mf,mfp->mp", likely, parts)
            slope += (parts[np.arange(len(wanted)), wanted] - mean).sum(axis=0)
            curve += np.einsum("mf,mfp,mfq->pq", likely, parts, parts) - mean.T @ mean
        step = np.linalg.solve(curve, slope)
        # Far from the end a whole step may lead away.
        weights += step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-4:
            break
    return weights


def inside(all_heard: Sequence[Heard], weights: Array, columns: Sequence[int]) -> Array:
    """Logistic regression of whether a flow was wanted, on what the best flow is like."""
    rows, wanted = zip(*(best(one, weights, columns) for one in all_heard), strict=True)
    inputs, is_meant = np.concatenate(rows), np.concatenate(wanted)
    found = np.zeros(inputs.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (is_meant - likely) - RIDGE * found
        curve = (inputs * (likely * (1 - likely))[:, None]).T @ inputs
        found += np.linalg.solve(curve + RIDGE * np.eye(len(found)), slope)
    return found


def best(one: Heard, weights: Array, columns: Sequence[int]) -> tuple[Array, Array]:
    """Of each message what `sure` looks at, and 1; and whether a flow is meant."""
    place = (one.parts[:, :, columns] @ weights).argmax(axis=1)
    parts = one.parts[np.arange(len(place)), place][:, 1 : columns[-1] + 1]
    told = np.stack([np.full(len(place), np.log(len(one.texts))), np.log(one.texts[place])], axis=1)
    return np.hstack([parts, told, np.ones((len(place), 1))]), (one.wanted >= 0).astype(float)


def way(
    all_heard: Sequence[Heard], columns: Sequence[int], told_apart: Sequence[Heard]
) -> ComparisonWeights:
    """The constants of a way that looks at these columns."""
    weights = apart(told_apart, columns)
    *parts, flows, texts, constant = inside(all_heard, weights, columns).round(2).tolist()
    by_column = dict(zip(columns, weights.round(2).tolist(), strict=True))
    every = tuple(by_column.get(column, 0.0) for column in range(len(FEATURES)))
    unseen = [0.0] * (len(FEATURES) - 1 - len(parts))
    return ComparisonWeights(every, (0.0, *parts, *unseen), flows, texts, constant)


def assistants(clinc: dict[str, list[tuple[str, str]]]) -> Iterator[Assistant]:
    """Assistants of every size, each seed with other examples."""
    for seed in SEEDS:
        learnt, rest = few(clinc["train"], max(SHOTS), seed)
        intents = Intents(learnt, rest, clinc["oos_train"])
        for size in SIZES:
            for shots in SHOTS:
                yield from intents.assistants(size, shots, NUMBER, seed)


def alike(banking: dict[str, list[tuple[str, str]]]) -> Iterator[Assistant]:
    """Assistants whose flows are much alike, of what the benchmark does not test on."""
    _, rest = few(banking["train"], KEPT, seed=0)
    for seed in SEEDS:
        learnt, others = few(rest, max(SHOTS), 10 + seed)
        intents = Intents(learnt, others, [])
        for size in ALIKE:
            for shots in (one for one in SHOTS if one >= ENOUGH):
                yield from intents.assistants(size, shots, NUMBER // 2, seed)


def main() -> None:
    """Find and print them."""
    read = Read()
    all_heard = [heard(assistant, read) for assistant in assistants(data("clinc150"))]
    more = [one for one in all_heard if one.shots >= ENOUGH]
    near = [heard(assistant, read) for assistant in alike(data("banking77"))]
    # The nearest text says nothing more once all words are compared.
    columns = [column for column in range(len(FEATURES)) if column != NEAREST_COLUMN]
    print("LOGISTIC =", way(more, columns, [*more, *near]))
    print("CENTROID =", way(all_heard, range(1, FEATURES.index("wordings")), all_heard))


if __name__ == "__main__":
    main()
