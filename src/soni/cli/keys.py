"""soni keys: make and change the keys of an assistant."""

import asyncio
from enum import StrEnum
from typing import Annotated

import typer

from soni.cli.options import Folder
from soni.cli.trace import load_assistant
from soni.core.errors import SoniError


class KeyKind(StrEnum):
    """What a key is for."""

    ENCRYPTION = "encryption"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    keys = typer.Typer(no_args_is_help=True, help="Make keys, and change those in use.")
    keys.command("new")(make_new)
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
