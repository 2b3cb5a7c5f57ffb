"""Random corrections over flows that call, loop, pick and go over to each other.

`HYPOTHESIS_PROFILE=thorough` walks much longer, and differently each time.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from random import Random

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.property.distribution import Distribution
from tests.property.generators import Made
from tests.property.layers import layered
from tests.property.walking import walked_and_replayed
from tests.property.walks import Move, corrections

_THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
_TURNS = 24 if _THOROUGH else 16
_ROUNDS, _WALKS = (200, 10) if _THOROUGH else (2, 10)
_SETTINGS = settings(
    max_examples=_WALKS,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
# A link ends its flow: it is never seen among the steps of an open one.
STEP_TYPES = {"say", "collect", "action", "set", "branch", "confirm", "call", "while", "parallel"}


def test_corrections_reach_everything_that_was_derived(
    record_property: Callable[[str, object], None],
) -> None:
    distribution = Distribution()
    with asyncio.Runner() as loop:

        def walk(made: Made, moves: list[Move]) -> None:
            distribution.add(loop.run(walked_and_replayed(made, moves)))

        for number in range(_ROUNDS):
            walks_of_a_round = _SETTINGS(given(layered(), corrections(_TURNS))(walk))
            seed(Random().getrandbits(64) if _THOROUGH else number)(walks_of_a_round)()
    record_property("distribution", distribution.table())
    print(f"\n{distribution.table()}")
    assert distribution.share("confirm and correction") >= 0.3
    assert set(distribution.steps) >= STEP_TYPES
