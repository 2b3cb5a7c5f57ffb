"""Coming back to a task: said where it happens, whatever led there."""

from soni.commands.speech import respond
from soni.core.types import DialogueState, RuntimeContext, StateUpdate
from soni.flow.stack import tasks_of
from soni.flow.steps import is_open
from soni.flow.voice import make_label


def announce_return(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Updates for entering the task on top; if it is another than before, they say so.

    A task that has not begun yet is not announced: it starts, it does not return.
    """
    task = tasks_of(state["flow_stack"])[-1]
    root = task[0]["flow_id"]
    entered: StateUpdate = {"turn": {"task": root}}
    announces = context.config.conversation_patterns.interruption.announce_return
    if root == state["turn"].get("task") or not is_open(task[-1]) or not announces:
        return entered
    said = respond("flow_resumed", state, context, flow=make_label(task[0]["flow_name"]))
    return {**said, **entered}
