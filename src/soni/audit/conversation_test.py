"""Exports a recorded conversation as a conversation test."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from soni.audit.stand_ins import RecordedResults, StandIns, list_commands
from soni.audit.turn import RecordedTurn, parse_flow_name
from soni.config.positions import Source
from soni.config.soni_config import SoniConfig
from soni.core.constants import MASK
from soni.core.generation import ANSWER, GENERATE, REPHRASE, TEXT_ACTIONS
from soni.core.rewordable import fill_marks
from soni.testing.case import CaseFile
from soni.testing.case_text import render_test_file
from soni.testing.files import parse_text
from soni.testing.result import Result
from soni.testing.run import ConversationTest


@dataclass
class WrittenTests:
    """The text of a test file, and notes for its reader."""

    text: str
    notes: list[str]
    """What a test cannot say, or what somebody has to fill in."""

    results: list[Result] = field(default_factory=list)
    """How the tests went when they were tried."""


async def write_tests(
    config: SoniConfig, turns: Sequence[RecordedTurn], name: str | None = None
) -> WrittenTests:
    """Write a test for each stretch between two resets, and run it."""
    parts = [part for part in split_at_resets(turns) if part]
    writers = [_TestWriter(config, part) for part in parts]
    ends = [f", part {number}" if len(parts) > 1 else "" for number in range(1, len(parts) + 1)]
    cases = [writer.make_case(name, end) for writer, end in zip(writers, ends, strict=True)]
    text = render_test_file([case for case in cases if case["turns"]])
    notes = [note for writer in writers for note in dict.fromkeys(writer.notes)]
    return WrittenTests(text, notes, await _run_tests(config, text))


def split_at_resets(turns: Sequence[RecordedTurn]) -> Iterator[list[RecordedTurn]]:
    """The stored turns, split where the conversation was reset."""
    part: list[RecordedTurn] = []
    for turn in turns:
        if turn.entry.status == "reset":
            yield part
            part = []
        elif turn.ok:
            part.append(turn)
    yield part


async def _run_tests(config: SoniConfig, text: str) -> list[Result]:
    # As a file would hold it: what UTF-8 does not have is a question mark there.
    source = Source("recorded.test.yaml", text.encode("utf-8", "replace").decode("utf-8"))
    read = parse_text(CaseFile, source, "")
    assert read.content is not None, read.problems
    tests = [
        ConversationTest(case, index, config, read.positions, nlu="local")
        for index, case in enumerate(read.content.tests)
    ]
    return [await test.run() for test in tests]


class _TestWriter:
    def __init__(self, config: SoniConfig, turns: Sequence[RecordedTurn]) -> None:
        self._config = config
        self._turns = turns
        self._stand_ins = StandIns(config)
        self._results = RecordedResults(turns, self._stand_ins)
        self._clock = turns[0].moment.replace(microsecond=0)
        self._own_notes: list[str] = []

    @property
    def notes(self) -> list[str]:
        return [*self._own_notes, *self._stand_ins.notes, *self._results.notes]

    def make_case(self, name: str | None, part: str) -> dict[str, Any]:
        """The test, as plain data."""
        first = self._turns[0]
        return {
            "name": f"{name or f'recorded conversation of {first.user_id}'}{part}",
            "now": self._clock.isoformat(),
            # The choice among variations of a text depends on the conversation's id.
            "user_id": first.entry.conversation_id,
            "language": first.language,
            "context": first.context,
            "stubs": self._results.throughout,
            "turns": [self._write_turn(turn, first) for turn in self._iter_playable_turns()],
        }

    def _iter_playable_turns(self) -> Iterator[RecordedTurn]:
        for turn in self._turns:
            if turn.message is None and turn.facts.get("api") not in _CALLS:
                self._own_notes.append(
                    f"turn {turn.entry.turn} is a call of the application that a test cannot "
                    "make; the test ends before it"
                )
                return
            yield turn

    def _write_turn(self, turn: RecordedTurn, first: RecordedTurn) -> dict[str, Any]:
        return {
            **self._write_input(turn),
            "after": self._format_pause(turn.moment),
            "language": turn.language if turn.language != first.language else None,
            "context": turn.context if turn.context != first.context else None,
            "stubs": self._results.find_changed_results(turn) or None,
            "expect": self._write_expectations(turn),
        }

    def _write_input(self, turn: RecordedTurn) -> dict[str, Any]:
        if turn.message is None:
            return {"api": _write_api_call(turn, self._stand_ins)}
        if turn.source == "refused":
            return {"user": f"{turn.message}…"}
        return {"user": turn.message, "commands": list_commands(turn, self._stand_ins)}

    def _format_pause(self, moment: datetime) -> str | None:
        whole = moment.replace(microsecond=0)
        passed = max(0, int((whole - self._clock).total_seconds()))
        self._clock += timedelta(seconds=passed)
        unit = next((unit for unit in _UNITS if passed and passed % _UNITS[unit] == 0), None)
        return f"{passed // _UNITS[unit]}{unit}" if unit else None

    def _write_expectations(self, turn: RecordedTurn) -> dict[str, Any]:
        if has_generated_text(turn):
            number = turn.entry.turn
            self._own_notes.append(f"turn {number}: a model wrote, and a test says the fallback")
        active = turn.stack[-1] if turn.stack else None
        expected: dict[str, Any] = {
            **_write_replies(turn),
            "flow": parse_flow_name(active) if active else None,
            "state": turn.after.get("state"),
        }
        slots = {**turn.shared, **turn.slots.get(active or "", {})}
        optional: dict[str, Any] = {
            "slots": {name: slots[name] for name in slots if self._is_tellable(name, slots[name])},
            "waiting_for": turn.after.get("waiting_for"),
            "actions": [_write_action(call) for call in turn.actions if _is_flow_call(call)],
        }
        for result in ("completed", "cancelled", "abandoned"):
            ended = [flow["flow_name"] for flow in turn.ended if flow.get("result") == result]
            optional[result] = ended
        return {**expected, **{key: value for key, value in optional.items() if value}}

    def _is_tellable(self, name: str, value: Any) -> bool:
        # Names with an underscore are Soni's own, and tests cannot use them.
        secret = self._stand_ins.is_sensitive(name) or MASK in str(value)
        return not secret and not name.startswith("_")


_CALLS: Final = ("start_flow", "release", "push", "agent_message")
_UNITS: Final[Mapping[str, int]] = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}


def _write_api_call(turn: RecordedTurn, stand_ins: StandIns) -> Any:
    if turn.facts.get("api") == "release":
        return "release"
    if "say" in turn.facts:
        return {turn.facts["api"]: turn.facts["say"][0]["text"]}
    start = stand_ins.fill_command(turn.said[0])
    call = {"flow_name": start["flow_name"], "inputs": start["slots"]}
    return {"start_flow": {key: value for key, value in call.items() if value}}


def _write_replies(turn: RecordedTurn) -> dict[str, Any]:
    """The replies of a turn, without those of actions, which are silent in a test."""
    spoken = [text for call in turn.actions for text in call.get("said") or ()]
    replies = restore_author_texts(turn)
    rest = [text for text in replies if text not in spoken]
    return {"contains": rest} if spoken else {"bot": replies}


def _write_action(call: Mapping[str, Any]) -> Any:
    return {call["action"]: call["inputs"]} if "inputs" in call else call["action"]


def _is_flow_call(call: Mapping[str, Any]) -> bool:
    # Handoff actions and generated texts are not visible in a test.
    beside = str(call.get("key")).startswith("handoff/")
    return not beside and call.get("action") not in TEXT_ACTIONS


def restore_author_texts(turn: RecordedTurn) -> list[str]:
    """The replies, with the author's text in place of a model's rewording."""
    replies = turn.replies
    for said, original in _iter_rewordings(turn):
        at = next((index for index, reply in enumerate(replies) if said in reply), None)
        if at is not None:
            replies[at] = replies[at].replace(said, original, 1)
    return replies


def has_generated_text(turn: RecordedTurn) -> bool:
    """Whether a `generate` step spoke. Its text cannot be expected in a test."""
    return any(call.get("action") == GENERATE and "outputs" in call for call in turn.actions)


def _iter_rewordings(turn: RecordedTurn) -> Iterator[tuple[str, str]]:
    for call in turn.actions:
        asked, written = call.get("inputs"), call.get("outputs")
        if not isinstance(asked, dict) or not isinstance(written, dict) or written.get("refused"):
            continue
        if call.get("action") == REPHRASE:
            values: Mapping[str, str] = asked["values"]
            yield fill_marks(written["text"], values), fill_marks(asked["text"], values)
        elif call.get("action") == ANSWER and written.get("entry"):
            chosen = (each for each in asked["entries"] if each["id"] == written["entry"])
            yield written["text"], next((str(each["answer"]) for each in chosen), "")
