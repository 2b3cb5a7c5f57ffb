"""soni test: an assistant's conversation tests."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from soni.cli.check import report_problems
from soni.cli.options import log_to_stderr, report_interrupt

if TYPE_CHECKING:
    from soni.testing import Suite
    from soni.testing.parallel import Selection


class Understanding(StrEnum):
    """Who understands the messages that have no commands."""

    LOCAL = "local"
    SCRIPTED = "scripted"
    LLM = "llm"
    CASCADE = "cascade"


FolderOrTest = Annotated[
    Path, typer.Argument(metavar="DIR", help="An assistant, or one test file.")
]

Pattern = Annotated[
    str, typer.Option("-k", metavar="PATTERN", help="Only tests whose name holds this.")
]

Nlu = Annotated[
    Understanding,
    typer.Option(
        help="What a message without `commands` goes through: the offline understanding, "
        "the model of the settings (`llm`, `cascade`) or, with `scripted`, nothing: every "
        "message must have its commands."
    ),
]

Jobs = Annotated[
    int | None,
    typer.Option(
        "-j", metavar="N", min=1, help="Run in N processes; as many as help, if not given."
    ),
]

Junit = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the results there as JUnit XML.")
]

Coverage = Annotated[
    bool, typer.Option("--coverage", help="Tell which flows, steps and arms no test goes through.")
]

FailUnder = Annotated[
    float | None,
    typer.Option(
        metavar="PERCENT",
        min=0,
        max=100,
        help="Fail if less of the steps and arms, together, is covered; means --coverage.",
    ),
]

Update = Annotated[
    bool,
    typer.Option("--update", help="Write what was seen into the expectations that do not hold."),
]

Yes = Annotated[bool, typer.Option("--yes", help="With --update: do not ask.")]

Verbose = Annotated[
    bool, typer.Option("--verbose", help="Log to stderr, and run one test after the other.")
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("test")(test)


def test(
    path: FolderOrTest,
    pattern: Pattern = "",
    nlu: Nlu = Understanding.LOCAL,
    jobs: Jobs = None,
    junit: Junit = None,
    coverage: Coverage = False,
    fail_under: FailUnder = None,
    update: Update = False,
    yes: Yes = False,
    verbose: Verbose = False,
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
    from soni.cli.test.run import SuiteRun, update_tests
    from soni.testing.parallel import Selection

    log_to_stderr(verbose=verbose)
    choice = Selection(path, pattern, nlu.value)
    chosen = _choose_tests(choice)
    with report_interrupt():
        if update:
            good = update_tests(chosen, ask=not yes)
        else:
            run = SuiteRun(chosen, choice, 1 if verbose else jobs)
            good = run.run_tests(junit)
            if coverage or fail_under is not None:
                good &= run.report_coverage(fail_under)
    if not good:
        raise typer.Exit(1)


def _choose_tests(choice: "Selection") -> "Suite":
    """The tests to run; ends the command if there is none, or a file has mistakes."""
    from soni.cli.text import print_text, report_errors
    from soni.du.providers import open_provider
    from soni.testing.suite import Suite

    with report_problems(stderr=False):
        suite = Suite.load(choice.path, nlu=choice.nlu)
    if choice.nlu in (Understanding.LLM, Understanding.CASCADE):
        # What the settings lack is told once, and not by every test.
        with report_errors():
            open_provider(suite.config, choice.nlu)
    chosen = suite.select(choice.pattern)
    if not chosen:
        none = f"no test's name holds '{choice.pattern}'"
        print_text(none if suite.tests else f"no tests in {choice.path}")
        raise typer.Exit(1)
    return chosen
