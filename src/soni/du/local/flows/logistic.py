"""Multinomial logistic regression, by steps that know the shape of the data."""

import numpy as np
import numpy.typing as npt

from soni.du.encoder.softmax import softmax
from soni.du.encoder.weights import Floats

# Chosen with the other settings of the choice of a flow: see soni.du.local.flows.calibration.
PENALTY = 3e-5
STEPS = 30
# How curved the loss is taken to be along each input. The proven bound, 1/2, is far too careful
# with many classes: steps would be five times as short.
_CURVATURE = 0.1


def fit_logistic(
    inputs: Floats, labels: npt.NDArray[np.intp], weights: Floats, *, steps: int = STEPS
) -> Floats:
    """A column for each class, the last row its constant. The weights of the rows sum to 1."""
    inputs = with_constant(inputs)
    wanted = np.eye(labels.max() + 1, dtype=np.float32)[labels]
    share = weights[:, None]
    # Columns are sums of rows of the inputs all along. Where there are fewer rows than numbers in
    # one, it is cheaper to say how much of each row: the steps are the same.
    few = len(inputs) < inputs.shape[1]
    seen: Floats = inputs @ inputs.T if few else inputs
    shape = _CURVATURE * (share * seen if few else (inputs * share).T @ inputs)
    back = np.linalg.inv(shape + PENALTY * np.eye(len(shape))).astype(np.float32)
    found = ahead = np.zeros((len(shape), wanted.shape[1]), dtype=np.float32)
    for step in range(1, steps + 1):
        error = share * (softmax(seen @ ahead) - wanted)
        slope = (error if few else inputs.T @ error) + np.float32(PENALTY) * ahead
        before, found = found, ahead - back @ slope
        ahead = found + np.float32((step - 1) / (step + 2)) * (found - before)
    return inputs.T @ found if few else found


def with_constant(inputs: Floats) -> Floats:
    """The inputs, and a 1 for each row."""
    return np.hstack([inputs, np.ones((len(inputs), 1), dtype=np.float32)])
