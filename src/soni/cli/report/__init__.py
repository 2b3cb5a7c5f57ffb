"""soni report: the journals of an assistant, summed up."""

import asyncio
from datetime import datetime
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
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="DATE|VERSION|last",
            help="Before beside after: a date, or a version's first use.",
        ),
    ] = None,
    beside: Annotated[
        str | None,
        typer.Option(metavar="[NAME=]STORE", help="Conversations of another store, set beside."),
    ] = None,
) -> None:
    """Sum up what people wanted, what became of it, where they left and what was not understood.

    Exits with 1 if a journal was changed since it was written.
    """
    # Only this verb needs the runtime, and `soni --help` should not wait for it.
    from soni.audit.report.request import ReportRequest
    from soni.cli.report.run import Output, show_report
    from soni.cli.text import report_errors

    request = ReportRequest(
        _read_moment(since, "--since"), _read_moment(until, "--until", end=True), compare, beside
    )
    config, name = load_assistant(path), path.absolute().name or "the assistant"
    with report_errors():
        whole = asyncio.run(show_report(config, name, request, Output(html, as_json)))
    if not whole:
        raise typer.Exit(1)


def _read_moment(text: str | None, option: str, *, end: bool = False) -> datetime | None:
    from soni.audit.report.request import parse_moment

    if text is None:
        return None
    try:
        return parse_moment(text, end=end)
    except ValueError:
        raise typer.BadParameter(
            f"'{text}' is no date; write it as 2026-03-02 or 2026-03-02T10:00", param_hint=option
        ) from None
