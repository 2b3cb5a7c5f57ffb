"""What a turn would have said if no language model had written anything: so it is in a test."""

from collections.abc import Iterator, Mapping
from typing import Any

from soni.audit.turn import RecordedTurn
from soni.core.generation import ANSWER, GENERATE, REPHRASE
from soni.core.rewording import filled


def as_written(turn: RecordedTurn) -> list[str]:
    """The replies, with the author's own words where a model used others."""
    replies = turn.replies
    for said, original in _reworded(turn):
        at = next((index for index, reply in enumerate(replies) if said in reply), None)
        if at is not None:
            replies[at] = replies[at].replace(said, original, 1)
    return replies


def was_generated(turn: RecordedTurn) -> bool:
    """Whether a `generate` step spoke, for which nobody has other words."""
    return any(call.get("action") == GENERATE and "outputs" in call for call in turn.actions)


def _reworded(turn: RecordedTurn) -> Iterator[tuple[str, str]]:
    for call in turn.actions:
        asked, written = call.get("inputs"), call.get("outputs")
        if not isinstance(asked, dict) or not isinstance(written, dict):
            continue
        if written.get("refused"):
            continue
        if call.get("action") == REPHRASE:
            values: Mapping[str, str] = asked["values"]
            yield filled(written["text"], values), filled(asked["text"], values)
        elif call.get("action") == ANSWER and written.get("entry"):
            yield written["text"], _answer(asked["entries"], written["entry"])


def _answer(entries: list[dict[str, Any]], chosen: str) -> str:
    return next((str(each["answer"]) for each in entries if each["id"] == chosen), "")
