"""Replies: rewording by a model where allowed, and streaming."""

from collections.abc import Mapping
from typing import Any

from soni.core.calls import ActionCall
from soni.core.errors import ActionError
from soni.core.generation import REPHRASE
from soni.core.prompts import Prompt
from soni.core.records import Reply
from soni.core.rewordable import Rewordable, fill_marks
from soni.core.types import DialogueState, Overwrite, RuntimeContext, StateUpdate
from soni.flow.voice import Voice
from soni.language import get_base_language
from soni.slots import SlotEnv


async def emit_replies(updates: StateUpdate, context: RuntimeContext) -> StateUpdate:
    """Reword and stream the replies of these updates."""
    said = updates.get("replies")
    if said is None or isinstance(said, Overwrite):
        return updates
    replies = list[Reply]()
    for reply in said:
        replies.append({**reply, "text": await reword_text(reply["text"], context)})
        context.emit(replies[-1]["text"])
    return {**updates, "replies": replies}


async def reword_text(text: str, context: RuntimeContext) -> str:
    """Reword a sentence if it may be reworded; otherwise return it unchanged."""
    if not isinstance(text, Rewordable):
        return text
    if not context.has_writer or not text.has_words:
        return str(text)
    asked = {
        "text": text.marked,
        "values": dict(text.values),
        "message": context.turn_trace.heard,
        "language": context.language,
    }
    try:
        said = await write_text(REPHRASE, asked, context)
    except ActionError:
        return str(text)
    return str(text) if said.get("refused") else fill_marks(str(said["text"]), text.values)


async def write_text(
    action: str, inputs: Mapping[str, Any], context: RuntimeContext
) -> dict[str, Any]:
    """Have a model write a text, recorded like the result of an action. Raises `ActionError`."""
    call = ActionCall(
        action=action,
        inputs=inputs,
        key=f"{context.conversation_id}/{context.turn_trace.make_text_key(action)}",
        user_id=context.user_id,
        conversation_id=context.conversation_id,
        flow_id=None,
        slots={},
        session=context.session,
        say=lambda said: None,
    )
    return await context.action_runner.run(call)


def voice_of(state: Mapping[str, object], context: RuntimeContext) -> Voice:
    """The voice of this turn, for the state of a conversation or of a flow that runs."""
    return Voice(
        assistant=context.assistant,
        language=context.language,
        seed=f"{context.conversation_id}/{state['turn_count']}",
        session=context.session,
        used=context.turn_trace.note_response,
    )


def make_slot_env(context: RuntimeContext) -> SlotEnv:
    """The clock and the language that slot values depend on."""
    return SlotEnv(now=context.clock(), language=get_base_language(context.language))


def reply(*texts: str) -> StateUpdate:
    """Updates that say these sentences, each as a message of its own."""
    return {"replies": [{"text": text} for text in texts]}


def respond(name: str, state: DialogueState, context: RuntimeContext, **values: str) -> StateUpdate:
    """Updates that say a named response."""
    return reply(render_response(name, state, context, **values))


def render_response(name: str, state: DialogueState, context: RuntimeContext, **values: str) -> str:
    """A named response, rendered for this turn."""
    active = state["flow_stack"][-1]["flow_id"] if state["flow_stack"] else None
    slots = {**state["conversation_slots"], **state["flow_slots"].get(active or "", {})}
    return voice_of(state, context).render_response(name, slots, **values)


def ask_question(prompt: Prompt) -> StateUpdate:
    """Updates that end the turn with a question of the system."""
    return {"_need_input": True, "_pending_prompt": prompt}
