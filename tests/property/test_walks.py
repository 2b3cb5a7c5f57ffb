"""Random commands over random assistants: whatever is said, the engine keeps its word.

`HYPOTHESIS_PROFILE=thorough` walks much longer, and differently each time.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from random import Random

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.depth import choose_count
from tests.property.distribution import Distribution
from tests.property.generators import Made, assistants
from tests.property.walking import walked
from tests.property.walks import Move, walks

_THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
_TURNS = 20 if _THOROUGH else 12
# Beyond ten walks hypothesis varies old ones rather than drawing new ones: begin anew instead.
_ROUNDS, _WALKS = (200, 10) if _THOROUGH else (choose_count(1, 3), 10)
# What hypothesis draws from a seed differs with the modules around it: go on for what is rare
# in few walks.
_MORE_ROUNDS = 9
_SETTINGS = settings(
    max_examples=_WALKS,
    database=None,
    deadline=None,
    # Explaining a failure would walk a hundred times more.
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
STEP_TYPES = {"say", "collect", "action", "set", "branch", "confirm"}
SLOT_TYPES = {"string", "integer", "number", "boolean", "choice", "date"}
COMMANDS = {
    "StartFlow", "CancelFlow", "ResumeFlow", "SetSlot", "CorrectSlot", "SkipSlot",
    "AffirmConfirmation", "DenyConfirmation", "Clarify", "Disambiguate", "ChitChat", "OutOfScope",
    "HumanHandoff", "RepeatLast",
}  # fmt: skip


def test_random_commands_over_random_flows_keep_every_promise(
    record_property: Callable[[str, object], None],
) -> None:
    distribution = Distribution()
    with asyncio.Runner() as loop:

        def walk(made: Made, moves: list[Move]) -> None:
            distribution.add(loop.run(walked(made, moves)))

        for number in range(_ROUNDS + _MORE_ROUNDS):
            if number >= _ROUNDS and _is_complete(distribution):
                break
            walks_of_a_round = _SETTINGS(given(assistants(), walks(_TURNS))(walk))
            seed(Random().getrandbits(64) if _THOROUGH else number)(walks_of_a_round)()
    record_property("distribution", distribution.table())
    print(f"\n{distribution.table()}")
    assert distribution.share("confirm") >= 0.3
    assert distribution.share("correction") >= 0.3
    assert distribution.share("confirm and correction") >= 0.3
    assert set(distribution.steps) >= STEP_TYPES
    assert set(distribution.asked) >= SLOT_TYPES
    assert _accepted(distribution) >= COMMANDS


def _is_complete(distribution: Distribution) -> bool:
    return (
        distribution.share("confirm and correction") >= 0.3
        and set(distribution.steps) >= STEP_TYPES
        and set(distribution.asked) >= SLOT_TYPES
        and _accepted(distribution) >= COMMANDS
    )


def _accepted(distribution: Distribution) -> set[str]:
    return {name for name, decision in distribution.commands if decision == "accepted"}
