"""Fit what tells the acts of short messages apart, in src/soni/du/local/model/acts.safetensors.

A logistic regression over sentence vectors: our own phrases (tools/phrases.yaml), what people say
to assistants that nobody runs, the intents of CLINC150 that are acts, and user turns of SGD train.
The same data gives the same bytes.

    PYTHONPATH=. python tools/acts.py [--data FOLDER]
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np

from soni.du.encoder import Encoder
from soni.du.encoder.weights import Floats, Weights
from soni.du.local.analysis import ACT_NAMES, ACTS_FILE
from tools.phrases import phrases
from tools.tagger.asides import asides
from tools.tagger.invented import answer, change, start
from tools.tagger.scene import Scene
from tools.tagger.spoken import Remark, businesses

VERSION = "acts-3"

# Intents of CLINC150 that people have with any assistant.
_INTENTS = {
    **{"yes": "affirm", "no": "deny", "cancel": "cancel", "repeat": "repeat", "maybe": "skip"},
    **dict.fromkeys(("thank_you", "goodbye", "greeting", "tell_joke", "are_you_a_bot"), "chat"),
    **dict.fromkeys(("how_old_are_you", "what_is_your_name", "where_are_you_from"), "chat"),
    **dict.fromkeys(("do_you_have_pets", "what_are_your_hobbies", "who_made_you"), "chat"),
    "what_can_i_ask_you": "ask",
}
# Of every other intent a few: what people ask an assistant to do.
_REQUESTS = 8
_OWN = 6.0
"""How much more a phrase of ours weighs: there are few of them, and they are what is meant."""

_ASIDE = 3.0
_TURNS = 1200
_INVENTED = 4000
"""Messages that give values or want a flow, to assistants that nobody runs."""
_DECAY, _STEPS, _RATE = 3e-5, 600, 2.0


def sentences(data: Path) -> Iterator[tuple[str, str, float]]:
    """Text, act and weight."""
    dice = random.Random(VERSION)
    for act, texts in phrases().items():
        yield from ((_filled(text, dice), act, _OWN) for text in texts)
    for _ in range(_INVENTED):
        yield _invented(dice), "other", 1.0
    yield from ((words, act, _ASIDE) for act, words in asides())
    for business in businesses():
        yield from ((_words(one), _done(one), 1.0) for one in business.remarks if _done(one))
    yield from _clinc(json.loads((data / "intents" / "clinc150.json").read_text("utf-8")))
    yield from _sgd(data / "sgd" / "train.jsonl.gz")


def _filled(text: str, dice: random.Random) -> str:
    """A phrase with names of some task and slot in it."""
    task = dice.choice(Scene(dice).tasks)
    slot = dice.choice(dice.choice(task.fields).names)
    return text.replace("{task}", dice.choice(task.names)).replace("{slot}", slot)


def _invented(dice: random.Random) -> str:
    scene = Scene(dice)
    dice.choice([start, answer, change])(scene)
    return scene.message


def _words(remark: Remark) -> str:
    return "".join(part.words for part in remark.parts)


def _done(remark: Remark) -> str:
    """The one act of a message; "other" if it gives values or wants a flow, "" if it does both."""
    tells = remark.starts is not None or any(part.slot for part in remark.parts)
    if tells or len(remark.acts) != 1:
        return "" if remark.acts else "other"
    return next(iter(remark.acts))


def _clinc(clinc: dict[str, list[list[str]]]) -> Iterator[tuple[str, str, float]]:
    seen: dict[str, int] = {}
    for text, intent in clinc["train"]:
        seen[intent] = seen.get(intent, 0) + 1
        if intent in _INTENTS:
            yield text, _INTENTS[intent], 1.0
        elif seen[intent] <= _REQUESTS:
            yield text, "other", 1.0


def _sgd(path: Path) -> Iterator[tuple[str, str, float]]:
    """Turns that do one thing only; the first so many of each act."""
    left = dict.fromkeys(("affirm", "deny", "ask", "chat", "other"), _TURNS)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            for turn in json.loads(line)["turns"]:
                act = _act({command["cmd"] for command in turn["commands"]})
                if act and left[act] and len(turn["user"]) < 120:
                    left[act] -= 1
                    yield turn["user"], act, 0.5
            if not any(left.values()):
                return


def _act(commands: set[str]) -> str | None:
    for act, only in (
        ("affirm", {"Affirm"}),
        ("deny", {"Deny"}),
        ("ask", {"RequestInfo"}),
        ("chat", {"Thank", "Goodbye"}),
        ("other", {"SetSlot", "StartFlow", "CorrectSlot"}),
    ):
        if commands and commands <= only:
            return act
    return None


def fit(vectors: Floats, acts: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Multinomial logistic regression by gradient descent with momentum."""
    matrix = np.zeros((vectors.shape[1], acts.shape[1]), np.float32)
    bias = np.zeros(acts.shape[1], np.float32)
    speeds = [np.zeros_like(matrix), np.zeros_like(bias)]
    share = (weights / weights.sum())[:, None]
    for step in range(_STEPS):
        scores = 10 * vectors @ matrix + bias
        scores -= scores.max(axis=1, keepdims=True)
        probable = np.exp(scores)
        probable /= probable.sum(axis=1, keepdims=True)
        wrong = share * (probable - acts)
        rate = _RATE * (1 - step / _STEPS)
        for place, slope in enumerate(
            (10 * vectors.T @ wrong + _DECAY * matrix, wrong.sum(axis=0))
        ):
            speeds[place] = 0.9 * speeds[place] - rate * slope
        matrix += speeds[0]
        bias += speeds[1]
    return 10 * matrix, bias


def main() -> None:
    """Read, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("SONI_BENCH_DATA", Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--data", type=Path, default=Path(default))
    texts, acts, weights = zip(*sentences(parser.parse_args().data), strict=True)
    vectors = Encoder.load().encode(texts)
    hot = np.eye(len(ACT_NAMES), dtype=np.float32)[[ACT_NAMES.index(act) for act in acts]]
    # Each act counts the same, however many sentences there are of it.
    weight = np.array(weights, np.float32)
    weight /= (hot * (hot * weight[:, None]).sum(axis=0)).sum(axis=1)
    apart = np.array([sha256(text.encode()).digest()[0] % 5 == 0 for text in texts])
    matrix, bias = fit(vectors[~apart], hot[~apart], weight[~apart])
    said = (vectors[apart] @ matrix + bias).argmax(axis=1)
    meant = hot[apart].argmax(axis=1)
    print(f"{len(texts)} sentences; on a fifth of them, set apart:")
    for number, act in enumerate(ACT_NAMES):
        here = meant == number
        print(f"  {act:8} {here.sum():5} {(said[here] == number).mean():.3f}")
    matrix, bias = fit(vectors, hot, weight)
    ACTS_FILE.parent.mkdir(exist_ok=True)
    Weights(
        {"matrix": matrix, "bias": bias}, {"version": VERSION, "acts": " ".join(ACT_NAMES)}
    ).write(ACTS_FILE)
    told = f"{sha256(ACTS_FILE.read_bytes()).hexdigest()}  {ACTS_FILE.name}\n"
    (ACTS_FILE.parent / "SHA256SUMS").write_text(told, encoding="utf-8")
    print(f"{ACTS_FILE.name}: {ACTS_FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
