"""Calibration: from features of likeness to the probability of each flow.

Found by `python -m tools.calibration` on the train part of CLINC150 (CC BY 3.0): assistants of 2 to
150 of its intents with 0 to 10 examples each; a third of the messages asked for none of the flows,
half of those for an intent of other assistants. Chosen there too: the penalty and the steps of the
regression, the weight of a name, and the runs of letters of the spelling. What tells flows apart by
regression was found on assistants of Banking77 (CC BY 4.0) as well, whose flows are much alike.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from soni.du.encoder.weights import Floats, softmax


@dataclass(frozen=True)
class ComparisonWeights:
    """Weights for the features of likeness, in the order that `likeness` names them."""

    apart: tuple[float, float, float, float, float]
    """What tells the flows apart."""

    inside: tuple[float, float, float, float, float]
    """What tells, by the best flow, that one of them is meant."""

    flows: float
    """The more flows there are, the likelier one of them is like anything."""

    texts: float
    """So it is with the texts of a flow."""

    constant: float


LOGISTIC = ComparisonWeights(
    apart=(0.86, 1.1, 5.22, 0.0, 8.81),
    inside=(0.0, 4.48, 11.0, 0.07, 4.46),
    flows=-0.42,
    texts=-0.91,
    constant=-4.11,
)
CENTROID = ComparisonWeights(
    apart=(0.0, 4.92, 16.36, 5.22, 0.0),
    inside=(0.0, 3.86, 11.62, 3.03, 0.0),
    flows=-0.41,
    texts=-0.76,
    constant=-3.89,
)


def compute_probabilities(parts: Floats, texts: Floats, way: ComparisonWeights) -> Floats:
    """The probability of no flow, then of each. `texts`: the total weight of each flow's texts."""
    # No matrix product: numpy sometimes gives spurious warnings for so few numbers.
    scores = (parts * np.array(way.apart, dtype=np.float32)).sum(axis=1)
    best = int(scores.argmax())
    inside = score_any_flow(parts[best], float(texts[best]), len(parts), way)
    return np.concatenate([[1 - inside], inside * softmax(scores)])


def score_any_flow(best: Floats, texts: float, flows: int, way: ComparisonWeights) -> float:
    """The probability that any flow is meant, by the features of the best one."""
    told = way.flows * np.log(flows) + way.texts * np.log(texts) + way.constant
    return float(1 / (1 + np.exp(-(best @ np.array(way.inside) + told))))


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
    inputs = append_constant(inputs)
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


def append_constant(inputs: Floats) -> Floats:
    """The inputs, and a 1 for each row."""
    return np.hstack([inputs, np.ones((len(inputs), 1), dtype=np.float32)])
