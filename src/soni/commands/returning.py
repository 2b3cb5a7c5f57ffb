"""Coming back to the task below when the one on top is gone."""

from typing import Any

from soni.commands.speech import respond
from soni.core.types import DialogueState, RuntimeContext
from soni.flow.stack import tasks_of
from soni.flow.steps import is_open
from soni.flow.voice import label


def announce_return(state: DialogueState, context: RuntimeContext) -> dict[str, Any]:
    """Updates that say which task goes on; its question follows by itself.

    A task that has not begun yet is not announced: it starts, it does not return.
    """
    if not state["flow_stack"] or not is_open(state["flow_stack"][-1]):
        return {}
    if not context.config.conversation_patterns.interruption.announce_return:
        return {}
    root = tasks_of(state["flow_stack"])[-1][0]["flow_name"]
    return respond("flow_resumed", state, context, flow=label(root))
