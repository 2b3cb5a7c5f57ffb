"""What handlers need to speak: the turn's voice and replies as updates."""

from soni.core.prompts import Prompt
from soni.core.types import DialogueState, RuntimeContext, StateUpdate
from soni.flow.voice import Voice
from soni.language import base_language
from soni.slots import SlotEnv


def voice_of(state: DialogueState, context: RuntimeContext) -> Voice:
    """The voice of this turn."""
    return Voice(
        assistant=context.assistant,
        language=context.language,
        seed=f"{context.conversation_id}/{state['turn_count']}",
        session=context.session,
        used=context.course.note_response,
    )


def env_of(context: RuntimeContext) -> SlotEnv:
    """What values depend on in this turn."""
    return SlotEnv(now=context.clock(), language=base_language(context.language))


def reply(*texts: str) -> StateUpdate:
    """Updates that say these sentences, each as a message of its own."""
    return {"replies": [{"text": text} for text in texts]}


def respond(name: str, state: DialogueState, context: RuntimeContext, **values: str) -> StateUpdate:
    """Updates that say a named response."""
    return reply(response_text(name, state, context, **values))


def response_text(name: str, state: DialogueState, context: RuntimeContext, **values: str) -> str:
    """A named response in the words of this turn."""
    active = state["flow_stack"][-1]["flow_id"] if state["flow_stack"] else None
    slots = {**state["conversation_slots"], **state["flow_slots"].get(active or "", {})}
    return voice_of(state, context).response(name, slots, **values)


def ask_question(prompt: Prompt) -> StateUpdate:
    """Updates that end the turn with a question of the system."""
    return {"_need_input": True, "_pending_prompt": prompt}
