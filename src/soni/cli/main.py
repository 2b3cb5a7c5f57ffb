"""The `soni` command. Its verbs are the files of this folder."""

import os
import pkgutil
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

import soni.cli
from soni.core.errors import SoniError


def app_entry() -> None:
    """Run the command line as it was typed."""
    # Sentences are short: more threads of numpy's only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        make_app(sys.argv[1:])(prog_name="soni")
    except SoniError as error:
        typer.echo(str(error), err=True)
        sys.exit(1)


def make_app(arguments: Sequence[str] = ()) -> typer.Typer:
    """The command with its verbs; only the one that `arguments` begin with, if they do.

    A verb may need much of Soni, and the others should not wait for it.
    """
    app = typer.Typer(
        name="soni",
        help="Conversational assistants written as YAML flows.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
    )
    app.callback()(_options)
    verbs = sorted({info.name for info in pkgutil.iter_modules(soni.cli.__path__)} - {"main"})
    for verb in [verb for verb in arguments[:1] if verb in verbs] or verbs:
        module = import_module(f"{soni.cli.__name__}.{verb}")
        if hasattr(module, "register"):
            module.register(app)
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        try:
            typer.echo(f"soni {version('soni')}")
        except PackageNotFoundError:
            typer.echo("soni, run from its source")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass
