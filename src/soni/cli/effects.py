"""soni effects: actions whose outcome nobody knows."""

import asyncio
import json
import time
from typing import TYPE_CHECKING, Annotated

import typer

from soni.cli.options import Folder, Json
from soni.cli.trace import load_assistant
from soni.config.soni_config import SoniConfig

if TYPE_CHECKING:
    from soni.core.storage import Effect, Store

_HEAD = ("key", "conversation", "action", "begun", "age")
_UNITS = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("effects")(effects)


def effects(
    path: Folder,
    resolve: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="KEY done|not-done", help="Say what became of one of them."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List actions that were begun and whose outcome nobody knows, or settle one of them.

    A message that is sent again finds a settled one: `done` goes on, `not-done` is a failure of
    the action. Exits with 1 if there is no such action.
    """
    # Only this verb needs the store, and `soni --help` should not wait for it.
    from soni.cli.text import report_errors

    if resolve is not None and resolve[1] not in ("done", "not-done"):
        raise typer.BadParameter(f"an outcome is `done` or `not-done`, not `{resolve[1]}`")
    config = load_assistant(path)
    with report_errors():
        asyncio.run(_settle(config, *resolve) if resolve else _list(config, as_json))


async def _list(config: SoniConfig, as_json: bool) -> None:
    from soni.audit.source import open_kept_store
    from soni.audit.turn import to_datetime
    from soni.cli.text import format_date, make_console, print_text, show_table

    async with open_kept_store(config) as store:
        unknown = await _find_unknown(config, store)
    if as_json:
        for each in unknown:
            about = {"key": each.key, "conversation_id": each.conversation_id}
            print_text(json.dumps({**about, "action": each.action, "begun_at": each.begun_at}))
        return
    rows = [
        (
            each.key,
            each.conversation_id,
            each.action,
            format_date(to_datetime(each.begun_at)),
            _format_age(time.time() - each.begun_at),
        )
        for each in unknown
    ]
    console = make_console()
    if rows:
        show_table(console, "", _HEAD, rows)
    else:
        console.print("no action has an unknown outcome")


async def _settle(config: SoniConfig, key: str, outcome: str) -> None:
    from soni.actions.outcome import Outcome, make_result
    from soni.audit.source import open_kept_store
    from soni.cli.text import print_text
    from soni.config.assistant import Assistant
    from soni.core.errors import SoniError

    async with open_kept_store(config) as store:
        unknown = await _find_unknown(config, store)
        meant = [each for each in unknown if each.key == key]
        if not meant:
            there = ", ".join(each.key for each in unknown) or "none"
            raise SoniError(f"no unknown outcome has the key '{key}'; there are: {there}")
        for each in meant:
            found = Outcome(done=outcome == "done")
            result = make_result(Assistant(config), each.action, found)
            await store.ledger.resolve(each.key, each.digest, result)
    print_text(f"{key}: {outcome}")


async def _find_unknown(config: SoniConfig, store: "Store") -> "list[Effect]":
    from soni.actions.outcome import make_cutoff
    from soni.config.assistant import Assistant

    before = make_cutoff(Assistant(config), time.time())
    return await store.ledger.list_unknown(begun_before=before)


def _format_age(seconds: float) -> str:
    size, unit = next((each for each in _UNITS if seconds >= each[0]), _UNITS[-1])
    return f"{max(0, int(seconds // size))} {unit}"
