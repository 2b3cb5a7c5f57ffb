"""Answers from the knowledge base, as far as they apply in the current state."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog

from soni.commands.output import voice_of, write_text
from soni.commands.situation import Situation
from soni.config.definitions import KnowledgeEntry
from soni.core.constants import CALLER
from soni.core.errors import ActionError
from soni.core.generation import ANSWER
from soni.core.masking import mask_text
from soni.core.paths import walk_path
from soni.core.protocols import KnowledgeBase, Passage
from soni.core.templates import parse_template
from soni.core.texts import list_variations
from soni.dm.config_answers import list_task_flows
from soni.du.nearest import find_nearest_texts

_log = structlog.get_logger("soni.knowledge")

# Some of the best entries may not apply now.
_MAX_TRIED = 10


@dataclass(frozen=True)
class KnowledgeAnswer:
    """An answer that applies in the current state."""

    id: str
    text: str
    questions: tuple[str, ...] = ()
    """What it is for, if that is known."""


async def look_up_answer(
    question: str, knowledge: KnowledgeBase, situation: Situation
) -> tuple[str, str] | None:
    """The id and the text of the best answer that applies now."""
    for passage in await _search_knowledge(question, knowledge, situation):
        answer = _make_answer(passage, situation)
        if answer is not None:
            return answer.id, answer.text
    return None


async def find_possible_answers(
    question: str, knowledge: KnowledgeBase, situation: Situation
) -> tuple[list[KnowledgeAnswer], list[KnowledgeAnswer]]:
    """The entries found, best first, and the assistant's other entries; only those that apply."""
    passages = await _search_knowledge(question, knowledge, situation)
    found = [each for passage in passages if (each := _make_answer(passage, situation)) is not None]
    known = {answer.id for answer in found}
    others = (Passage(each, 0.0) for each in situation.assistant.knowledge if each not in known)
    return found, [each for other in others if (each := _make_answer(other, situation)) is not None]


def _make_answer(passage: Passage, situation: Situation) -> KnowledgeAnswer | None:
    """The text of a passage; None if it does not apply now."""
    if passage.text is not None:
        return KnowledgeAnswer(passage.id, passage.text)
    entry = situation.assistant.knowledge.get(passage.id)
    said = _render_entry(entry, situation) if entry is not None else None
    if entry is None or said is None:
        return None
    asked = list_variations(entry.question, situation.context.language)
    return KnowledgeAnswer(passage.id, said, tuple(asked))


async def _search_knowledge(
    question: str, knowledge: KnowledgeBase, situation: Situation
) -> Sequence[Passage]:
    language, flows = situation.context.language, _list_working_flows(situation)
    try:
        return await knowledge.search(question, language=language, flows=flows, limit=_MAX_TRIED)
    except Exception as error:
        # An unavailable knowledge base must not break the conversation: there is just no answer.
        _log.warning("knowledge_failed", error=type(error).__name__)
        return []


def _render_entry(entry: KnowledgeEntry, situation: Situation) -> str | None:
    """The entry's answer; None if it does not apply now or a value is missing."""
    values = _collect_values(entry, situation)
    if values is None or not situation.is_true(entry.when, values):
        return None
    read = {**values, CALLER: situation.context.session}
    for sentence in list_variations(entry.answer, situation.context.language):
        places = parse_template(sentence).placeholders
        if any(walk_path(read, place.path) is None for place in places):
            return None
    return voice_of(situation.state, situation.context).render_text(entry.answer, values)


def _collect_values(entry: KnowledgeEntry, situation: Situation) -> dict[str, Any] | None:
    """The values that the entry may use. None: its flow is not active."""
    if entry.flow is None:
        return situation.get_values(None)
    for flow in list_task_flows(situation):
        if flow["flow_name"] == entry.flow:
            return situation.get_values(flow["flow_id"])
    return situation.get_values(None) if entry.flow in _list_working_flows(situation) else None


def _list_working_flows(situation: Situation) -> list[str]:
    """The active flows; if the last one ended in this turn, that one."""
    at_work = [flow["flow_name"] for flow in list_task_flows(situation)]
    # In "Yes, and what does it cost?" the yes was executed before the question.
    events = situation.state["trace"][situation.state["turn"].get("trace_from", 0) :]
    ended = [event["data"]["flow_name"] for event in events if event["event"] == "flow_completed"]
    return at_work or ended


_MAX_OFFERED: Final = 5
"""Entries that a model is given to choose from."""


async def answer_from_entries(
    question: str, knowledge: KnowledgeBase, situation: Situation
) -> tuple[str, str] | None:
    """The id of an entry and the text to say; None if nothing answers."""
    by_model = _is_answered_by_model(situation)
    offered = await _find_entries(question, knowledge, situation) if by_model else []
    if not offered:
        return await look_up_answer(question, knowledge, situation)
    request = {
        "question": mask_text(question, situation.secrets),
        "entries": [
            {"id": each.id, "questions": list(each.questions), "answer": each.text}
            for each in offered
        ],
        "language": situation.context.language,
    }
    try:
        said = await write_text(ANSWER, request, situation.context)
    except ActionError:
        # If the model is unavailable, answers that need none still work.
        return await look_up_answer(question, knowledge, situation)
    entry = next((each for each in offered if each.id == said["entry"]), None)
    if entry is None:
        return None
    return entry.id, entry.text if said.get("refused") else str(said["text"])


def _is_answered_by_model(situation: Situation) -> bool:
    context = situation.context
    wanted = context.config.conversation_patterns.clarification.answers == "model"
    # While a sensitive slot is asked for, no message is sent to a model.
    private = situation.state["turn"].get("private")
    return wanted and context.has_writer and not private


async def _find_entries(
    question: str, knowledge: KnowledgeBase, situation: Situation
) -> list[KnowledgeAnswer]:
    """The entries found, then the most similar others, which may be about something else."""
    secrets = situation.secrets
    found, others = (
        [each for each in answers if mask_text(each.text, secrets) == each.text]
        for answers in await find_possible_answers(question, knowledge, situation)
    )
    first, asked = found[:_MAX_OFFERED], [each.questions for each in others]
    near = await find_nearest_texts(question, asked, _MAX_OFFERED - len(first))
    return [*first, *(others[at] for at in near)]
