"""The inspector: past turns, forks, commands by hand, conversations as tests, and replays."""

import asyncio
import re
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field, ValidationError

from soni.audit.conversation_test import write_tests
from soni.audit.inspection import inspect_turns
from soni.audit.placeholders import has_mask
from soni.audit.replay import ForkTarget, ReplayedTurn, fork, make_origin, replay, replay_today
from soni.audit.source import iter_entries
from soni.audit.turn import RecordedTurn
from soni.commands import CommandHandlerRegistry
from soni.commands.registry import UnknownCommandError
from soni.config.assistant import Assistant
from soni.config.diagrams.model import build_pictures
from soni.config.diagrams.sheet import lay_out_sheet
from soni.config.diagrams.svg import export_sheet
from soni.core.errors import InvalidInputError, SoniError
from soni.du.providers import open_provider
from soni.runtime.turn import Message
from soni.server.access import Author, ConversationId, Developer, Server, Talks
from soni.server.conversations import Conversations, describe_turn
from soni.server.models import Incoming, Name, TurnBody, describe_example
from soni.server.problems import ApiProblem, describe_problems
from soni.testing.evaluate.sentences import read_commands, split_entries
from soni.testing.report import format_reasons

COMMON: Final = ("unauthenticated", "forbidden", "not_found", "invalid_request", "not_allowed")
HEAVY: Final = (*COMMON, "busy")
"""Turns that are held again wait in the queue of turns."""

DEVELOPMENT: Final = (*HEAVY, "development_only")
MAX_TURNS: Final = 2000
"""Entries of a conversation that are looked at. A page shows no more."""

_AFTER = {"state": "waiting_for_slot", "step": "collect_amount", "waiting_for": "amount"}
_TURN = {
    "seq": 1, "turn": 1, "status": "ok", "message": "send money",
    "commands": [{"command": "StartFlow", "decision": "accepted"}],
    "replies": [{"text": "How much?"}], "after": _AFTER,
}  # fmt: skip
_REPLAYED = {
    "seq": 1, "turn": 1, "outcome": "held", "same": True, "differences": [],
    "now": {"replies": ["How much?"], "after": _AFTER},
}  # fmt: skip
_DRAWING = {
    "name": "greet", "width": 240, "height": 258,
    "boxes": [{"node": "say_hello", "kind": "say", "x": 120, "y": 89, "width": 240, "height": 50}],
    "paths": [{"from": "say_hello", "to": "end", "kind": "next", "label": ""}],
}  # fmt: skip

router = APIRouter(prefix="/api", tags=["inspector"])


class Inspection(BaseModel):
    """A conversation, turn by turn."""

    conversation_id: str = Field(examples=["c_Zk3v9mQ2xT7wB1nL5rYd8A"])
    development: bool = Field(description="Whether files and commands may be written")
    turns: list[dict[str, Any]] = Field(
        description="What each turn did, and the stack and the slots after it; secrets masked",
        examples=[[_TURN]],
    )


class ForkRequest(Incoming):
    """Where a conversation is to fork."""

    seq: int = Field(
        ge=1, le=2**31 - 1, description="The entry of the turn that it goes on from", examples=[2]
    )


class ForkBody(BaseModel):
    """A conversation that stands where another one stood."""

    id: str = Field(examples=["c_7wB1nL5rYd8AZk3v9mQ2xT"])
    turns: int = Field(examples=[2])
    differences: int = Field(
        description="Turns that went otherwise with today's flows", examples=[0]
    )
    placeholders: bool = Field(description="Sensitive values are not on record: others stand in")


class CommandRequest(Incoming):
    """Commands as an author writes them."""

    commands: str = Field(
        min_length=1, max_length=4000, examples=["StartFlow transfer; SetSlot amount 50"]
    )
    message_id: Name | None = None


class TestRequest(Incoming):
    """What a test is to be called."""

    name: Name | None = Field(default=None, examples=["A transfer that is corrected"])


class TestFile(BaseModel):
    """A conversation as a conversation test."""

    text: str = Field(examples=["tests:\n  - turns:\n      - user: send money\n"])
    passed: bool
    notes: list[str] = Field(
        description="What a test cannot say",
        examples=[["turn 2: the value of pin is not on record"]],
    )
    failures: list[str] = Field(examples=[["turn 2: the bot said something else"]])
    file: str | None = Field(default=None, description="Where it was written to")


@router.get("/conversations/{conversation_id}/inspection", responses=describe_problems(*COMMON))
async def inspect_conversation(
    conversation_id: ConversationId,
    caller: Author,
    talks: Talks,
    server: Server,
    after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> Inspection:
    """Every turn with its commands, decisions, steps and actions, and the state after it."""
    turns = await _load_turns(caller, conversation_id, talks)
    shown = [turn for turn in inspect_turns(turns) if turn["seq"] > after]
    return Inspection(
        conversation_id=conversation_id, development=server.options.is_development, turns=shown
    )


@router.post(
    "/conversations/{conversation_id}/fork",
    status_code=201,
    responses=describe_problems(*HEAVY, "too_many_conversations"),
)
async def fork_conversation(
    conversation_id: ConversationId,
    wanted: ForkRequest,
    caller: Author,
    talks: Talks,
    server: Server,
) -> ForkBody:
    """A new conversation of the caller that stands where this one stood. No action runs again."""
    turns = await _load_turns(caller, conversation_id, talks)
    part = [turn for turn in turns if turn.entry.seq <= wanted.seq]
    if not part or part[-1].entry.seq != wanted.seq or not part[-1].ok:
        raise ApiProblem("not_found", "there is no such turn, or nothing came of it")
    part = part[_find_beginning(part) :]
    config = talks.runtime.assistant.config
    name = await talks.open(caller)
    age = server.options.clock() - part[-1].entry.at
    # What is older than a session would be abandoned with the first message.
    is_old = age > config.settings.conversation.session_timeout / 2
    delay = timedelta(seconds=age if is_old else 0)
    target = ForkTarget(talks.runtime.store, name, caller.id, make_origin(part), delay)
    async with talks.turns.enter():
        held = await fork(config, part, target)
    return ForkBody(
        id=name,
        turns=sum(turn.outcome == "held" for turn in held),
        differences=sum(not turn.is_same for turn in held),
        placeholders=any(map(has_mask, part)),
    )


@router.post(
    "/conversations/{conversation_id}/commands",
    responses=describe_problems(*DEVELOPMENT, "conversation_busy", "turn_failed", "turn_timeout"),
)
async def send_commands(
    conversation_id: ConversationId, sent: CommandRequest, caller: Developer, talks: Talks
) -> TurnBody:
    """Commands in place of a message. The policy judges them; the journal says who wrote them."""
    await talks.require(caller, conversation_id)
    commands = _parse_commands(sent.commands)
    turn = await talks.run_turn(
        lambda: talks.runtime.handle(
            Message(
                text=sent.commands,
                user_id=caller.id,
                conversation_id=conversation_id,
                message_id=sent.message_id,
                commands=commands,
                facts={"by_hand": True},
            )
        )
    )
    return describe_turn(turn)


@router.get("/conversations/{conversation_id}/test", responses=describe_problems(*HEAVY))
async def make_test(conversation_id: ConversationId, caller: Author, talks: Talks) -> TestFile:
    """The conversation as the text of a test file, and whether it passes as it stands."""
    return await _write_test(caller, conversation_id, talks)


@router.post(
    "/conversations/{conversation_id}/test",
    status_code=201,
    responses=describe_problems(*DEVELOPMENT),
)
async def save_test(
    conversation_id: ConversationId,
    caller: Developer,
    talks: Talks,
    wanted: TestRequest | None = None,
) -> TestFile:
    """Write the conversation into the assistant's folder `tests`, under a name if it has one."""
    folder = talks.runtime.assistant.config.folder
    if folder is None:
        raise ApiProblem("not_allowed", "this assistant was not loaded from a folder")
    name = wanted.name if wanted else None
    test = await _write_test(caller, conversation_id, talks, name)
    letters = "-".join(re.findall(r"[^\W_]+", (name or "").lower()))[:60]
    file = letters or f"recorded-{datetime.now(UTC):%Y-%m-%d-%H%M%S-%f}"
    test.file = f"tests/{file}.test.yaml"
    await asyncio.to_thread(_write_new_file, folder / test.file, test)
    return test


@router.post(
    "/conversations/{conversation_id}/replay",
    responses={**describe_problems(*HEAVY), **describe_example([_REPLAYED])},
)
async def replay_conversation(
    conversation_id: ConversationId,
    caller: Author,
    talks: Talks,
    server: Server,
    understanding: Annotated[
        bool, Query(description="Read the messages as today, instead of as they were understood")
    ] = False,
) -> list[dict[str, Any]]:
    """What would be different with the flows of today. No action runs, and nothing is stored."""
    turns = await _load_turns(caller, conversation_id, talks)
    config = talks.runtime.assistant.config
    if not understanding:
        async with talks.turns.enter():
            return [_describe_replay(turn) async for turn in replay(config, turns)]
    # A provider may load models of its own: one at a time, and those who wait hold no turn up.
    async with server.readings.enter(), talks.turns.enter():
        provider = await asyncio.to_thread(open_provider, config)
        try:
            return [_describe_replay(turn) async for turn in replay_today(config, turns, provider)]
        finally:
            close = getattr(provider, "aclose", None)
            if close is not None:
                await close()


@router.get(
    "/flows/{name}/drawing",
    responses={**describe_problems(*COMMON, "extra_missing"), **describe_example(_DRAWING)},
)
async def lay_out_flow(name: Name, caller: Author, talks: Talks) -> dict[str, Any]:
    """The boxes and lines of a flow, laid out: what a page draws."""
    config = talks.runtime.assistant.config
    if name not in config.flows:
        raise ApiProblem("not_found", f"no such flow; available: {', '.join(config.flows)}")
    try:
        return await asyncio.to_thread(_lay_out, Assistant(config), name)
    except SoniError as error:
        raise ApiProblem("extra_missing", str(error)) from None


def _lay_out(assistant: Assistant, name: str) -> dict[str, Any]:
    (picture,) = (each for each in build_pictures(assistant) if each.name == name)
    return export_sheet(lay_out_sheet(picture))


async def _load_turns(
    caller: Author, conversation_id: str, talks: Conversations
) -> list[RecordedTurn]:
    await talks.require(caller, conversation_id, "read")
    turns: list[RecordedTurn] = []
    async for entry in iter_entries(talks.runtime.store.journal, conversation_id):
        turns.append(RecordedTurn(entry))
        if len(turns) > MAX_TURNS:
            raise ApiProblem("not_allowed", f"the conversation has more than {MAX_TURNS:,} turns")
    return turns


def _find_beginning(turns: list[RecordedTurn]) -> int:
    resets = [index for index, turn in enumerate(turns) if turn.entry.status == "reset"]
    begins = resets[-1] + 1 if resets else 0
    if turns[begins].entry.turn > 1:
        raise ApiProblem("not_allowed", "the beginning of the conversation is kept no longer")
    return begins


def _parse_commands(written: str) -> list[dict[str, Any]]:
    registry = CommandHandlerRegistry.discover()
    commands = []
    for command in read_commands(split_entries(written)):
        try:
            registry.parse(command)
        except UnknownCommandError:
            known = ", ".join(sorted(registry))
            raise ApiProblem("invalid_request", f"no such command; there are: {known}") from None
        except (ValidationError, InvalidInputError):
            kind = registry.get_handler(command["type"]).command
            fields = ", ".join(name for name in kind.model_fields if name != "type") or "nothing"
            raise ApiProblem("invalid_request", f"{kind.__name__} takes {fields}") from None
        commands.append(command)
    if not commands:
        raise ApiProblem("invalid_request", "write a command, such as StartFlow and a flow")
    return commands


async def _write_test(
    caller: Author, conversation_id: str, talks: Conversations, name: str | None = None
) -> TestFile:
    turns = await _load_turns(caller, conversation_id, talks)
    if not any(turn.ok for turn in turns):
        raise ApiProblem("not_allowed", "nothing has been said in this conversation")
    async with talks.turns.enter():
        written = await write_tests(talks.runtime.assistant.config, turns, name)
    notes = "".join(f"# {' '.join(note.split())}\n" for note in written.notes)
    failed = [result for result in written.results if not result.passed]
    return TestFile(
        text=notes + written.text,
        passed=not failed,
        notes=written.notes,
        failures=[line.text for result in failed for line in format_reasons(result)],
    )


def _write_new_file(file: Any, test: TestFile) -> None:
    try:
        file.parent.mkdir(exist_ok=True)
        with file.open("x", encoding="utf-8", errors="replace") as opened:
            opened.write(test.text)
    except FileExistsError:
        raise ApiProblem("not_allowed", f"{test.file} is there already") from None
    except OSError:
        raise ApiProblem("not_allowed", f"{test.file} cannot be written") from None


def _describe_replay(turn: ReplayedTurn) -> dict[str, Any]:
    return {
        "seq": turn.then.entry.seq,
        "turn": turn.then.entry.turn,
        "outcome": turn.outcome,
        "same": turn.is_same,
        "missing": list(turn.missing),
        "differences": [asdict(each) for each in turn.differences],
        "now": {"replies": turn.now.replies, "after": turn.now.after} if turn.now else None,
        "understood": asdict(turn.reading) if turn.reading is not None else None,
    }
