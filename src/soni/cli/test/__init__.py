"""soni test: an assistant's conversation tests."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from soni.cli.check import print_problems
from soni.core.errors import ConfigError

if TYPE_CHECKING:
    from soni.testing import Suite
    from soni.testing.parallel import Choice

_STOPPED = 130
"""What a shell makes of a program that Ctrl-C ended."""


class Understanding(StrEnum):
    """Who understands the messages that have no commands."""

    LOCAL = "local"
    SCRIPTED = "scripted"
    LLM = "llm"
    CASCADE = "cascade"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("test")(test)


def test(
    path: Annotated[Path, typer.Argument(metavar="DIR", help="An assistant, or one test file.")],
    pattern: Annotated[
        str, typer.Option("-k", metavar="PATTERN", help="Only tests whose name holds this.")
    ] = "",
    nlu: Annotated[
        Understanding,
        typer.Option(
            help="What a message without `commands` goes through: the offline understanding, "
            "the model of the settings (`llm`, `cascade`) or, with `scripted`, nothing: every "
            "message must have its commands."
        ),
    ] = Understanding.LOCAL,
    jobs: Annotated[
        int | None,
        typer.Option(
            "-j", metavar="N", min=1, help="Run in N processes; as many as help, if not given."
        ),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the results there as JUnit XML.")
    ] = None,
    coverage: Annotated[
        bool,
        typer.Option("--coverage", help="Tell which flows, steps and arms no test goes through."),
    ] = False,
    fail_under: Annotated[
        float | None,
        typer.Option(
            metavar="PERCENT",
            min=0,
            max=100,
            help="Fail if less of the steps and arms, together, is covered; means --coverage.",
        ),
    ] = None,
    update: Annotated[
        bool,
        typer.Option(
            "--update", help="Write what was seen into the expectations that do not hold."
        ),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --update: do not ask.")] = False,
) -> None:
    """Run the conversation tests of an assistant: *.test.yaml in DIR and in DIR/tests.

    `commands` written in a turn always go past the understanding. Exits with 1 if a test fails,
    a file has mistakes, there is no test, or too little is covered.
    """
    if update and (junit or coverage or fail_under is not None):
        raise typer.BadParameter(
            "goes neither with --junit nor with coverage", param_hint="--update"
        )
    if yes and not update:
        raise typer.BadParameter("says yes to what --update asks", param_hint="--yes")
    # Only this verb needs the runtime, and `soni --help` should not wait for it.
    from soni.cli.chat.logs import log_to_stderr
    from soni.cli.test.running import Run
    from soni.cli.test.updating import update_tests
    from soni.testing.parallel import Choice

    log_to_stderr()
    choice = Choice(path, pattern, nlu.value)
    chosen = _chosen(choice)
    try:
        if update:
            good = update_tests(chosen, ask=not yes)
        else:
            run = Run(chosen, choice, jobs)
            good = run.results(junit)
            if coverage or fail_under is not None:
                good &= run.covered(fail_under)
    except KeyboardInterrupt:
        typer.echo("\nstopped", err=True)
        raise typer.Exit(_STOPPED) from None
    if not good:
        raise typer.Exit(1)


def _chosen(choice: "Choice") -> "Suite":
    """The tests to run; ends the command if there is none, or a file has mistakes."""
    from soni.cli.trace.text import errors_told
    from soni.du.providers import open_provider
    from soni.testing.suite import Suite

    try:
        suite = Suite.load(choice.path, nlu=choice.nlu)
    except ConfigError as error:
        print_problems(error.problems)
        raise typer.Exit(1) from None
    if choice.nlu in (Understanding.LLM, Understanding.CASCADE):
        # What the settings lack is told once, and not by every test.
        with errors_told():
            open_provider(suite.config, choice.nlu)
    chosen = suite.select(choice.pattern)
    if not chosen:
        none = f"no test's name holds '{choice.pattern}'"
        typer.echo(none if suite.tests else f"no tests in {choice.path}")
        raise typer.Exit(1)
    return chosen
