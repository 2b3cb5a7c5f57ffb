"""Saying things: what may be put into other words is, and whoever listens hears it."""

from typing import Any

from soni.core.calls import ActionCall
from soni.core.errors import ActionError
from soni.core.generation import REPHRASE
from soni.core.rewording import Rewordable, filled
from soni.core.types import RuntimeContext


async def spoken(updates: dict[str, Any], context: RuntimeContext) -> dict[str, Any]:
    """The same updates with their replies as they are said; each is streamed."""
    if "replies" not in updates:
        return updates
    replies = []
    for reply in updates["replies"]:
        replies.append({**reply, "text": await reworded(reply["text"], context)})
        context.emit(replies[-1]["text"])
    return {**updates, "replies": replies}


async def reworded(text: str, context: RuntimeContext) -> str:
    """What to say for a sentence: in other words if it may be, else as it is."""
    if not isinstance(text, Rewordable):
        return text
    if context.config.settings.nlu.model is None or not text.has_words:
        return str(text)
    call = ActionCall(
        action=REPHRASE,
        inputs={
            "text": text.marked,
            "values": dict(text.values),
            "message": context.course.heard,
            "language": context.language,
        },
        key=f"{context.conversation_id}/{context.course.written_key('rephrase')}",
        user_id=context.user_id,
        conversation_id=context.conversation_id,
        flow_id=None,
        slots={},
        session=context.session,
        say=lambda said: None,
    )
    try:
        written = await context.action_runner.run(call)
    except ActionError:
        return str(text)
    context.course.spent(written.get("usage"))
    return str(text) if written.get("refused") else filled(str(written["text"]), text.values)
