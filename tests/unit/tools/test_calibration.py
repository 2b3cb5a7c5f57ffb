"""The constants of how sure a choice of flow is, found on examples."""

import numpy as np

from tools.calibration import Heard, apart, inside


def heard(*, foreign: bool) -> Heard:
    """Two flows; the second number of a row tells which is meant, the first tells nothing."""
    dice = np.random.default_rng(3)
    wanted = dice.integers(0, 2, 60)
    parts = dice.normal(size=(60, 2, 2))
    parts[np.arange(60), wanted, 1] += 3
    if foreign:
        wanted[:20] = -1
        parts[:20] -= 4
    return Heard(parts, wanted, np.array([3.0, 3.0]), 3)


def test_what_tells_flows_apart_weighs_more_than_what_does_not() -> None:
    noise, telling = apart([heard(foreign=False)], range(2))
    assert telling > 1
    assert telling > 3 * abs(noise)


def test_what_is_unlike_every_flow_is_likely_none_of_them() -> None:
    every = [heard(foreign=True)]
    weights = apart(every, range(2))
    likeness, *_, constant = inside(every, weights, range(2))
    near, far = likeness * 3 + constant, likeness * -4 + constant
    assert near > far
