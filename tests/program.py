"""The `soni` program, or a piece of Python, in a process of its own.

The seconds that imports and models take are spent once: one server for each test process has
them loaded, and every run is forked from it.
"""

import fcntl
import multiprocessing
import os
import pty
import struct
import sys
import termios
from collections.abc import Callable
from multiprocessing.context import ForkServerProcess
from multiprocessing.reduction import DupFd
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory
from typing import Any

_TOO_LONG = 60.0
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.preloaded"])


def soni(*arguments: object, given: str | bytes = b"") -> CompletedProcess[str]:
    """Run the program with something piped in; what it printed, and how it ended."""
    data = given if isinstance(given, bytes) else given.encode()
    return _run(_program, [str(each) for each in arguments], data)


def python(code: str, folder: Path) -> CompletedProcess[str]:
    """Run a piece of Python in a folder."""
    return _run(_script, [code, str(folder)], b"")


class Terminal:
    """A terminal of 50 lines of 200 signs, with the program running in it."""

    def __init__(self, *arguments: object, **environment: str) -> None:
        self.descriptor, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        given = [str(each) for each in arguments]
        self.process: ForkServerProcess = _context.Process(
            target=_run_in_terminal, args=(given, _Descriptor(inner), environment)
        )
        self.process.start()
        os.close(inner)

    def read(self) -> str:
        """What has been printed since; nothing after the program has ended."""
        try:
            return os.read(self.descriptor, 65536).decode(errors="replace")
        except OSError:  # That is how a terminal says that nobody writes any more.
            return ""

    def send_signal(self, number: int) -> None:
        """Send the program a signal."""
        assert self.process.pid is not None
        os.kill(self.process.pid, number)

    def wait(self) -> int:
        """Wait until the program ends; its exit status."""
        self.process.join(_TOO_LONG)
        assert self.process.exitcode is not None, "it did not end"
        return self.process.exitcode

    def close(self) -> None:
        """End the program if it still runs."""
        self.process.kill()
        self.process.join()
        os.close(self.descriptor)


class _Descriptor:
    """A descriptor that a forked process gets a copy of."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return _Descriptor._take, (DupFd(self._number),)

    @staticmethod
    def _take(copy: Any) -> int:
        return int(copy.detach())


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


def _run_in_terminal(arguments: list[str], terminal: int, environment: dict[str, str]) -> None:
    os.environ.update(environment)
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    _speak_through(terminal, terminal, terminal)
    _finish(_program, arguments)


def _redirected(work: Callable[[list[str]], None], given: list[str], pipes: list[str]) -> None:
    flags = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT)
    opened = (os.open(path, flag, 0o600) for path, flag in zip(pipes, flags, strict=True))
    _speak_through(*opened)
    _finish(work, given)


def _speak_through(*descriptors: int) -> None:
    """Read from the first descriptor, write to the second, and errors to the third."""
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
        for number, mode, errors in (
            (0, "r", "surrogateescape"),
            (1, "w", "strict"),
            (2, "w", "backslashreplace"),
        )
    )


def _finish(work: Callable[[list[str]], None], given: list[str]) -> None:
    try:
        work(given)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
