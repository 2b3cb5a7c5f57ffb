"""Caller: who talks through a host's graph, and in which conversation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import get_runtime

from soni.core.errors import InvalidInputError


@dataclass(frozen=True)
class Caller:
    """What a turn must know of the run that it is part of."""

    user_id: str
    conversation_id: str
    language: str | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    """What the host knows about the user, readable as `session.*`."""


def identify_caller(config: RunnableConfig) -> Caller:
    """The thread is the conversation; the user is whom the server has authenticated, or the thread.

    A `user_id` in the config is not believed: on a LangGraph server any client may write one.
    """
    thread_id = config.get("configurable", {}).get("thread_id")
    if not thread_id:
        raise InvalidInputError(
            "config['configurable']['thread_id']",
            "the id of the conversation: run the graph with "
            "{'configurable': {'thread_id': ...}}, or give make_node an 'identify' of your own",
            "none",
        )
    server = get_runtime().server_info
    user = server.user if server else None
    # Without authentication a LangGraph server has one nameless user for everybody.
    identity = user.identity if user else ""
    return Caller(user_id=identity or str(thread_id), conversation_id=str(thread_id))


def get_task_id() -> str:
    """The id of the run of a node: the same when LangGraph runs it again."""
    info = get_runtime().execution_info
    # LangGraph fills it in before it calls a node.
    assert info is not None
    return info.task_id
