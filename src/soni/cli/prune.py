"""soni prune: removes what an assistant has kept long enough."""

import asyncio
import time
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter, ValidationError

from soni.cli.erase import describe_lines, describe_removal, log_warnings
from soni.cli.options import FolderOrHere
from soni.cli.trace import load_assistant
from soni.config.settings import Duration
from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError
from soni.core.storage import Removal


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("prune")(prune)


def prune(
    path: FolderOrHere = Path(),
    older_than: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="Such as 90d or 12h; else settings.persistence.retention."
        ),
    ] = None,
) -> None:
    """Remove conversations, turns and messages that are older than the assistant keeps them.

    Lines typed in `soni chat` go with them.

    It works in small steps; the assistant may go on running.
    """
    from soni.cli.chat.history import find_history_file, forget_older_lines
    from soni.cli.options import explain_write_error
    from soni.cli.text import print_text, report_errors

    log_warnings()
    config = load_assistant(path)
    with report_errors():
        before = time.time() - _choose_age(config, older_than)
        removed = asyncio.run(_remove(config, before))
        with explain_write_error(find_history_file(config.folder) or ""):
            lines = forget_older_lines(config.folder, before)
    print_text(f"removed: {describe_removal(removed)}{describe_lines(lines)}")


async def _remove(config: SoniConfig, before: float) -> Removal:
    from soni.audit.source import open_kept_store
    from soni.runtime.people import remove_older

    async with open_kept_store(config) as store:
        return await remove_older(store, before)


def _choose_age(config: SoniConfig, given: str | None) -> float:
    kept = config.settings.persistence.retention
    if given is not None:
        try:
            return TypeAdapter(Duration).validate_python(given)
        except ValidationError:
            raise SoniError(f"'{given}' is no time: write 90d, 12h, 30m or seconds") from None
    if kept is None:
        raise SoniError(
            "the assistant keeps everything: set settings.persistence.retention, or add "
            "--older-than 90d"
        )
    return kept
