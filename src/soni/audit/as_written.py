"""What a turn would have said if no language model had written anything: so it is in a test."""

from collections.abc import Iterator, Mapping
from typing import Any

from soni.audit.turn import RecordedTurn
from soni.core.generation import ANSWER, GENERATE, REPHRASE
from soni.core.rewording import fill_marks


def as_written(turn: RecordedTurn) -> list[str]:
    """The replies, with the author's own words where a model used others."""
    replies = turn.replies
    for said, original in _iter_rewordings(turn):
        at = next((index for index, reply in enumerate(replies) if said in reply), None)
        if at is not None:
            replies[at] = replies[at].replace(said, original, 1)
    return replies


def was_generated(turn: RecordedTurn) -> bool:
    """Whether a `generate` step spoke, for which nobody has other words."""
    return any(call.get("action") == GENERATE and "outputs" in call for call in turn.actions)


def _iter_rewordings(turn: RecordedTurn) -> Iterator[tuple[str, str]]:
    for call in turn.actions:
        asked, written = call.get("inputs"), call.get("outputs")
        if not isinstance(asked, dict) or not isinstance(written, dict):
            continue
        if written.get("refused"):
            continue
        if call.get("action") == REPHRASE:
            values: Mapping[str, str] = asked["values"]
            yield fill_marks(written["text"], values), fill_marks(asked["text"], values)
        elif call.get("action") == ANSWER and written.get("entry"):
            yield written["text"], _find_answer(asked["entries"], written["entry"])


def _find_answer(entries: list[dict[str, Any]], chosen: str) -> str:
    return next((str(each["answer"]) for each in entries if each["id"] == chosen), "")
