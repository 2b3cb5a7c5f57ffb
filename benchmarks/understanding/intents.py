"""How well flows are told apart by ten examples of each, and what is none of them is known.

Reads CLINC150 and Banking77 from `$SONI_BENCH_DATA`, or from ../shared/data beside the checkout.

    OPENBLAS_NUM_THREADS=1 python -m benchmarks.understanding.intents [--shots 10] [--seeds 3]
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

from benchmarks.understanding.assistants import Assistant, Example, Intents, few, flow
from soni.du.context import FlowBrief
from soni.du.encoder import Encoder
from soni.du.encoder.sentence import Sentence
from soni.du.local.flows.flows import FlowChooser

Floats = npt.NDArray[np.float32]

ROOT = Path(__file__).parents[2]
# Of Banking77 there is only one part: so many of each intent are kept for the test.
KEPT = 20
SIZES, SHOTS, NUMBER = (5, 10, 20, 50, 150), (3, 5, 10), 8
BINS = 10


def data(name: str) -> dict[str, list[Example]]:
    """A data set by name, or the end of the program."""
    folder = Path(os.environ.get("SONI_BENCH_DATA", ROOT.parent / "shared" / "data")) / "intents"
    path = folder / f"{name}.json"
    if not path.is_file():
        print(f"{path} is not there. Set SONI_BENCH_DATA to the folder of data.", file=sys.stderr)
        sys.exit(2)
    read = json.loads(path.read_text(encoding="utf-8"))
    return {part: [(text, intent) for text, intent in rows] for part, rows in read.items()}


class Read:
    """Reads each text once."""

    def __init__(self) -> None:
        self._encoder = Encoder.load()
        self._known: dict[str, Sentence] = {}
        self.seconds = 0.0

    def of(self, texts: Sequence[str]) -> list[Sentence]:
        """One for each text."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        start = time.perf_counter()
        self._known.update(zip(new, self._encoder.encode_sentences(new), strict=True))
        self.seconds += time.perf_counter() - start
        return [self._known[text] for text in texts]

    def knows(self, word: str) -> bool:
        """Whether the encoder has the word whole."""
        return len(self._encoder.wordpiece.split_text(word)) == 1

    def __len__(self) -> int:
        return len(self._known)


@dataclass(frozen=True)
class Answers:
    """What was said to messages, beside what was wanted."""

    wanted: list[str | None]
    flows: list[str]
    """The likeliest flow of each."""
    inside: Floats
    """How likely one of the flows was meant."""
    chosen: list[str | None]
    sure: Floats
    """How likely what was chosen is."""

    @property
    def accuracy(self) -> float:
        """How often the likeliest flow was the wanted one, where one was."""
        pairs = zip(self.wanted, self.flows, strict=True)
        return float(np.mean([want == got for want, got in pairs if want is not None]))

    @property
    def right(self) -> npt.NDArray[np.bool_]:
        """Whether the choice was right, none of the flows being one."""
        return np.array([w == c for w, c in zip(self.wanted, self.chosen, strict=True)])

    @property
    def auroc(self) -> float:
        """How often a text that is in scope is surer to be than one that is not."""
        meant = np.array([want is not None for want in self.wanted])
        ours, others = self.inside[meant][:, None], self.inside[~meant][None]
        if not others.size:
            return float("nan")
        return float((others < ours).mean() + (others == ours).mean() / 2)

    @property
    def calibration_error(self) -> float:
        """How far the choices' probabilities are from how often they are right."""
        place = np.minimum((self.sure * BINS).astype(int), BINS - 1)
        off = self.sure - self.right
        return float(sum(abs(off[place == one].sum()) for one in range(BINS)) / len(off))


def answers(assistant: Assistant, read: Read) -> Answers:
    """What the shipped code makes of the messages of an assistant."""
    chooser = FlowChooser(read.of, read.knows)
    rows = read.of([text for text, _ in assistant.messages])
    choices = [
        chooser.choose(row, assistant.flows, text)
        for row, (text, _) in zip(rows, assistant.messages, strict=True)
    ]
    return Answers(
        [wanted for _, wanted in assistant.messages],
        [choice.ranked[0][0] for choice in choices],
        np.array([1 - choice.probabilities[None] for choice in choices], dtype=np.float32),
        [choice.best for choice in choices],
        np.array([choice.probabilities[choice.best] for choice in choices], dtype=np.float32),
    )


def together(parts: Iterable[Answers]) -> Answers:
    """The answers of several assistants as one."""
    every = list(parts)
    return Answers(
        [want for one in every for want in one.wanted],
        [name for one in every for name in one.flows],
        np.concatenate([one.inside for one in every]),
        [name for one in every for name in one.chosen],
        np.concatenate([one.sure for one in every]),
    )


def of_all(
    train: list[Example], test: list[Example], others: list[Example], *, named: bool
) -> Assistant:
    """All intents as one assistant; without names, a number stands for each."""
    by_intent: dict[str, list[str]] = defaultdict(list)
    for text, intent in train:
        by_intent[intent].append(text)
    names = {intent: intent if named else f"f{n}" for n, intent in enumerate(sorted(by_intent))}
    flows: tuple[FlowBrief, ...] = tuple(flow(names[one], by_intent[one]) for one in names)
    messages = [*((text, names[intent]) for text, intent in test), *((t, None) for t, _ in others)]
    return Assistant(flows, tuple(messages))


def table(title: str, runs: dict[str, list[Answers]]) -> None:
    """Mean and standard deviation over the runs."""
    print(f"\n{title}")
    for name, every in runs.items():
        right = [one.accuracy for one in every]
        area = np.mean([one.auroc for one in every])
        beside = "" if np.isnan(area) else f"   out-of-scope AUROC {area:.4f}"
        print(f"  {name:22}accuracy {np.mean(right):.4f} (sd {np.std(right):.4f}){beside}")


def small(intents: Intents, read: Read) -> None:
    """Assistants as people make them: their out of scope is also what other assistants do."""
    print("\nAssistants of some of the intents; a third of the messages is out of scope")
    print("  flows  examples  accuracy  with out of scope   AUROC  calibration error")
    every = []
    for size in (one for one in SIZES if one <= len(intents)):
        for shots in (one for one in SHOTS if one <= intents.shots):
            made = intents.assistants(size, shots, NUMBER, seed=0)
            one = together(answers(assistant, read) for assistant in made)
            every.append(one)
            print(f"  {size:5}  {shots:8}  {_figures(one)}")
    print(f"  {'all':>5}  {'':8}  {_figures(together(every))}")


def _figures(one: Answers) -> str:
    joint = one.right.mean()
    return f"{one.accuracy:8.4f}  {joint:17.4f}  {one.auroc:6.4f}  {one.calibration_error:17.4f}"


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--shots", type=int, default=10)
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--test", type=int, help="only so many texts of each test")
    given = options.parse_args()
    clinc, banking, read = data("clinc150"), data("banking77"), Read()
    ways = {"names and examples": True, "examples alone": False}
    tested = random.Random(0).sample(clinc["val"], given.test or len(clinc["val"]))
    learnt = [few(clinc["train"], given.shots, seed)[0] for seed in range(given.seeds)]
    runs = {
        way: [
            answers(of_all(train, tested, clinc["oos_val"], named=named), read) for train in learnt
        ]
        for way, named in ways.items()
    }
    table(f"CLINC150, {given.shots} examples of each intent, val, {len(tested)} texts", runs)
    small(Intents(learnt[0], clinc["val"], clinc["oos_val"]), read)
    kept, rest = few(banking["train"], KEPT, seed=0)
    tested = random.Random(0).sample(kept, given.test or len(kept))
    learnt = [few(rest, given.shots, seed + 1)[0] for seed in range(given.seeds)]
    runs = {
        way: [answers(of_all(train, tested, [], named=named), read) for train in learnt]
        for way, named in ways.items()
    }
    table(f"Banking77, {given.shots} examples of each intent, own split, {len(tested)} texts", runs)
    each = 1000 * read.seconds / len(read)
    print(f"\n{len(read)} texts encoded in {read.seconds:.0f} s, {each:.1f} ms each")


if __name__ == "__main__":
    main()
