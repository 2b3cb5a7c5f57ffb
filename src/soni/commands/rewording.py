"""Saying things: what may be put into other words is, and whoever listens hears it."""

from typing import Any

from soni.commands.writing import written
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
    if not context.has_writer or not text.has_words:
        return str(text)
    asked = {
        "text": text.marked,
        "values": dict(text.values),
        "message": context.course.heard,
        "language": context.language,
    }
    try:
        said = await written(REPHRASE, asked, context)
    except ActionError:
        return str(text)
    return str(text) if said.get("refused") else filled(str(said["text"]), text.values)
