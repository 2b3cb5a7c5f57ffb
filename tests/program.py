"""The `soni` program, or a piece of Python, in a process of its own.

The seconds that the imports take are spent once: one server for each test process has Soni
imported, and every run is forked from it.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory

_TOO_LONG = 60.0
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["soni.cli.main", "soni.runtime.loop", "soni.testing.run"])


def soni(*arguments: object, given: str | bytes = b"") -> CompletedProcess[str]:
    """Run the program with something piped in; what it printed, and how it ended."""
    data = given if isinstance(given, bytes) else given.encode()
    return _run(_program, [str(each) for each in arguments], data)


def python(code: str, folder: Path) -> CompletedProcess[str]:
    """Run a piece of Python in a folder."""
    return _run(_script, [code, str(folder)], b"")


def _run(work: Callable[[list[str]], None], given: list[str], data: bytes) -> CompletedProcess[str]:
    with TemporaryDirectory() as folder:
        pipes = [str(Path(folder, name)) for name in ("stdin", "stdout", "stderr")]
        Path(pipes[0]).write_bytes(data)
        process = _context.Process(target=_redirected, args=(work, given, pipes))
        process.start()
        process.join(_TOO_LONG)
        if process.is_alive():
            process.kill()
            raise TimeoutError(f"{given} did not end")
        out, err = (Path(pipe).read_bytes().decode() for pipe in pipes[1:])
    return CompletedProcess(given, process.exitcode or 0, out, err)


def _program(arguments: list[str]) -> None:
    from soni.cli.main import app_entry

    sys.argv = ["soni", *arguments]
    app_entry()


def _script(arguments: list[str]) -> None:
    code, folder = arguments
    os.chdir(folder)
    exec(compile(code, "<piece>", "exec"), {"__name__": "__main__"})


def _redirected(work: Callable[[list[str]], None], given: list[str], pipes: list[str]) -> None:
    flags = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT)
    for number, (path, flag) in enumerate(zip(pipes, flags, strict=True)):
        os.dup2(os.open(path, flag, 0o600), number)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
        for number, mode, errors in (
            (0, "r", "surrogateescape"),
            (1, "w", "strict"),
            (2, "w", "backslashreplace"),
        )
    )
    try:
        work(given)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
