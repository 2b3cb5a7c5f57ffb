"""DigressionHandler: answers questions and small talk. It never touches the stack."""

from collections.abc import Sequence
from typing import Final

from soni.commands.cancel_flow import cancel_task
from soni.commands.human_handoff import hand_off, is_handoff_enabled
from soni.commands.output import reply, respond
from soni.commands.situation import Situation
from soni.core.protocols import KnowledgeBase
from soni.core.state import merge_updates
from soni.core.texts import list_variations
from soni.core.types import DialogueState, RuntimeContext, StateUpdate
from soni.dm.config_answers import ConfigAnswers
from soni.dm.knowledge_answers import answer_from_entries
from soni.dm.topic import Topic

KNOWLEDGE_PREFIX: Final = "knowledge/"
"""Prefix of the source of an answer that comes from a knowledge entry."""


class DigressionHandler:
    """Clarify, ChitChat and OutOfScope: a short answer, then the pending question."""

    def __init__(self, knowledge: KnowledgeBase | None = None) -> None:
        self._knowledge = knowledge

    async def handle(
        self, kind: str, topic: str, state: DialogueState, context: RuntimeContext
    ) -> StateUpdate:
        """Updates with the answer. After too many digressions in a row the fallback runs."""
        situation = Situation(state, context)
        asked = Topic(topic, context.language, situation.asked_slot) if kind == "clarify" else None
        # Thanks and a farewell show nobody at a loss: they count neither for nor against.
        depth = state["digression_depth"] + (kind != "chitchat")
        updates: StateUpdate = {
            "digression_depth": depth,
            "last_digression_type": _classify_digression(asked) if asked else kind,
        }
        most = context.config.conversation_patterns.clarification.max_depth
        if depth > most and kind != "chitchat":
            over = await self._run_fallback(state, context)
            if over:
                traced = _trace_digression(kind, "fallback", context)
                return merge_updates({**updates, "digression_depth": 0, **traced}, over)
        if asked is None:
            said = respond(kind, state, context)
            return merge_updates({**updates, **_trace_digression(kind, kind, context)}, said)
        answer, texts = await self._find_answer(asked, situation)
        updates["last_digression_type"] = _classify_digression(asked, answer)
        said = _say_answer(answer, texts) if texts else respond("no_answer", state, context)
        return merge_updates({**updates, **_trace_digression(kind, answer, context)}, said)

    async def _find_answer(self, topic: Topic, situation: Situation) -> tuple[str, list[str]]:
        """The source and the texts of the answer. The configuration comes before knowledge."""
        answers = ConfigAnswers(situation, topic)
        own = topic.is_about_the_question
        is_idle = situation.active is None and not situation.prompt
        lost = own and topic.is_bare and not topic.is_why and is_idle
        if (lost or topic.is_about_abilities) and (said := answers.list_abilities()):
            return "abilities", said
        if own and topic.is_bare and (said := answers.explain_question()):
            return "question", said
        if self._knowledge is not None and topic.said:
            found = await answer_from_entries(topic.text, self._knowledge, situation)
            if found is not None:
                return f"{KNOWLEDGE_PREFIX}{found[0]}", [found[1]]
        if said := answers.explain_other_slot():
            return "question", said
        if own and (said := answers.explain_question()):
            return "question", said
        if said := answers.describe_flow():
            return "description", said
        if topic.is_help and (said := answers.list_abilities()):
            return "abilities", said
        return "none", []

    async def _run_fallback(self, state: DialogueState, context: RuntimeContext) -> StateUpdate:
        fallback = context.config.conversation_patterns.clarification.fallback
        if fallback == "handoff" and is_handoff_enabled(context):
            return await hand_off(state, context, "too many questions beside the task")
        if fallback == "cancel" and state["flow_stack"]:
            return cancel_task(state, context, "too many questions beside the task")
        return {}


def _classify_digression(topic: Topic, answer: str = "") -> str:
    """Classify as a request for help, a clarification of the prompt, or another question."""
    if topic.is_help or topic.is_about_abilities or answer == "abilities":
        return "help"
    if answer == "question":
        return "clarification"
    own = answer.startswith(KNOWLEDGE_PREFIX) or not topic.is_about_the_question
    return "question" if own else "clarification"


def _say_answer(answer: str, texts: Sequence[str]) -> StateUpdate:
    """Updates that say an answer. One from the knowledge base names its entry."""
    if not answer.startswith(KNOWLEDGE_PREFIX):
        return reply(*texts)
    return {"replies": [{"text": text, "source": answer} for text in texts]}


def _trace_digression(kind: str, answer: str, context: RuntimeContext) -> StateUpdate:
    data = {"type": kind, "answer": answer}
    entry = context.assistant.knowledge.get(answer.removeprefix(KNOWLEDGE_PREFIX))
    if entry is not None:
        # For people: an id alone says nothing.
        data["entry"] = list_variations(entry.question, context.language)[0]
    return {"trace": [{"event": "digression", "timestamp": context.now(), "data": data}]}
