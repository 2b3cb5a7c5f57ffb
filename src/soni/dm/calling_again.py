"""Calling a flow again after a correction: it goes on with what it knew, and with new inputs."""

from collections.abc import Mapping
from typing import Any

from soni.commands.going_back import go_back, rewound
from soni.commands.rewording import emit_replies
from soni.commands.speech import env_of, reply, voice_of
from soni.core.state import Updates
from soni.core.types import Called, DialogueState, RuntimeContext, StateUpdate
from soni.flow.called import calls_of, reopen


def find_left_call(state: DialogueState, flow_name: str) -> Called | None:
    """What the active flow's step called before a correction made it leave; None: nothing."""
    caller = state["flow_stack"][-1]
    left = calls_of(caller).get(caller["current_step"] or "")
    if left is None or left["again"] is None or left["context"]["flow_name"] != flow_name:
        return None
    return left


async def call_again(
    inputs: Mapping[str, Any], left: Called, state: DialogueState, context: RuntimeContext
) -> StateUpdate:
    """Reopen it and go back as far as the changed inputs demand.

    Raises `Refused` for an input that it does not take, `TooLateError` for one that comes too late.
    """
    caller, doubtful = state["flow_stack"][-1], left["again"] or []
    reopened = reopen(state, caller["flow_id"], caller["current_step"] or "", context.now())
    updates = Updates(state, reopened.updates())
    flow, changed, broken = updates.state["flow_stack"][-1], list[str](), dict[str, str]()
    coming = {name: value for name, value in inputs.items() if name in doubtful}
    for name, value in inputs.items():
        known = context.flow_manager.slots(updates.state, flow["flow_id"])
        if name in known and name not in doubtful:
            continue
        voice = voice_of(updates.state, context)
        written = await context.slot_writer.write(
            name, value, known, env_of(context), voice, coming=coming
        )
        if name in doubtful and known.get(name) != written.value:
            changed.append(name)
            broken.update(written.broken)
        stored = context.flow_manager.set_slot(updates.state, name, written.value, flow["flow_id"])
        updates.add(stored.updates())
    gone = [name for name in doubtful if name not in inputs]
    back = rewound(flow, updates.state, context, changed=[*changed, *gone], unset=broken)
    updates.add(await emit_replies(reply(*broken.values()), context))
    updates.add(go_back(back, flow, [*broken, *gone], updates.state, context))
    return updates.merged
