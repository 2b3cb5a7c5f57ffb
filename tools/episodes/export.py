"""Tuned layers as a file of eight-bit weights, and how near it is to what was tuned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import torch

from soni.du.encoder.encoder import Encoder
from soni.du.encoder.weights import Weights
from tools.episodes.layers import FLOWS_FILE, load_layers
from tools.episodes.network import TOKENS, Network
from tools.tagger.export import tensors


def mix_layers(network: Network, encoder: Encoder, share: float) -> None:
    """Make the layers a mean of what was tuned, with this share, and what it was tuned from."""
    known = Network(encoder, len(network.layer)).layer.parameters()
    with torch.no_grad():
        for mine, old in zip(network.layer.parameters(), known, strict=True):
            mine.mul_(share).add_(old, alpha=1 - share)


def describe_model(version: str, network: Network, options: Mapping[str, object]) -> dict[str, str]:
    """What the file says of itself."""
    return {
        "version": version,
        "first": str(network.first),
        "layers": str(len(network.layer)),
        **{name: str(value) for name, value in options.items()},
        "license": "Apache-2.0 (model it was tuned from)",
    }


def write_layers(network: Network, to: Path, about: Mapping[str, str]) -> int:
    """The file and its checksum beside the others; how many bytes it has."""
    to.mkdir(parents=True, exist_ok=True)
    named = {
        f"layer.{network.first + int(number)}.{rest}": tensor
        for number, _, rest in (name.partition(".") for name in network.layer.state_dict())
        for tensor in [network.layer.state_dict()[f"{number}.{rest}"]]
    }
    Weights(tensors(named), about).write(to / FLOWS_FILE)
    content = (to / FLOWS_FILE).read_bytes()
    sums = to / "SHA256SUMS"
    lines = sums.read_text(encoding="utf-8").splitlines() if sums.is_file() else []
    kept = [line for line in lines if not line.endswith(f"  {FLOWS_FILE}")]
    kept.append(f"{sha256(content).hexdigest()}  {FLOWS_FILE}")
    sums.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    return len(content)


def compare_file(network: Network, encoder: Encoder, to: Path, texts: Sequence[str]) -> float:
    """The least cosine between vectors by the file and by the network."""
    written = load_layers(encoder, to).encode(texts, tokens=TOKENS)
    return float((written * network.encode_plainly(texts)).sum(axis=1).min())
