"""DigressionHandler: answers what is beside the flow. Never touches the stack."""

import unicodedata
from typing import Any

from soni.commands.cancel_flow import cancel_task
from soni.commands.human_handoff import hand_off, handoff_enabled
from soni.commands.situation import Situation
from soni.commands.speech import reply, respond, voice_of
from soni.core.state import merge_updates
from soni.core.types import DialogueState, RuntimeContext
from soni.flow.voice import label

_ABOUT_THE_QUESTION = (
    "why", "what for", "which", "what are the options",
    "por que", "para que", "cual", "que opciones",
)  # fmt: skip


class DigressionHandler:
    """Clarify, ChitChat and OutOfScope: a short answer, then the pending question."""

    async def handle(
        self, kind: str, topic: str, state: DialogueState, context: RuntimeContext
    ) -> dict[str, Any]:
        """Updates with the answer; too many in a row, and the fallback runs."""
        depth = state["digression_depth"] + 1
        updates: dict[str, Any] = {
            "digression_depth": depth,
            "last_digression_type": kind,
            "trace": [{"event": "digression", "timestamp": context.now(), "data": {"type": kind}}],
        }
        if depth > context.config.conversation_patterns.clarification.max_depth:
            over = await self._fallback(state, context)
            if over:
                return merge_updates({**updates, "digression_depth": 0}, over)
        return merge_updates(updates, self._answer(kind, topic, state, context))

    def _answer(
        self, kind: str, topic: str, state: DialogueState, context: RuntimeContext
    ) -> dict[str, Any]:
        if kind != "clarify":
            return respond(kind, state, context)
        situation = Situation(state, context)
        if situation.asked_slot is not None and _is_about(topic, situation.asked_slot):
            explained = self._about_slot(situation.asked_slot, state, context)
            if explained:
                return reply(*explained)
        if situation.active is None:
            flows = [label(name) for name in situation.startable_flows()]
            known = bool(flows) and not topic
            return (
                respond("what_i_can_do", state, context, flows=", ".join(flows))
                if known
                else respond("no_answer", state, context)
            )
        flow = context.config.flows.get(situation.active["flow_name"])
        if flow is not None and flow.description:
            return reply(flow.description)
        return respond("no_answer", state, context)

    def _about_slot(self, name: str, state: DialogueState, context: RuntimeContext) -> list[str]:
        slot, voice = context.assistant.slot(name), voice_of(state, context)
        asking = (state["_pending_prompt"] or {}).get("flow_id")
        texts = []
        if slot.help is not None:
            texts.append(voice.text(slot.help, context.flow_manager.slots(state, asking)))
        if slot.values:
            texts.append(voice.response("value_options", values=", ".join(slot.values)))
        return texts

    async def _fallback(self, state: DialogueState, context: RuntimeContext) -> dict[str, Any]:
        fallback = context.config.conversation_patterns.clarification.fallback
        if fallback == "handoff" and handoff_enabled(context):
            return await hand_off(state, context, "too many questions beside the task")
        if fallback == "cancel" and state["flow_stack"]:
            return cancel_task(state, context, "too many questions beside the task")
        return {}


def _is_about(topic: str, slot: str) -> bool:
    words = _plain(topic)
    named = words in (_plain(slot), _plain(label(slot)))
    return not words or named or words.startswith(_ABOUT_THE_QUESTION)


def _plain(text: str) -> str:
    """Without case, accents or the marks around a question."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in folded if not unicodedata.combining(sign)).strip(" ¿?¡!.,")
