"""Parts of the application's own in a runtime: a flow manager, makers of graph nodes."""

from typing import Any

import pytest

from soni import SoniConfig
from soni.commands import SetSlot, StartFlow
from soni.compiler import NodeFactoryRegistry, StepNodeFactory
from soni.compiler.state import FlowState
from soni.config.plan import FlowPlan, PlannedStep
from soni.core.errors import SoniError
from soni.core.types import DialogueState, NodeFunction
from soni.flow.manager import FlowDelta, FlowManager
from tests.conversations.bank import ACTIONS, BANK
from tests.talking import assistant, talking_to

TRANSFER = StartFlow(flow_name="transfer", slots={"amount": 5})


class CountingManager(FlowManager):
    """Counts what starts, in all turns."""

    def __init__(self, config: SoniConfig) -> None:
        super().__init__(config)
        self.started: list[str] = []

    def push_flow(
        self, state: DialogueState, flow_name: str, *args: Any, **options: Any
    ) -> tuple[str, FlowDelta]:
        self.started.append(flow_name)
        return super().push_flow(state, flow_name, *args, **options)


async def test_a_flow_manager_of_ones_own_operates_on_the_stack() -> None:
    config = assistant(BANK, ACTIONS)
    manager = CountingManager(config)
    async with talking_to(config, flow_manager=manager) as talk:
        assert await talk.say("send 5", TRANSFER) == ["To whom?"]
        own = talk.state["flow_stack"][0]
        await talk.say("weather", StartFlow(flow_name="weather"))
        assert (manager.started, talk.stack) == (["transfer", "weather"], ["transfer", "weather"])
    async with talking_to(config) as talk:
        # Ids and times are the runtime's, whoever manages: a conversation replays exactly.
        await talk.say("send 5", TRANSFER)
        usual = talk.state["flow_stack"][0]
        assert (own["flow_id"], own["started_at"]) == (usual["flow_id"], usual["started_at"])


class ShoutingFactory:
    """Makes nodes whose steps shout."""

    def create(self, planned: PlannedStep, plan: FlowPlan) -> NodeFunction:
        run = StepNodeFactory().create(planned, plan)

        async def shout(state: FlowState, runtime: Any) -> dict[str, Any]:
            updates = await run(state, runtime)
            return {**updates, "replies": [{"text": r["text"].upper()} for r in updates["replies"]]}

        return shout


async def test_a_registered_factory_makes_the_nodes_of_its_step_type() -> None:
    config = assistant(BANK, ACTIONS)
    registry = NodeFactoryRegistry()
    registry.register("say", ShoutingFactory())
    rome = SetSlot(slot_name="city", value="Rome")
    for factories, said in ((None, "It is sunny in Rome."), (registry, "IT IS SUNNY IN ROME.")) * 2:
        # One runtime's nodes are not another's, although they share the assistant.
        async with talking_to(config, node_factories=factories) as talk:
            assert await talk.say("weather", StartFlow(flow_name="weather")) == ["Which city?"]
            assert await talk.say("Rome", rome) == [said]


def test_a_factory_is_for_a_step_type_that_there_is() -> None:
    wrong = "cannot register a node factory for 'shout': .* available: action, branch"
    with pytest.raises(SoniError, match=wrong):
        NodeFactoryRegistry().register("shout", ShoutingFactory())
    with pytest.raises(SoniError, match=wrong):
        NodeFactoryRegistry({"shout": ShoutingFactory()})
