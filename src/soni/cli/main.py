"""The `soni` command. Its verbs are the files of this folder."""

import os
import pkgutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

import soni.cli
from soni.core.errors import SoniError


def app_entry() -> None:
    """Run the command line as it was typed."""
    # Sentences are short: more threads of numpy's only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        make_app(sys.argv[1:])(prog_name="soni")
    except SoniError as error:
        from soni.cli.text import print_text

        print_text(str(error), stderr=True)
        sys.exit(1)


# Typer does not export the base of its errors about arguments.
_UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__bases__[0])


class _Verbs(TyperGroup):
    """The verbs. What is wrong with their arguments is told without control characters."""

    def make_context(self, *given: Any, **named: Any) -> Any:
        with _clean_usage_errors():
            return super().make_context(*given, **named)

    def invoke(self, ctx: Any) -> Any:
        with _clean_usage_errors():
            return super().invoke(ctx)


@contextmanager
def _clean_usage_errors() -> Iterator[None]:
    try:
        yield
    except _UsageError as error:
        from soni.cli.text import to_one_line

        error.message = to_one_line(error.message)
        raise


def make_app(arguments: Sequence[str] = ()) -> typer.Typer:
    """The command with its verbs; only the one that `arguments` begin with, if they do.

    A verb may need much of Soni, and the others should not wait for it.
    """
    app = typer.Typer(
        name="soni",
        cls=_Verbs,
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
        from soni.cli.text import print_text

        try:
            print_text(f"soni {version('soni')}")
        except PackageNotFoundError:
            print_text("soni, run from its source")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass
