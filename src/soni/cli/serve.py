"""soni serve: an assistant over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Annotated

import typer

from soni.cli.options import FolderOrFile
from soni.core.errors import ConfigError, SoniError


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("serve")(serve)


@contextmanager
def _report_problems() -> Iterator[None]:
    """Show every problem of an assistant with its place, as `soni check` does."""
    from soni.cli.check import print_problems

    try:
        yield
    except ConfigError as error:
        print_problems(error.problems, stderr=True)
        raise typer.Exit(1) from None


def serve(
    path: FolderOrFile,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="How many processes.")] = 1,
    inspect: Annotated[
        bool, typer.Option("--inspect", help="Let whoever is on this machine see traces.")
    ] = False,
    reload: Annotated[
        bool, typer.Option("--reload", help="Load the assistant again when a file changes.")
    ] = False,
) -> None:
    """Serve an assistant: an API that any client speaks. Ctrl-C ends it.

    On this machine nobody needs a key. Elsewhere make one first: soni keys add DIR.
    """
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        raise SoniError("serving needs the extra `server`: pip install 'soni[server]'")
    from soni.cli.text import print_text, report_errors
    from soni.server.process import ServeOptions, check_options
    from soni.server.process import serve as serve_app

    options = ServeOptions(str(path), host, port, workers, inspect, reload)
    with report_errors(), _report_problems():
        check_options(options)
        shown = f"[{host}]" if ":" in host else host
        print_text(f"Serving {path} on http://{shown}:{port} (API: /openapi.json)", stderr=True)
        serve_app(options)
