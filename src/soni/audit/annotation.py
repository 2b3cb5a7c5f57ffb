"""Exports a recorded conversation as a file of sentences with their commands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from soni.audit.conversation_test import split_at_resets
from soni.audit.stand_ins import RecordedResults, StandIns, list_commands, list_effective_commands
from soni.audit.turn import RecordedTurn
from soni.config.dump import Path, dump_yaml
from soni.config.positions import Source
from soni.config.soni_config import SoniConfig
from soni.core.constants import MASK
from soni.testing.case_text import shorten_command
from soni.testing.evaluate import Evaluation, EvaluationError
from soni.testing.evaluate.sentences import (
    IDLE,
    SEPARATOR,
    SentenceFile,
    Sentences,
    abbreviate_command,
)
from soni.testing.files import parse_text

_HEAD: Final = """\
# What was said, and what was understood. Where that is not what was meant, write what was:
# `StartFlow transfer; SetSlot amount 50`, or "" for nothing. docs/evaluating.md
"""


@dataclass(frozen=True)
class AnnotationFile:
    """The text of a sentence file, and notes for its reader."""

    text: str
    sentences: int
    notes: Sequence[str]
    """What was left out, and why."""


async def annotate_turns(config: SoniConfig, turns: Sequence[RecordedTurn]) -> AnnotationFile:
    """Every message with its moment, as far as a conversation can reach that moment again."""
    parts = [part for part in split_at_resets(turns) if part]
    writer = _AnnotationWriter(config, [turn for part in parts for turn in part])
    for number, part in enumerate(parts, 1):
        writer.add(part, f"part {number}, " if len(parts) > 1 else "")
    for moment in list(writer.said):
        reason = await _explain_unreachable(config, writer, moment)
        if reason is not None:
            writer.leave_out_moment(moment, reason)
    notes = list(dict.fromkeys(writer.notes))
    comments = "".join(f"# {' '.join(note.split())}\n" for note in notes)
    text = _HEAD + comments + dump_yaml(writer.make_file(), _is_block_style)
    return AnnotationFile(text, sum(map(len, writer.said.values())), notes)


class _AnnotationWriter:
    def __init__(self, config: SoniConfig, turns: Sequence[RecordedTurn]) -> None:
        self._first = turns[0]
        self._stand_ins = StandIns(config)
        self._stubs = RecordedResults(turns, self._stand_ins).throughout
        self._moments: dict[str, list[list[Any]]] = {}
        self.said: dict[str, dict[str, Any]] = {}
        self.notes: list[str] = []

    def add(self, turns: Sequence[RecordedTurn], part: str) -> None:
        """Add the turns between two resets."""
        way: list[list[Any]] = []
        for turn in turns:
            where = f"{part}turn {turn.entry.turn}"
            if turn.message is None and turn.facts.get("api") != "start_flow":
                self.notes.append(f"{where} is no message; what follows it is left out")
                return
            if turn.before.get("handoff"):
                self.notes.append(f"{where}: a person had taken over; what follows is left out")
                return
            if turn.message is not None and turn.source != "refused":
                self._add_sentence(turn, where, way)
            done = [*map(_format_command, list_effective_commands(turn, self._stand_ins))]
            way = [*way, done] if done else way

    def _add_sentence(self, turn: RecordedTurn, where: str, way: list[list[Any]]) -> None:
        message, commands = str(turn.message), list_commands(turn, self._stand_ins)
        if not message.strip() or MASK in f"{message}{turn.said}":
            self.notes.append(f"{where} is left out: it holds what is not on record")
            return
        moment = where if way else IDLE
        if way:
            self._moments[moment] = way
        words = [*map(_format_command, commands)]
        short = all(isinstance(each, str) for each in words)
        meaning = f"{SEPARATOR} ".join(words) if short else words
        self.said.setdefault(moment, {})[message] = meaning

    def leave_out_moment(self, moment: str, reason: str) -> None:
        """Leave out a moment that cannot be reached."""
        del self.said[moment]
        self._moments.pop(moment, None)
        self.notes.append(f"{moment} is left out: {reason}")

    def make_file(self, moment: str | None = None) -> dict[str, Any]:
        """All of it, or one moment, shaped like a `SentenceFile`."""
        told = {
            "conversation": self._first.entry.conversation_id,
            "now": self._first.moment.replace(microsecond=0).isoformat(),
            "language": self._first.language,
            "context": self._first.context,
            "stubs": self._stubs,
            "moments": {k: v for k, v in self._moments.items() if moment in (None, k)},
        }
        said = {k: v for k, v in self.said.items() if moment in (None, k)}
        return {**{key: value for key, value in told.items() if value}, "said": said}


def _format_command(command: dict[str, Any]) -> Any:
    short = shorten_command(command, bare=True)
    return short if isinstance(short, str) else abbreviate_command(short)


async def _explain_unreachable(
    config: SoniConfig, writer: _AnnotationWriter, moment: str
) -> str | None:
    """Why a conversation cannot reach the moment again; None if it can."""
    source = Source("annotated", dump_yaml(writer.make_file(moment)))
    read = parse_text(SentenceFile, source, "")
    assert read.content is not None, read.problems
    sentences = Sentences(read.content, read.positions, source.file)
    try:
        await Evaluation(config, (sentences,), ()).collect_questions()
    except EvaluationError as error:
        return str(error).partition(": ")[2]
    return None


def _is_block_style(path: Path) -> bool:
    return path[:1] in (("said",), ("moments",)) and len(path) <= 2
