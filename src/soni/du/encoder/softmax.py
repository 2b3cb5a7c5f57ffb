"""Scores as probabilities."""

import numpy as np

from soni.du.encoder.weights import Floats


def softmax(scores: Floats) -> Floats:
    """The scores along the last axis as probabilities that sum to 1; of none, none."""
    likely: Floats = scores - scores.max(axis=-1, keepdims=True, initial=-np.inf)
    np.exp(likely, out=likely)
    likely /= likely.sum(axis=-1, keepdims=True)
    return likely
