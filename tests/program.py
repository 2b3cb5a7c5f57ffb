"""The `soni` program in a process of its own, but without the seconds that its imports take.

One server a test process imports Soni once; every run is forked from it.
"""

import multiprocessing
import os
import sys
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory

_TOO_LONG = 60.0
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["soni.cli.main", "soni.runtime.loop", "soni.testing.run"])


def soni(*arguments: object, given: str | bytes = b"") -> CompletedProcess[str]:
    """Run the program with something piped in; what it printed, and how it ended."""
    data = given if isinstance(given, bytes) else given.encode()
    with TemporaryDirectory() as folder:
        pipes = [str(Path(folder, name)) for name in ("stdin", "stdout", "stderr")]
        Path(pipes[0]).write_bytes(data)
        process = _context.Process(target=_run, args=([str(each) for each in arguments], pipes))
        process.start()
        process.join(_TOO_LONG)
        if process.is_alive():
            process.kill()
            raise TimeoutError(f"soni {' '.join(map(str, arguments))} did not end")
        out, err = (Path(pipe).read_bytes().decode() for pipe in pipes[1:])
    return CompletedProcess(arguments, process.exitcode or 0, out, err)


def _run(arguments: list[str], pipes: list[str]) -> None:
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
    sys.argv = ["soni", *arguments]
    from soni.cli.main import app_entry

    try:
        app_entry()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
