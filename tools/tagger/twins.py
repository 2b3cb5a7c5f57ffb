"""Copies of a network that share its weights, one for each core.

Much of a step is work that torch does on one core whatever it is given: two copies at half of a
batch each keep two cores busy. Each forgets by dice of its own, so that the order in which they
run changes nothing.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import Tensor

from tools.tagger.network import Network, precision

Said = dict[str, Tensor]
Loss = Callable[[Said, Said], tuple[Tensor, dict[str, float]]]


class Twins:
    """They learn together; the first is the network that was given."""

    def __init__(self, network: Network, count: int, seed: int) -> None:
        torch.set_num_threads(1)
        self._all = [network, *(_twin(network) for _ in range(count - 1))]
        for number, one in enumerate(self._all):
            one.forget.dice = torch.Generator().manual_seed(seed + number)
        self._pool = ThreadPoolExecutor(count)

    def learn(self, shares: Sequence[Said], loss: Loss) -> dict[str, float]:
        """The gradients of a batch in shares, left at the first; its losses, by part."""
        whole = sum(len(share["seen"]) for share in shares)
        weights = [len(share["seen"]) / whole for share in shares]
        used = self._all[: len(shares)]
        told = list(self._pool.map(_learn, used, shares, weights, [loss] * len(shares)))
        first = self._all[0]
        for other in used[1:]:
            for one, its in zip(first.parameters(), other.parameters(), strict=True):
                if its.grad is not None:
                    one.grad = its.grad if one.grad is None else one.grad.add_(its.grad)
        torch.nn.utils.clip_grad_norm_(first.parameters(), 1.0)
        # A share may lack a part that the other has: no values, no choices.
        names = dict.fromkeys(name for parts in told for name in parts)
        having = {name: [parts[name] for parts in told if name in parts] for name in names}
        return {name: sum(values) / len(values) for name, values in having.items()}


def _twin(network: Network) -> Network:
    made = copy.deepcopy(network)
    for one, its in zip(network.parameters(), made.parameters(), strict=True):
        its.data = one.data
    return made


def _learn(network: Network, share: Said, weight: float, loss: Loss) -> dict[str, float]:
    network.zero_grad(set_to_none=True)
    with precision():
        said = network(share)
    total, parts = loss(said, share)
    (weight * total).backward()
    return parts
