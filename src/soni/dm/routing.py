"""Routing between the nodes, decided by the state alone."""

from typing import Literal

from soni.core.constants import RESERVED_TARGETS
from soni.core.types import DialogueState

Node = Literal[
    "execute_commands", "run_flow", "handle_flow_complete", "await_user", "generate_response"
]


def route_after_understand(state: DialogueState) -> Node:
    """A conversation that was handed off is only recorded."""
    return "generate_response" if state["metadata"].get("handoff") else "execute_commands"


def route_after_execute_commands(state: DialogueState) -> Node:
    """A handoff ends the turn; a question of the system waits; else the active flow runs."""
    if state["metadata"].get("handoff"):
        return "generate_response"
    if state["_need_input"]:
        return "await_user"
    if state["flow_stack"]:
        return "run_flow"
    return "execute_commands" if state["commands"] else "generate_response"


def route_after_run_flow(state: DialogueState) -> Node:
    """The flow ended, or more was said, or it waits."""
    if not state["flow_stack"] or state["metadata"].get("handoff"):
        return "generate_response"
    if state["flow_stack"][-1]["current_step"] in RESERVED_TARGETS:
        return "handle_flow_complete"
    if not state["_need_input"]:
        return "run_flow"
    return "execute_commands" if state["commands"] else "await_user"


def route_after_flow_complete(state: DialogueState) -> Node:
    """Queued commands come first, then the task below."""
    if state["commands"]:
        return "execute_commands"
    return "run_flow" if state["flow_stack"] else "generate_response"
