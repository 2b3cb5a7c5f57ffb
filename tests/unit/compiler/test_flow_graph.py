"""A flow's graph: walked or run by LangGraph, the same happens, and it never runs for ever."""

from typing import Any

import pytest

from soni import RuntimeLoop, SoniConfig, TurnError
from soni.compiler import NodeFactoryRegistry, compile_flow
from soni.compiler.state import FlowState
from soni.config.assistant import Assistant
from soni.config.plan import FlowPlan, PlannedStep
from soni.core.types import NodeFunction
from tests.conversations.till import Till


def traced(config: SoniConfig) -> SoniConfig:
    """The same assistant, each of its nodes a superstep of LangGraph's."""
    runtime = config.settings.runtime.model_copy(update={"tracing": True})
    settings = config.settings.model_copy(update={"runtime": runtime})
    return config.model_copy(update={"settings": settings})


async def record(config: SoniConfig, *messages: str) -> list[Any]:
    async with RuntimeLoop(config) as runtime:
        turns = [await runtime.turn(message, "ann") for message in messages]
    return [(t.messages, t.commands, _without_times(t.state)) for t in turns]


def _without_times(state: Any) -> Any:
    """What a second run of the same conversation has as well."""
    steps, transitions = state["turn"]["steps"], state["turn"]["transitions"]
    return state["flow_slots"], state["conversation_state"], steps, transitions


@pytest.mark.parametrize(
    "messages",
    [
        ("pay", "5", "Bob", "pay 7", "cancel"),
        ("pay 5 to Bob", "when are you open", "pay", "what?", "never mind"),
    ],
)
async def test_a_conversation_is_the_same_whoever_runs_the_graph(messages: tuple[str, ...]) -> None:
    walked, run = Till().config, traced(Till().config)
    assert await record(walked, *messages) == await record(run, *messages)


def test_a_flow_can_be_had_as_a_graph_of_langgraph() -> None:
    plan = Assistant(Till().config).plans["pay"]
    drawn = compile_flow(plan).get_graph()
    assert set(plan.steps) == set(drawn.nodes) - {"__start__", "__end__"}


class RestlessFactory:
    """Makes nodes that only lead back to themselves."""

    def create(self, planned: PlannedStep, plan: FlowPlan) -> NodeFunction:
        async def spin(state: FlowState, runtime: Any) -> dict[str, Any]:
            return {"step": planned.id}

        return spin


async def test_a_node_of_ones_own_that_never_leaves_its_step_ends_the_turn() -> None:
    registry = NodeFactoryRegistry({"collect": RestlessFactory()})
    async with RuntimeLoop(Till().config, node_factories=registry) as runtime:
        with pytest.raises(TurnError) as failed:
            await runtime.turn("pay", "ann")
    assert "neither waited nor ended" in str(failed.value.__cause__)
