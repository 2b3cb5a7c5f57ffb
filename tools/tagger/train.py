"""Teach the tagger: tuned layers gently, the heads faster, both ever more slowly."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from soni.du.encoder.encoder import Encoder
from soni.du.tagger.network import TUNED_LAYERS
from tools.tagger.batches import Batch, order
from tools.tagger.corpus import Corpus
from tools.tagger.network import Network
from tools.tagger.twins import Twins

# Of each batch; every core learns from a part of it.
SIZE = 32
HEADS, LAYERS = 7e-4, 2e-4
WARM = 300
# Filled slots are few, and those that do not matter fewer.
STATUS = torch.tensor([1.0, 3.0, 1.5])


def loss_of(said: dict[str, Tensor], gold: dict[str, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """All losses, weighted by how much they matter."""
    known = gold["requested"] >= 0
    asked = F.binary_cross_entropy_with_logits(
        said["status"][..., 3][known], gold["requested"][known]
    )
    status = F.cross_entropy(
        said["status"][..., :3].flatten(0, 1), gold["status"].flatten(), STATUS
    )
    parts = {
        "status": 4 * status,
        "requested": 6 * asked,
        "flow": F.cross_entropy(said["flows"], gold["flow"]),
        "acts": 8 * F.binary_cross_entropy_with_logits(said["acts"], gold["acts"]),
    }
    if (gold["starts"] >= 0).any():
        starts = F.cross_entropy(said["starts"].flatten(0, 1), gold["starts"].flatten())
        ends = F.cross_entropy(said["ends"].flatten(0, 1), gold["ends"].flatten())
        parts["spans"] = starts + ends
    if len(gold["choice_gold"]):
        parts["choices"] = _choice_loss(said["choices"], gold)
    if len(gold["pair_gold"]):
        parts["pairs"] = F.binary_cross_entropy_with_logits(said["pairs"], gold["pair_gold"])
    total = torch.stack(list(parts.values())).sum()
    return total, {name: part.item() for name, part in parts.items()}


def _choice_loss(scores: Tensor, gold: dict[str, Tensor]) -> Tensor:
    groups, wanted = gold["choice_groups"], gold["choice_gold"]
    lowest = torch.full((len(wanted),), -torch.inf)
    highest = lowest.scatter_reduce(0, groups, scores.detach(), "amax")
    sums = torch.zeros(len(wanted)).index_add(0, groups, (scores - highest[groups]).exp())
    return (sums.log() + highest - scores[wanted]).mean()


def train(
    encoder: Encoder,
    corpus: Corpus,
    seed: int,
    steps: int,
    threads: int = 2,
    say: Callable[[str], None] = print,
) -> Network:
    """A network that has seen so many batches of the corpus."""
    torch.manual_seed(seed)
    dice = np.random.default_rng(seed)
    network = Network(encoder)
    tuned = [p for layer in network.layer[:TUNED_LAYERS] for p in layer.parameters()]
    mine = {id(p) for p in tuned}
    heads = [p for p in network.parameters() if id(p) not in mine]
    groups = [{"params": heads, "lr": HEADS}, {"params": tuned, "lr": LAYERS}]
    learner = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    base = [group["lr"] for group in learner.param_groups]
    twins = Twins(network, threads, seed)
    began, step, means = time.time(), 0, dict[str, float]()
    while step < steps:
        for places in order(corpus, SIZE, dice):
            if step >= steps:
                return network
            pace = min(1, (step + 1) / WARM) * (1 - step / steps)
            for group, rate in zip(learner.param_groups, base, strict=True):
                group["lr"] = rate * pace
            shares = [places[part::threads] for part in range(min(threads, len(places)))]
            parts = twins.learn([Batch(corpus, share, dice).tensors for share in shares], loss_of)
            learner.step()
            for name, part in parts.items():
                means[name] = 0.99 * means.get(name, part) + 0.01 * part
            step += 1
            if step % 200 == 0:
                spent = (time.time() - began) / 60
                told = " ".join(f"{name} {part:.3f}" for name, part in means.items())
                say(f"{step}/{steps} {spent:.1f} min: {told}")
    return network
