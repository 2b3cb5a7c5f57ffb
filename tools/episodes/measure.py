"""How well flows are chosen by vectors alone, without the rules of the reader: counts only."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import structlog

from benchmarks.understanding.assistants import few
from benchmarks.understanding.intents import KEPT, data, of_all
from benchmarks.understanding.nlu import READ, UNREAD
from soni.du.context import DialogueContext, FlowBrief
from soni.du.encoder.encoder import Encoder
from soni.du.encoder.weights import Floats
from soni.du.local.flows.calibration import fit_logistic
from soni.du.local.flows.likeness import iter_flow_texts
from soni.testing.evaluate import Evaluation
from soni.testing.evaluate.sample import Half
from tools.episodes.layers import load_layers
from tools.episodes.sources import describe_star_tasks, is_star_half, iter_star_starts

Encode = Callable[[Sequence[str]], Floats]

NLU = Path(__file__).parents[2] / "tests" / "nlu"
# Of each task of STAR so many first messages, beside three that can be examples.
STAR_MESSAGES, STAR_EXAMPLES = 20, 3
SHOTS = 10
NOW = datetime(2026, 3, 2, 10, tzinfo=UTC)


@dataclass(frozen=True)
class Situation:
    """An assistant and messages, each with the flow it wants."""

    name: str
    context: DialogueContext
    messages: tuple[tuple[str, str | None], ...]

    @property
    def flows(self) -> tuple[FlowBrief, ...]:
        """What may start."""
        return tuple(self.context.available_flows)


@dataclass(frozen=True)
class Answer:
    """The likeliest flow of a message, how near its nearest text is, and what was wanted."""

    flow: str
    near: float
    wanted: str | None


def load_encode(folder: Path | None, share: float = 1.0) -> Encode:
    """The encoder as it is shipped, or with layers of a folder in it, each text read once."""
    encoder = Encoder.load()
    if folder is not None:
        tuned = load_layers(encoder, folder)
        pairs = zip(tuned.transformer.layers, encoder.transformer.layers, strict=True)
        tuned.transformer.layers = tuple(mix_parts(one, old, share) for one, old in pairs)
        encoder = tuned
    known: dict[str, Floats] = {}

    def encode(texts: Sequence[str]) -> Floats:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, encoder.encode(new, tokens=96), strict=True))
        return np.array([known[text] for text in texts])

    return encode


def mix_parts(tuned: Any, old: Any, share: float) -> Any:
    """A mean of two layers, or of parts of them, with this share of the first."""
    if isinstance(tuned, np.ndarray):
        return (share * tuned + (1 - share) * old).astype(np.float32)
    parts = (mix_parts(getattr(tuned, f.name), getattr(old, f.name), share) for f in fields(tuned))
    return type(tuned)(*parts)


def answer_messages(situation: Situation, encode: Encode) -> list[Answer]:
    """What a logistic regression over the texts of the flows makes of the messages."""
    rows = [
        (place, text, weight)
        for place, flow in enumerate(situation.flows)
        for text, weight in iter_flow_texts(flow)
    ]
    labels = np.array([place for place, _, _ in rows], dtype=np.intp)
    weights = np.array([weight for _, _, weight in rows], dtype=np.float32)
    sums = np.bincount(labels, weights)
    shares = (weights / sums[labels] / len(sums)).astype(np.float32)
    vectors = encode([text for _, text, _ in rows])
    columns = fit_logistic(vectors, labels, shares)
    said = encode([text for text, _ in situation.messages])
    scores, near = said @ columns[:-1] + columns[-1], (said @ vectors.T).max(axis=1)
    names = [flow.name for flow in situation.flows]
    return [
        Answer(names[best], float(cosine), wanted)
        for best, cosine, (_, wanted) in zip(
            scores.argmax(axis=1).tolist(), near, situation.messages, strict=True
        )
    ]


def count_right_flows(answers: Sequence[Answer]) -> tuple[int, int]:
    """How often the flow is right where one is wanted, and how often one is."""
    meant = [one for one in answers if one.wanted is not None]
    return sum(one.flow == one.wanted for one in meant), len(meant)


def measure_star(encode: Encode) -> dict[str, float]:
    """First messages for all tasks at once, without examples and with three."""
    found = {}
    for shots in (0, STAR_EXAMPLES):
        situation = make_star(shots)
        answers = answer_messages(situation, encode)
        right, total = count_right_flows(answers)
        found[f"star {shots}"] = right / total
        for half, letter in enumerate("ab"):
            own = [one for one in answers if is_star_half(str(one.wanted).replace("_", " "), half)]
            right, total = count_right_flows(own)
            found[f"star {shots} {letter}"] = right / total
    return found


@cache
def make_star(shots: int) -> Situation:
    """All tasks of STAR as one assistant."""
    said: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for task, text in iter_star_starts():
        said[task][text] = None
    flows, messages = [], []
    for task, (words, description) in describe_star_tasks().items():
        name = words.replace(" ", "_")
        texts = sorted(said[task], key=lambda text: sha256(text.encode()).digest())
        examples, rest = texts[:shots], texts[STAR_EXAMPLES:][:STAR_MESSAGES]
        flows.append(FlowBrief(name=name, description=description, examples=tuple(examples)))
        messages += [(text, name) for text in rest]
    context = DialogueContext(available_flows=tuple(flows), now=NOW)
    return Situation("star", context, tuple(messages))


def measure_intents(encode: Encode) -> dict[str, float]:
    """CLINC150 and Banking77, ten examples of each intent; the name counts too."""
    clinc, banking = data("clinc150"), data("banking77")
    learnt, _ = few(clinc["train"], SHOTS, seed=0)
    kept, rest = few(banking["train"], KEPT, seed=0)
    pairs = {
        "clinc150": of_all(learnt, clinc["val"], clinc["oos_val"], named=True),
        "banking77": of_all(few(rest, SHOTS, seed=1)[0], kept, [], named=True),
    }
    found = {}
    for name, one in pairs.items():
        context = DialogueContext(available_flows=one.flows, now=NOW)
        answers = answer_messages(Situation(name, context, one.messages), encode)
        right, total = count_right_flows(answers)
        found[name] = right / total
        ours = np.array([each.near for each in answers if each.wanted is not None])
        others = np.array([each.near for each in answers if each.wanted is None])
        if len(others):
            found[f"{name} AUROC"] = float((others[None] < ours[:, None]).mean())
    return found


def measure_assistants(encode: Encode) -> dict[str, float]:
    """First messages to the assistants of tests/nlu; each by the threshold of the others."""
    answers = {one.name: answer_messages(one, encode) for one in list_assistants()}
    found = {}
    for kind in ("read", "unread"):
        own = [name for name in answers if (name in UNREAD) == (kind == "unread")]
        starts = [count_right_flows(answers[name]) for name in own]
        found[f"{kind} starts"] = sum(one for one, _ in starts) / sum(one for _, one in starts)
        right = total = 0
        for name in own:
            others = [
                one
                for other in answers
                if other != name and other not in UNREAD
                for one in answers[other]
            ]
            limit = find_threshold(others)
            right += sum(is_right(one, limit) for one in answers[name])
            total += len(answers[name])
        found[f"{kind} flow or none"] = right / total
        found[f"{kind} messages"] = float(total)
    return found


def is_right(answer: Answer, limit: float) -> bool:
    """Whether flow or none is right by a threshold on the nearest text."""
    return (answer.flow if answer.near >= limit else None) == answer.wanted


def find_threshold(answers: Sequence[Answer]) -> float:
    """The threshold by which most are right."""
    limits = [hundredths / 100 for hundredths in range(100)]
    return max(limits, key=lambda limit: sum(is_right(one, limit) for one in answers))


@cache
def list_assistants() -> tuple[Situation, ...]:
    """English assistants: all that is said first to them, of read ones the tuning half."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    return tuple(_iter_assistants())


def _iter_assistants() -> Iterator[Situation]:
    for file in sorted(NLU.glob("*.assistant.yaml")):
        name = file.name.split(".")[0]
        said = NLU / f"{name}.english.yaml"
        if not said.is_file():
            continue
        half: Half | None = None if name in (*READ, *UNREAD) else "tuning"
        asked = asyncio.run(Evaluation.load(file, [said], half=half).collect_questions())
        messages: list[tuple[str, str | None]] = []
        context = None
        for one in asked:
            starts = [c["flow_name"] for c in one.sample.commands if c["type"] == "StartFlow"]
            if one.sample.moment == "idle" and len(starts) < 2:
                messages.append((one.sample.text, starts[0] if starts else None))
                context = one.context
        if context is not None:
            yield Situation(name, context, tuple(messages))


def measure_all(encode: Encode) -> Mapping[str, float]:
    """All figures."""
    return {**measure_star(encode), **measure_intents(encode), **measure_assistants(encode)}
