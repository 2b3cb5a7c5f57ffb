"""Saying things: what may be put into other words is, and whoever listens hears it."""

from soni.commands.writing import write_text
from soni.core.errors import ActionError
from soni.core.generation import REPHRASE
from soni.core.records import Reply
from soni.core.rewording import Rewordable, fill_marks
from soni.core.types import Overwrite, RuntimeContext, StateUpdate


async def emit_replies(updates: StateUpdate, context: RuntimeContext) -> StateUpdate:
    """The same updates with their replies as they are said; each is streamed."""
    said = updates.get("replies")
    if said is None or isinstance(said, Overwrite):
        return updates
    replies = list[Reply]()
    for reply in said:
        replies.append({**reply, "text": await reword_text(reply["text"], context)})
        context.emit(replies[-1]["text"])
    return {**updates, "replies": replies}


async def reword_text(text: str, context: RuntimeContext) -> str:
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
        said = await write_text(REPHRASE, asked, context)
    except ActionError:
        return str(text)
    return str(text) if said.get("refused") else fill_marks(str(said["text"]), text.values)
