"""The orchestrator's nodes follow one another without a superstep each, but not for ever."""

from typing import Any

import pytest

from soni import RuntimeLoop, TurnError
from soni.core.types import DialogueState
from soni.flow.manager import FlowDelta, FlowManager
from tests.conversations.till import Till


class HoardingManager(FlowManager):
    """Never lets go of a flow that has ended."""

    def pop_flow(self, state: DialogueState, *args: Any, **options: Any) -> FlowDelta:
        return FlowDelta()


async def test_a_turn_that_neither_waits_nor_ends_fails() -> None:
    config = Till().config
    async with RuntimeLoop(config, flow_manager=HoardingManager(config)) as runtime:
        with pytest.raises(TurnError) as failed:
            await runtime.turn("when are you open", "ann")
        assert "neither waited nor ended" in str(failed.value.__cause__)
        assert (await runtime.get_state("ann"))["turn_count"] == 0
