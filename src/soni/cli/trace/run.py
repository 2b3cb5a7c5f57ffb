"""Runs what `soni trace` was asked for."""

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from soni.audit.annotation import annotate_turns
from soni.audit.conversation_test import write_tests
from soni.audit.source import (
    Chain,
    find_conversations,
    iter_conversations,
    iter_entries,
    keeps_all,
    open_journal,
)
from soni.audit.turn import RecordedTurn, parse_flow_name, to_datetime
from soni.cli.options import explain_write_error, log_to_stderr
from soni.cli.text import (
    clean_text,
    format_date,
    make_console,
    print_document,
    print_text,
    show_table,
)
from soni.cli.trace.render import render_verdict, show_entries, show_turns
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError
from soni.core.storage import Journal, Overview
from soni.core.storage_errors import JournalError

_HEAD = ("conversation", "turns", "failed", "first", "last", "state", "flow")
_LOOK_BACK = 20
_MAX_NAMED = 10


async def write_annotation(
    config: SoniConfig, journal: Journal, conversation_id: str, out: Path
) -> bool:
    """Write the annotation and report what was left out; whether the journal is unchanged."""
    log_to_stderr()
    turns, chain = await read_turns(journal, conversation_id, is_pruned=not keeps_all(config))
    written = await annotate_turns(config, turns) if any(turn.ok for turn in turns) else None
    if written is None or not written.sentences:
        raise SoniError(f"conversation '{conversation_id}' has no message that could be annotated")
    write_new_file(out, written.text)
    _print_notes(chain, written.notes)
    print_text(f"{written.sentences} sentences written to {out}")
    return chain.broken is None


@dataclass(frozen=True)
class TraceOptions:
    """The options as they were given."""

    user: str | None
    conversation: str | None
    turn: int | None
    timings: bool
    as_json: bool
    as_test: bool
    out: Path | None
    annotate: Path | None = None
    transitions: bool = False


async def run_trace(config: SoniConfig, request: TraceOptions) -> bool:
    """Print it; whether all is well."""
    console = make_console()
    async with open_journal(config) as journal:
        if request.user is None and request.conversation is None:
            await list_conversations(journal, console, as_json=request.as_json)
            return True
        found = await choose_conversation(journal, request.user, request.conversation)
        if request.as_test:
            return await write_test(config, journal, found, request.out)
        if request.annotate is not None:
            return await write_annotation(config, journal, found, request.annotate)
        is_pruned = not keeps_all(config)
        if request.as_json:
            return await show_entries(
                journal, found, console, only=request.turn, is_pruned=is_pruned
            )
        return await show_turns(
            journal,
            found,
            console,
            only=request.turn,
            timings=request.timings,
            transitions=request.transitions,
            is_pruned=is_pruned,
        )


async def choose_conversation(journal: Journal, user: str | None, conversation: str | None) -> str:
    """The id of the conversation that was asked for. Raises an error that lists what there is."""
    if conversation is not None:
        if await journal.entries(conversation, limit=1):
            return conversation
        known = await _list_available(journal)
        raise SoniError(f"there is no conversation '{conversation}'; {known}")
    found = await find_conversations(journal, user or "")
    if not found:
        raise SoniError(f"there is no conversation of '{user}'; {await _list_available(journal)}")
    if len(found) > 1:
        names = ", ".join(found[:_MAX_NAMED]) + (", ..." if len(found) > _MAX_NAMED else "")
        raise SoniError(f"'{user}' has {len(found)} conversations; add --conversation: {names}")
    return found[0]


async def _list_available(journal: Journal) -> str:
    some = [each.conversation_id for each in await journal.overview(limit=_MAX_NAMED + 1)]
    more = ", ..." if len(some) > _MAX_NAMED else ""
    return f"there are: {', '.join(some[:_MAX_NAMED])}{more}" if some else "there are none yet"


async def list_conversations(journal: Journal, console: Console, *, as_json: bool) -> None:
    """Print what there is."""
    if as_json:
        async for each in _iter_conversations(journal):
            console.print(Text(json.dumps(each)), soft_wrap=True)
        return
    rows = [
        (
            each["conversation_id"],
            each["turns"],
            each["failed"],
            format_date(to_datetime(each["first_at"])),
            format_date(to_datetime(each["last_at"])),
            "handed off" if each["handoff"] else each["state"] or "",
            f"{each['flow']} at {each['step']}" if each["flow"] else "",
        )
        async for each in _iter_conversations(journal)
    ]
    if rows:
        show_table(console, "", _HEAD, rows)
    else:
        console.print("no conversations")


async def _iter_conversations(journal: Journal) -> AsyncIterator[dict[str, Any]]:
    async for each in iter_conversations(journal):
        yield {
            "conversation_id": each.conversation_id,
            "turns": each.turns,
            "failed": each.failed,
            "first_at": each.first_at,
            "last_at": each.last_at,
            **await _find_position(journal, each),
        }


async def _find_position(journal: Journal, each: Overview) -> dict[str, Any]:
    """The position of a conversation. A failed turn did not change it."""
    nowhere: dict[str, Any] = {"state": None, "flow": None, "step": None, "handoff": False}
    for seq in range(each.last_seq, max(0, each.last_seq - _LOOK_BACK), -1):
        try:
            found = await journal.entries(each.conversation_id, after=seq - 1, limit=1)
        except JournalError:
            return {**nowhere, "state": "unreadable"}
        turn = RecordedTurn(found[0]) if found else None
        if turn is not None and turn.entry.status == "reset":
            return nowhere
        if turn is not None and turn.entry.status == "erased":
            nowhere["state"] = "erased"
        if turn is not None and turn.ok:
            state, step = turn.after.get("state"), turn.after.get("step")
            return {
                "state": str(state) if state else None,
                "flow": parse_flow_name(turn.stack[-1]) if turn.stack else None,
                "step": str(step) if step else None,
                "handoff": bool(turn.after.get("handoff")),
            }
    return nowhere


async def write_test(
    config: SoniConfig, journal: Journal, conversation_id: str, out: Path | None
) -> bool:
    """Write it, then say on stderr what should be known about it; whether it passes."""
    log_to_stderr()
    turns, chain = await read_turns(journal, conversation_id, is_pruned=not keeps_all(config))
    if not any(turn.ok for turn in turns):
        raise SoniError(f"conversation '{conversation_id}' has no turn that a test could hold")
    written = await write_tests(config, turns)
    if out is None:
        print_document(written.text)
    else:
        write_new_file(out, written.text)
    aside = _print_notes(chain, written.notes)
    failed = [result for result in written.results if not result.passed]
    for result in failed:
        what = ", ".join(mismatch.what for mismatch in result.mismatches) or result.error or ""
        said = f"the test does not pass yet: turn {result.turn} differs in {what}"
        aside.print(Text(clean_text(said), "bold red"), soft_wrap=True)
    if not failed and chain.broken is None:
        aside.print(Text("the test passes with the assistant as it is now", "green"))
    return not failed and chain.broken is None


async def read_turns(
    journal: Journal, conversation_id: str, *, is_pruned: bool = False
) -> tuple[list[RecordedTurn], Chain]:
    """The turns of a conversation, and whether its journal is unchanged."""
    chain = Chain(is_pruned=is_pruned)
    entries = chain.follow_entries(iter_entries(journal, conversation_id))
    return [RecordedTurn(entry) async for entry in entries], chain


def _print_notes(chain: Chain, notes: Sequence[str]) -> Console:
    aside = make_console(stderr=True)
    if chain.broken is not None:
        aside.print(render_verdict(chain), soft_wrap=True)
    for note in notes:
        aside.print(Text(clean_text(f"note: {note}"), "yellow"), soft_wrap=True)
    return aside


def write_new_file(out: Path, text: str) -> None:
    """Write a new file, and create its folder if need be."""
    if out.exists():
        raise SoniError(f"{out} is there already; move it away, or name another file")
    with explain_write_error(out):
        out.parent.mkdir(exist_ok=True)
        out.write_text(text, encoding="utf-8", errors="replace")
