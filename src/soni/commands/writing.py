"""Having a language model write something that no step asks for."""

from collections.abc import Mapping
from typing import Any

from soni.core.calls import ActionCall
from soni.core.types import RuntimeContext


async def write_text(
    action: str, inputs: Mapping[str, Any], context: RuntimeContext
) -> dict[str, Any]:
    """What it wrote, on record like the result of an action. Raises `ActionError`."""
    call = ActionCall(
        action=action,
        inputs=inputs,
        key=f"{context.conversation_id}/{context.course.make_text_key(action)}",
        user_id=context.user_id,
        conversation_id=context.conversation_id,
        flow_id=None,
        slots={},
        session=context.session,
        say=lambda said: None,
    )
    return await context.action_runner.run(call)
