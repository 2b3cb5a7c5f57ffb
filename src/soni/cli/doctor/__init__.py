"""soni doctor: what is configured, reachable and missing, and what to do about it."""

import json
from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from soni.cli.doctor.finding import Finding, Status
from soni.cli.options import Folder, Json, log_to_stderr, report_interrupt
from soni.cli.text import format_plural, make_console, print_text, to_one_line

_STYLES = {Status.OK: "green", Status.WARNING: "bold yellow", Status.PROBLEM: "bold red"}


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("doctor")(doctor)


def doctor(
    path: Folder,
    as_json: Json = False,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, help="The longest that a check may take.")
    ] = 10.0,
) -> None:
    """Say what an assistant needs to run here, what of it is there, and how to get the rest.

    Nothing is changed, nothing is sent to a language model, and no action runs. Exits with 1 if
    there is a problem.
    """
    # Only this verb needs the stores and the understanding, and `soni --help` should not wait.
    from soni.cli.doctor.checks import examine_surroundings

    log_to_stderr()
    with report_interrupt():
        findings = examine_surroundings(path, timeout)
    healthy = all(finding.status is not Status.PROBLEM for finding in findings)
    if as_json:
        plain = [asdict(finding) for finding in findings]
        print_text(json.dumps({"ok": healthy, "findings": plain}, indent=2))
    else:
        _print_findings(findings)
    if not healthy:
        raise typer.Exit(1)


def _print_findings(findings: list[Finding]) -> None:
    console = make_console()
    wide = max(len(finding.topic) for finding in findings)
    for finding in findings:
        line = Text(f"{finding.status.value:<8} ", _STYLES[finding.status])
        line.append(f"{finding.topic:<{wide}}  ", "bold").append(to_one_line(finding.message))
        if finding.remedy:
            line.append("\n" + " " * 9 + "remedy: ", "dim").append(to_one_line(finding.remedy))
        console.print(line, soft_wrap=True)
    counts = (
        (sum(finding.status is status for finding in findings), noun)
        for status, noun in ((Status.PROBLEM, "problem"), (Status.WARNING, "warning"))
    )
    found = [format_plural(count, noun) for count, noun in counts if count]
    console.print()
    console.print(f"{' and '.join(found)} found" if found else "all is well")
