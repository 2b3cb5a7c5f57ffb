"""Tune the last layers by episodes, and stop when businesses kept apart gain nothing more."""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from soni.du.encoder.encoder import Encoder
from soni.du.encoder.weights import Floats
from tools.episodes.draw import Episode, Neighbours, draw_business, draw_episode
from tools.episodes.network import Network, make_targets
from tools.episodes.sources import Source, list_businesses, load_sources

RATE, SCALES_RATE = 6e-5, 1e-2
EPISODES = 3
WARM = 20
# How often it is looked whether to go on, and how often in vain.
LOOK, PATIENCE = 60, 4


@dataclass(frozen=True)
class Options:
    """What a run is made of."""

    without: tuple[str, ...] = ()
    layers: int = 3
    near: bool = False
    steps: int = 420
    seed: int = 7


def train(
    encoder: Encoder, options: Options, say: Callable[[str], None] = print
) -> tuple[Network, dict[str, float]]:
    """The network as it was when it did best on the businesses kept apart, and how well it did."""
    torch.manual_seed(options.seed)
    dice = random.Random(options.seed)
    sources = list(load_sources(options.without).values())
    businesses = list_businesses(apart=False)
    neighbours = find_neighbours(encoder, sources) if options.near else None
    network = Network(encoder, options.layers)
    learner = make_learner(network)
    exam = draw_exam()
    best, kept, waited = measure_exam(network, exam), copy.deepcopy(network.state_dict()), 0
    before = {f"{name}_before": best[name] for name in ("right", "flow")}
    best["step"] = 0
    say(f"step 0: {format_figures(best)}")
    began = time.time()
    for step in range(1, options.steps + 1):
        pace = min(1.0, step / WARM) * (1 - (step - 1) / options.steps)
        for group in learner.param_groups:
            group["lr"] = group["rate"] * pace
        some = [draw_episode(businesses, sources, dice, neighbours) for _ in range(EPISODES)]
        learner.zero_grad(set_to_none=True)
        torch.autograd.backward(network.compute_loss(some))
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        learner.step()
        if step % LOOK == 0:
            now = measure_exam(network, exam)
            say(f"step {step}, {(time.time() - began) / 60:.1f} min: {format_figures(now)}")
            if now["right"] > best["right"]:
                best, kept, waited = {**now, "step": step}, copy.deepcopy(network.state_dict()), 0
            elif (waited := waited + 1) >= PATIENCE:
                break
    network.load_state_dict(kept)
    return network, {**best, **before, "minutes": (time.time() - began) / 60}


def make_learner(network: Network) -> torch.optim.Optimizer:
    """Layers learn gently, the two numbers of the score faster."""
    scales = [network.temperature, network.none]
    groups = [
        {"params": list(network.layer.parameters()), "lr": RATE, "rate": RATE},
        {"params": scales, "lr": SCALES_RATE, "rate": SCALES_RATE, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, weight_decay=0.01, fused=True)


def draw_exam() -> list[Episode]:
    """An episode of each business kept apart, always the same, with all its messages."""
    dice = random.Random(0)
    return [draw_business(one, dice, most=None) for one in list_businesses(apart=True)]


def measure_exam(network: Network, exam: Sequence[Episode]) -> dict[str, float]:
    """How often flow or none is right, and the right flow where one is meant."""
    right = flow = starts = total = 0
    with torch.inference_mode():
        for one in exam:
            scores, wanted = network.score_episodes([one])[0], make_targets(one)
            right += int((scores.argmax(1) == wanted).sum())
            flow += int((scores[:, 1:].argmax(1) + 1 == wanted).sum())
            starts += int((wanted > 0).sum())
            total += len(wanted)
    return {"right": right / total, "flow": flow / starts, "messages": float(total)}


def format_figures(figures: Mapping[str, float]) -> str:
    """As people read them."""
    return ", ".join(f"{name} {value:.4g}" for name, value in figures.items())


def find_neighbours(encoder: Encoder, sources: Sequence[Source]) -> Neighbours:
    """Which intents are alike before anything is learnt."""
    return Neighbours({one.name: _average_intents(encoder, one) for one in sources})


def _average_intents(encoder: Encoder, source: Source) -> Floats:
    texts = [text for one in source.intents for text in one.said[:5]]
    counts = [len(one.said[:5]) for one in source.intents]
    vectors = encoder.encode(texts)
    sums = np.add.reduceat(vectors, np.cumsum([0, *counts[:-1]]))
    rows: Floats = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    return rows
