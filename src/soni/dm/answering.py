"""Answering from knowledge: as an entry is written, or by a language model from some entries."""

from typing import Any, Final

from soni.commands.situation import Situation
from soni.commands.writing import write_text
from soni.core.errors import ActionError
from soni.core.generation import ANSWER
from soni.core.masking import mask_text
from soni.core.protocols import KnowledgeBase
from soni.dm.lookup import Answer, look_up, possible_answers
from soni.du.nearest import find_nearest_texts

_OFFERED: Final = 5
"""Entries that a model is given to choose from."""


async def answer_from_entries(
    question: str, knowledge: KnowledgeBase, situation: Situation
) -> tuple[str, str] | None:
    """The id of an entry, and what is said; None: nothing answers."""
    if not _by_model(situation):
        return await look_up(question, knowledge, situation)
    offered = await _find_entries(question, knowledge, situation)
    if not offered:
        return await look_up(question, knowledge, situation)
    try:
        said = await write_text(
            ANSWER, _make_request(question, offered, situation), situation.context
        )
    except ActionError:
        # A model that is away must not take the answers along that need none.
        return await look_up(question, knowledge, situation)
    entry = next((each for each in offered if each.id == said["entry"]), None)
    if entry is None:
        return None
    return entry.id, entry.text if said.get("refused") else str(said["text"])


def _by_model(situation: Situation) -> bool:
    context = situation.context
    wanted = context.config.conversation_patterns.clarification.answers == "model"
    # What is said while something sensitive is asked for does not leave the machine.
    private = situation.state["turn"].get("private")
    return wanted and context.has_writer and not private


async def _find_entries(
    question: str, knowledge: KnowledgeBase, situation: Situation
) -> list[Answer]:
    """What was found first, then what is nearest, although it may be about something else."""
    secrets = situation.secrets
    found, others = (
        [each for each in answers if mask_text(each.text, secrets) == each.text]
        for answers in await possible_answers(question, knowledge, situation)
    )
    first = found[:_OFFERED]
    near = await find_nearest_texts(
        question, [each.questions for each in others], _OFFERED - len(first)
    )
    return [*first, *(others[at] for at in near)]


def _make_request(question: str, offered: list[Answer], situation: Situation) -> dict[str, Any]:
    return {
        "question": mask_text(question, situation.secrets),
        "entries": [
            {"id": each.id, "questions": list(each.questions), "answer": each.text}
            for each in offered
        ],
        "language": situation.context.language,
    }
