"""How sure a choice of flow is: the constants, and what they make of a message's likeness.

Found by `python -m tools.calibration` on the train part of CLINC150 (CC BY 3.0): assistants of 2 to
150 of its intents with 0 to 10 examples each; a third of the messages asked for none of the flows,
half of those for an intent of other assistants. Chosen there too: the penalty and the steps of the
regression, the weight of a name, and the runs of letters of the spelling. What tells flows apart by
regression was found on assistants of Banking77 (CC BY 4.0) as well, whose flows are much alike.
"""

from dataclasses import dataclass

import numpy as np

from soni.du.encoder.softmax import softmax
from soni.du.encoder.weights import Floats


@dataclass(frozen=True)
class Way:
    """Weights of a way to compare a message with flows, in the order of likeness.PARTS."""

    apart: tuple[float, float, float, float, float]
    """What tells the flows apart."""

    inside: tuple[float, float, float, float, float]
    """What tells, by the best flow, that one of them is meant."""

    flows: float
    """The more flows there are, the likelier one of them is like anything."""

    texts: float
    """So it is with the texts of a flow."""

    constant: float


LOGISTIC = Way(
    apart=(0.86, 1.1, 5.22, 0.0, 8.81),
    inside=(0.0, 4.48, 11.0, 0.07, 4.46),
    flows=-0.42,
    texts=-0.91,
    constant=-4.11,
)
CENTROID = Way(
    apart=(0.0, 4.92, 16.36, 5.22, 0.0),
    inside=(0.0, 3.86, 11.62, 3.03, 0.0),
    flows=-0.41,
    texts=-0.76,
    constant=-3.89,
)


def probabilities(parts: Floats, texts: Floats, way: Way) -> Floats:
    """Of none of the flows, then of each. `texts`: the weight of all that is told of each flow."""
    # Not by a matrix product: of so few numbers it warns, now and then, of what was never there.
    scores = (parts * np.array(way.apart, dtype=np.float32)).sum(axis=1)
    best = int(scores.argmax())
    inside = sure(parts[best], float(texts[best]), len(parts), way)
    return np.concatenate([[1 - inside], inside * softmax(scores)])


def sure(best: Floats, texts: float, flows: int, way: Way) -> float:
    """How likely one of the flows is meant, by what the best of them is like."""
    told = way.flows * np.log(flows) + way.texts * np.log(texts) + way.constant
    return float(1 / (1 + np.exp(-(best @ np.array(way.inside) + told))))
