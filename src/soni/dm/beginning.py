"""Beginning a flow that waited for another: what that one handed out is there only now."""

from soni.commands.speech import env_of, voice_of
from soni.core.errors import Refused
from soni.core.state import Updates
from soni.core.types import DialogueState, RuntimeContext, StateUpdate
from soni.flow.steps import is_open


async def late_inputs(state: DialogueState, context: RuntimeContext) -> StateUpdate:
    """Updates that give the active flow, before its first step, what it takes from others."""
    active = state["flow_stack"][-1]
    if is_open(active):
        return {}
    updates = Updates(state)
    given = context.flow_manager.find_archived_inputs(state, active["flow_name"])
    for name, value in given.items():
        known = context.flow_manager.slots(updates.state, active["flow_id"])
        if name in known:
            continue
        voice = voice_of(updates.state, context)
        try:
            written = await context.slot_writer.write(name, value, known, env_of(context), voice)
        except Refused:
            # It is asked, like any other input that nobody gave.
            continue
        stored = context.flow_manager.set_slot(
            updates.state, name, written.value, active["flow_id"]
        )
        updates.add(stored.updates())
    return updates.merged
