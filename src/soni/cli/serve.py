"""soni serve: an assistant over HTTP."""

import os
import socket
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Annotated, Final

import typer

from soni.cli.options import FolderOrFile
from soni.core.errors import ConfigError, SoniError

_PAUSE: Final = 0.25
_TRIES: Final = 240
"""A minute, which is more than any assistant takes to load."""


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
    browse: Annotated[
        bool, typer.Option("--open", help="Open the page in the browser, if there is one.")
    ] = False,
) -> None:
    """Serve an assistant: an API that any client speaks. Ctrl-C ends it.

    On this machine nobody needs a key. Elsewhere make one first: soni keys add DIR.
    """
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        raise SoniError("serving needs the extra `server`: pip install 'soni[server]'")
    from soni.cli.text import report_errors
    from soni.server.process import ServeOptions, check_address, check_options
    from soni.server.process import serve as serve_app

    options = ServeOptions(str(path), host, port, workers, inspect, reload)
    with report_errors(), _report_problems():
        check_options(options)
        check_address(options)
        url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        _print_addresses(path, url, with_inspector=options.is_local and inspect)
        if browse:
            # A daemon: a browser that does not start must not keep the server from ending.
            Thread(target=_open_browser, args=(host, port, url), daemon=True).start()
        serve_app(options)


def _print_addresses(path: Path, url: str, *, with_inspector: bool) -> None:
    from soni.cli.text import print_text

    print_text(f"Serving {path} on {url} (API: /openapi.json). Ctrl-C ends it.", stderr=True)
    pages = [("chat", "/")]
    if with_inspector:
        pages += [("inspector", "/inspect"), ("desk", "/desk")]
    for name, page in pages:
        print_text(f"  {name:<9}  {url}{page}", stderr=True)
    print_text(f"  {'terminal':<9}  soni chat --url {url}", stderr=True)


def _open_browser(host: str, port: int, url: str) -> None:
    """Show the chat once somebody listens. Without a browser the address is on the screen."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    # One that runs in a terminal would take this one. Its subclasses, such as that of xdg-open,
    # run beside it.
    if type(browser) is webbrowser.GenericBrowser and "BROWSER" not in os.environ:
        return
    for _ in range(_TRIES):
        try:
            socket.create_connection((host, port), timeout=_PAUSE).close()
            break
        except OSError:
            time.sleep(_PAUSE)
    else:
        return
    with suppress(OSError, webbrowser.Error):
        browser.open(f"{url}/")
