"""The conversations of a journal, one line each."""

import json
from collections.abc import AsyncIterator
from typing import Any

from rich.console import Console
from rich.text import Text

from soni.audit.source import iter_conversations
from soni.audit.turn import RecordedTurn, flow_of, moment_of
from soni.cli.trace.text import date, show_table
from soni.core.storage import Journal, JournalError, Overview

_HEAD = ("conversation", "turns", "failed", "first", "last", "state", "flow")


async def list_conversations(journal: Journal, console: Console, *, as_json: bool) -> None:
    """Print what there is."""
    if as_json:
        async for each in _list_conversations(journal):
            console.print(Text(json.dumps(each)), soft_wrap=True)
        return
    rows = [
        (
            each["conversation_id"],
            each["turns"],
            each["failed"],
            date(moment_of(each["first_at"])),
            date(moment_of(each["last_at"])),
            "handed off" if each["handoff"] else each["state"] or "",
            f"{each['flow']} at {each['step']}" if each["flow"] else "",
        )
        async for each in _list_conversations(journal)
    ]
    if rows:
        show_table(console, "", _HEAD, rows)
    else:
        console.print("no conversations")


async def _list_conversations(journal: Journal) -> AsyncIterator[dict[str, Any]]:
    async for each in iter_conversations(journal):
        yield {
            "conversation_id": each.conversation_id,
            "turns": each.turns,
            "failed": each.failed,
            "first_at": each.first_at,
            "last_at": each.last_at,
            **await _position(journal, each),
        }


async def _position(journal: Journal, each: Overview) -> dict[str, Any]:
    """Where it stands; a turn that failed left it where it was."""
    nowhere: dict[str, Any] = {"state": None, "flow": None, "step": None, "handoff": False}
    for seq in range(each.last_seq, max(0, each.last_seq - _LOOK_BACK), -1):
        try:
            found = await journal.entries(each.conversation_id, after=seq - 1, limit=1)
        except JournalError:
            return {**nowhere, "state": "unreadable"}
        turn = RecordedTurn(found[0]) if found else None
        if turn is not None and turn.entry.status == "reset":
            return nowhere
        if turn is not None and turn.ok:
            flow = flow_of(turn.stack[-1]) if turn.stack else None
            state, step = turn.after.get("state"), turn.after.get("step")
            return {
                "state": str(state) if state else None,
                "flow": flow,
                "step": str(step) if step else None,
                "handoff": bool(turn.after.get("handoff")),
            }
    return nowhere


_LOOK_BACK = 20
