"""soni export: everything that is stored about a person."""

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from soni.cli.options import FolderOrHere, Person, write_file
from soni.cli.trace import load_assistant
from soni.core.errors import SoniError


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("export")(export)


def export(
    user: Person,
    path: FolderOrHere = Path(),
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write it; else it is printed.")
    ] = None,
) -> None:
    """Write everything that is stored about a person as one JSON document.

    Sensitive values are masked. Ends with 1 if the person is not known.
    """
    from soni.audit.source import open_kept_store
    from soni.cli.text import print_document, report_errors
    from soni.config.assistant import Assistant
    from soni.runtime.people import export_person

    config = load_assistant(path)

    async def collect() -> dict[str, Any]:
        async with open_kept_store(config) as store:
            found = await export_person(store, user, Assistant(config).is_sensitive)
        if not found["conversations"]:
            raise SoniError(f"nothing is stored about '{user}'")
        return found

    with report_errors():
        text = json.dumps(asyncio.run(collect()), indent=2, ensure_ascii=output is None)
        if output is None:
            print_document(f"{text}\n")
        else:
            write_file(output, text + "\n")
