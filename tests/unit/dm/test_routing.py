"""Where control goes next is decided by the state alone."""

from typing import Any

import pytest

from soni.core.state import create_initial_state
from soni.core.types import DialogueState
from soni.dm import routing
from soni.dm.graph import build_graph

COMMAND = {"type": "CancelFlow"}


def state(
    *steps: str | None, commands: bool = False, asks: bool = False, handoff: bool = False
) -> DialogueState:
    stack: Any = [{"flow_name": "f", "current_step": step} for step in steps]
    made = create_initial_state()
    return {
        **made,
        "flow_stack": stack,
        "commands": [COMMAND] if commands else [],
        "_need_input": asks,
        "metadata": {**made["metadata"], "handoff": {"queue": None} if handoff else None},
    }


def test_a_message_is_executed_unless_a_person_has_taken_over() -> None:
    assert routing.route_after_understand(state()) == "execute_commands"
    assert routing.route_after_understand(state("ask", handoff=True)) == "generate_response"


@pytest.mark.parametrize(
    ("now", "to"),
    [
        (state(), "generate_response"),
        (state("ask"), "run_flow"),
        (state("ask", commands=True), "run_flow"),
        (state(commands=True), "execute_commands"),
        (state(asks=True), "await_user"),
        (state("ask", asks=True), "await_user"),
        (state("ask", handoff=True), "generate_response"),
        (state("ask", asks=True, handoff=True), "generate_response"),
    ],
)
def test_after_commands(now: DialogueState, to: str) -> None:
    assert routing.route_after_execute_commands(now) == to


@pytest.mark.parametrize(
    ("now", "to"),
    [
        (state(), "generate_response"),
        (state("end"), "handle_flow_complete"),
        (state("error"), "handle_flow_complete"),
        (state("cancel_flow"), "handle_flow_complete"),
        (state("ask", "end", commands=True), "handle_flow_complete"),
        (state("end", "ask", asks=True), "await_user"),
        (state("ask", asks=True, commands=True), "execute_commands"),
        (state("ask"), "run_flow"),
        (state("ask", handoff=True), "generate_response"),
    ],
)
def test_after_a_flow_ran(now: DialogueState, to: str) -> None:
    assert routing.route_after_run_flow(now) == to


@pytest.mark.parametrize(
    ("now", "to"),
    [
        (state(), "generate_response"),
        (state("ask"), "run_flow"),
        (state("ask", commands=True), "execute_commands"),
        (state(commands=True), "execute_commands"),
    ],
)
def test_after_a_flow_ended(now: DialogueState, to: str) -> None:
    assert routing.route_after_flow_complete(now) == to


def test_the_graph_has_the_nodes_as_drawn_and_only_one_of_them_waits() -> None:
    drawn = build_graph(None).get_graph()
    assert set(drawn.nodes) - {"__start__", "__end__"} == {
        "understand",
        "execute_commands",
        "run_flow",
        "handle_flow_complete",
        "await_user",
        "generate_response",
    }
    edges = {(edge.source, edge.target) for edge in drawn.edges}
    assert ("__start__", "understand") in edges
    assert {target for source, target in edges if source == "await_user"} == {"understand"}
    assert {source for source, target in edges if target == "__end__"} == {"generate_response"}
