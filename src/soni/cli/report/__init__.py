"""soni report: the journals of an assistant, summed up."""

import asyncio
from datetime import datetime, timedelta
from typing import Annotated

import typer

from soni.cli.options import Folder, Html, Json
from soni.cli.trace import load_assistant


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("report")(report)


def report(
    path: Folder,
    html: Html = None,
    as_json: Json = False,
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="From then on: 2026-03-02, or with a time.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Up to then; a day alone is included.")
    ] = None,
) -> None:
    """Sum up what people wanted, what became of it, where they left and what was not understood.

    Exits with 1 if a journal was changed since it was written.
    """
    # Only this verb needs the runtime, and `soni --help` should not wait for it.
    from soni.cli.report.run import make_report
    from soni.cli.text import report_errors

    span = (parse_moment(since, "--since"), parse_moment(until, "--until", end=True))
    config, name = load_assistant(path), path.absolute().name or "the assistant"
    with report_errors():
        whole = asyncio.run(make_report(config, name, span, html, as_json=as_json))
    if not whole:
        raise typer.Exit(1)


def parse_moment(text: str | None, option: str, *, end: bool = False) -> datetime | None:
    """A date, or a date and time, in the zone of this machine if it names none."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(
            f"'{text}' is no date; write it as 2026-03-02 or 2026-03-02T10:00", param_hint=option
        ) from None
    day = timedelta(days=1) if end and len(text) <= len("2026-03-02") else timedelta()
    return (found + day).astimezone() if found.tzinfo is None else found + day
