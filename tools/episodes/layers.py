"""The sentence model with other last layers, read from a file of them."""

from __future__ import annotations

from copy import copy
from pathlib import Path

from soni.du.encoder.encoder import Encoder
from soni.du.encoder.transformer import Layer
from soni.du.encoder.weights import Weights

FLOWS_FILE = "flows.safetensors"


def load_layers(encoder: Encoder, folder: Path) -> Encoder:
    """The same model with the last layers of a folder; all below them is shared."""
    weights = Weights.read(folder / FLOWS_FILE)
    made, first = copy(encoder), int(weights.about["first"])
    made.version = f"{encoder.version} {weights.about['version']}"
    made.transformer = copy(encoder.transformer)
    old = encoder.transformer.layers
    others = (Layer.load(weights, number) for number in range(first, len(old)))
    made.transformer.layers = (*old[:first], *others)
    return made
