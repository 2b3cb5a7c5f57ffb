"""soni keys: make and change the keys of an assistant."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Annotated, TypeVar

import typer

from soni.cli.options import Folder, Json
from soni.cli.trace import load_assistant
from soni.core.access_key import Role, make_access_key
from soni.core.errors import SoniError
from soni.core.storage import Store

T = TypeVar("T")


class KeyKind(StrEnum):
    """What a key is for."""

    ENCRYPTION = "encryption"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    keys = typer.Typer(no_args_is_help=True, help="Make keys, and change those in use.")
    keys.command("new")(make_new)
    keys.command("add")(add)
    keys.command("list")(list_keys)
    keys.command("revoke")(revoke)
    keys.command("rotate")(rotate)
    app.add_typer(keys, name="keys")


def make_new(
    kind: Annotated[KeyKind, typer.Argument(metavar="KIND", help="What for: encryption.")],
) -> None:
    """Print a new key. It is kept nowhere.

    Give it to the assistant as SONI_SETTINGS__PERSISTENCE__ENCRYPTION_KEY. Without it nobody can
    read what was encrypted with it.
    """
    from soni.cli.text import print_text
    from soni.persistence.encryption import make_key

    print_text(make_key())


def add(
    path: Folder,
    role: Annotated[Role, typer.Option(help="What its bearer may do.")] = Role.CLIENT,
    label: Annotated[str, typer.Option(metavar="TEXT", help="A note for people.")] = "",
    days: Annotated[
        float | None, typer.Option(metavar="N", min=0.001, help="Valid for so many days.")
    ] = None,
) -> None:
    """Make a key for the server. It is shown this once; only its hash is kept."""
    from soni.cli.text import print_text

    key, kept = make_access_key(role, label=label, now=time.time(), days=days)
    _use_store(path, lambda store: store.access_keys.add(kept))
    print_text(key)
    print_text(f"{kept.key_id}: {role}. It is not shown again.", stderr=True)


def list_keys(path: Folder, as_json: Json = False) -> None:
    """Show the keys of the server, without the keys themselves."""
    import json
    from dataclasses import asdict

    from soni.audit.turn import to_datetime
    from soni.cli.text import format_date, make_console, print_text, show_table

    found = _use_store(path, lambda store: store.access_keys.list_keys())
    if as_json:
        shown = [{k: v for k, v in asdict(key).items() if k != "digest"} for key in found]
        print_text(json.dumps(shown, indent=2))
        return
    rows = [
        (
            key.key_id,
            key.role,
            key.label,
            format_date(to_datetime(key.created_at)),
            "never" if key.expires_at is None else format_date(to_datetime(key.expires_at)),
        )
        for key in found
    ]
    if not rows:
        print_text("There are no keys. Make one: soni keys add DIR --role client")
        return
    show_table(make_console(), "", ("id", "role", "label", "made", "expires"), rows)


def revoke(
    path: Folder, key_id: Annotated[str, typer.Argument(metavar="ID", help="The key, by its id.")]
) -> None:
    """Take a key back: from now on it opens nothing."""
    from soni.cli.text import print_text

    if not _use_store(path, lambda store: store.access_keys.remove(key_id)):
        known = [key.key_id for key in _use_store(path, lambda s: s.access_keys.list_keys())]
        raise SoniError(f"there is no key '{key_id}'; there are: {', '.join(known) or 'none'}")
    print_text(f"{key_id} is revoked")


def _use_store(path: Folder, use: Callable[[Store], Awaitable[T]]) -> T:
    from soni.audit.source import add_default_store
    from soni.cli.text import report_errors
    from soni.persistence import store_for

    config = add_default_store(load_assistant(path))
    if config.settings.persistence.backend == "memory":
        raise SoniError(
            "settings.persistence.backend is `memory`, which is gone with its process: keys need "
            "a store that lasts, such as `sqlite`"
        )

    async def run() -> T:
        async with store_for(config) as store:
            return await use(store)

    with report_errors():
        return asyncio.run(run())


def rotate(path: Folder) -> None:
    """Encrypt what is stored with the first of the assistant's keys.

    Also what was stored without encryption. The assistant may go on running meanwhile, if it has
    the same keys.
    """
    from soni.cli.text import format_plural, print_text, report_errors

    config = load_assistant(path)

    async def renew() -> int:
        from soni.audit.source import open_kept_store

        if not config.settings.persistence.list_keys():
            raise SoniError(
                "the assistant has no key: make one with `soni keys new encryption`, and set "
                "settings.persistence.encryption_key"
            )
        async with open_kept_store(config) as store:
            return await store.renew_encryption()

    with report_errors():
        count = asyncio.run(renew())
    print_text(f"{format_plural(count, 'value')} encrypted anew")
