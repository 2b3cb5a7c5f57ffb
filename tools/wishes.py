"""Finds the weights of soni.du.local.intents.choice: what speaks for a flow, and for none.

    OPENBLAS_NUM_THREADS=1 python -m tools.wishes

Reads what begins a conversation in the tuning half of tests/nlu, and what begins none with the
businesses of tools/tagger/apart: the tagger has not learnt from them, and where it has it is surer
than it will ever be with others. Prints how many are right, always of the same messages: by the
shipped weights, by the two models multiplied, and by weights that were found on other assistants;
then the weights found on all. The same data gives the same weights.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import numpy as np
import numpy.typing as npt
import structlog

from benchmarks.understanding.nlu import READ, UNREAD
from soni.du.context import DialogueContext, FlowBrief, SlotBrief
from soni.du.local.analysis import Analysis
from soni.du.local.intents.choice import WEIGHTS, FlowEvidence
from soni.du.local.view import View
from soni.testing.evaluate import Evaluation
from soni.testing.evaluate.sample import Half
from tools.tagger.scene import Errand, Field
from tools.tagger.spoken import Place, read

Array = npt.NDArray[np.float64]

NLU = Path(__file__).parents[1] / "tests" / "nlu"
APART = Path(__file__).parent / "tagger" / "apart"
NAMES = tuple(WEIGHTS)
NOW = datetime(2026, 3, 2, 10, tzinfo=UTC)
# Two models that are right would be multiplied as they are.
PRIOR = np.array([{"example": 1.0, "reading": 0.65}.get(name, 0.0) for name in NAMES])
RIDGE = 1.0
STEPS = 25
FOLDS = 5
# People say more that starts something than that does not, unlike to those businesses.
APART_WEIGHT = 0.2


@dataclass(frozen=True)
class Begun:
    """A message that begins a conversation: what speaks for each flow, and which was meant."""

    group: str
    weight: float
    signs: Array
    """A row for each flow, and one for none."""

    meant: int


def of_tests() -> Iterator[Begun]:
    """The tuning half of the assistants' sentences, in English."""
    for file in sorted(NLU.glob("*.assistant.yaml")):
        name = file.name.split(".")[0]
        said = NLU / f"{name}.english.yaml"
        if name in UNREAD or not said.is_file():
            continue
        half: Half | None = None if name in READ else "tuning"
        for one in asyncio.run(Evaluation.load(file, [said], half=half).collect_questions()):
            starts = [c["flow_name"] for c in one.sample.commands if c["type"] == "StartFlow"]
            if one.sample.moment == "idle" and len(starts) < 2:
                flow = starts[0] if starts else None
                yield _begun(name, 1.0, one.sample.text, flow, one.context)


def of_apart() -> Iterator[Begun]:
    """What was said to businesses that nobody runs, and starts nothing: tests have few of that."""
    for file in sorted(APART.glob("*.txt")):
        business = read(file.read_text(encoding="utf-8"))
        flows = tuple(_flow(name, one) for name, one in business.flows.items())
        context = DialogueContext(available_flows=flows, now=NOW)
        for remark in business.remarks:
            if remark.place == Place() and remark.starts is None:
                text = "".join(part.words for part in remark.parts)
                yield _begun(file.stem, APART_WEIGHT, text, None, context)


def _begun(
    group: str, weight: float, text: str, flow: str | None, context: DialogueContext
) -> Begun:
    signs = FlowEvidence(Analysis(text, [], context), View(context)).compute_features()
    rows = [[one.get(name, 0.0) for name in NAMES] for one in signs.values()]
    return Begun(group, weight, np.array(rows), list(signs).index(flow))


def _flow(name: str, errand: Errand) -> FlowBrief:
    called = name.replace(" ", "_")
    slots = tuple(_slot(called, one) for one in errand.fields)
    examples = tuple(errand.names)
    return FlowBrief(name=called, description=errand.description, examples=examples, slots=slots)


def _slot(flow: str, one: Field) -> SlotBrief:
    kind = "boolean" if one.values == "?" else "choice" if one.choices else one.type
    return SlotBrief(
        name=one.names[0].replace(" ", "_"),
        flow=flow,
        type=kind,
        description=one.description,
        values=dict.fromkeys(one.choices, ()),
    )


def fitted(begun: Sequence[Begun]) -> Array:
    """Weights in the order of the names."""
    found = PRIOR.copy()
    for _ in range(STEPS):
        slope, curved = RIDGE * (PRIOR - found), RIDGE * np.eye(len(NAMES))
        for one in begun:
            likely = _likely(one, found)
            mean = likely @ one.signs
            slope += one.weight * (one.signs[one.meant] - mean)
            apart = one.signs - mean
            curved += one.weight * (apart * likely[:, None]).T @ apart
        found += np.linalg.solve(curved, slope)
    return found


def right(begun: Sequence[Begun], weights: Array) -> int:
    """How many are meant and likeliest by some weights."""
    return sum(int(_likely(one, weights).argmax()) == one.meant for one in begun)


def right_elsewhere(begun: Sequence[Begun], every: Sequence[Begun]) -> int:
    """The same by weights that were found on other assistants."""
    hits = 0
    for fold in range(FOLDS):
        weights = fitted([one for one in every if _fold(one) != fold])
        hits += right([one for one in begun if _fold(one) == fold], weights)
    return hits


def _likely(one: Begun, weights: Array) -> Array:
    scores = one.signs @ weights
    raised: Array = np.exp(scores - scores.max())
    likely: Array = raised / raised.sum()
    return likely


def _fold(one: Begun) -> int:
    return sha256(one.group.encode()).digest()[0] % FOLDS


def main() -> None:
    """Find and print."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    sets = {"tests": list(of_tests()), "apart": list(of_apart())}
    every = [one for begun in sets.values() for one in begun]
    shipped = np.array([WEIGHTS[name] for name in NAMES])
    for name, begun in sets.items():
        known, plain = right(begun, shipped), right(begun, PRIOR)
        other = right_elsewhere(begun, every)
        print(f"{name}: {len(begun)}, shipped {known}, multiplied {plain}, elsewhere {other}")
    for name, weight in zip(NAMES, fitted(every), strict=True):
        print(f'    "{name}": {weight:.2f},')


if __name__ == "__main__":
    main()
