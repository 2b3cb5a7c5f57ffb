"""Build deploy/Dockerfile and try what it makes.

    python -m tools.image [--steps] [--env NAME=VALUE] [-- COMMAND ...]

With a docker engine the image is built and started as a cluster would start it: its file system
cannot be written, its user is nobody. Without one, or with `--steps`, the steps of the file are
carried out in a folder: each stage has a root of its own there, and absolute paths of the steps
stand for paths below it. A COMMAND takes the place of the file's own. The trial is over when the
file's HEALTHCHECK is content.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCKERFILE = ROOT / "deploy/Dockerfile"
BUILD_SECONDS = 900
START_SECONDS = 120


@dataclass(frozen=True)
class Step:
    """One instruction of a Dockerfile."""

    name: str
    text: str


def parse_dockerfile(text: str) -> Iterator[Step]:
    """The instructions, in order; continued lines are joined."""
    joined = re.sub(r"\\\n", " ", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE))
    for line in filter(None, map(str.strip, joined.splitlines())):
        name, _, rest = line.partition(" ")
        yield Step(name.upper(), rest.strip())


class Stages:
    """Carries the steps out. All stages have the same root: what is built knows its own path."""

    def __init__(self, folder: Path) -> None:
        self._root = folder / "root"
        self._finished: dict[str, Path] = {}
        self._name: str | None = None
        self._arguments: dict[str, str] = {}
        self._exposed = ""
        self._port = _find_port()
        self.command: list[str] = []
        self.healthcheck: list[str] = []

    def carry_out(self, step: Step) -> None:
        """Do what a step says; one that is not known here is refused."""
        handle = getattr(self, f"_do_{step.name.lower()}", None)
        if handle is None:
            raise SystemExit(f"{DOCKERFILE.name}: {step.name} cannot be tried here")
        print(f"{step.name} {step.text}"[:120], flush=True)
        handle(step.text)

    def run(self, command: list[str], *, is_quiet: bool = False) -> subprocess.Popen[bytes]:
        """Start a command as the image would, on an address of this machine."""
        placed = [self._place_address(self._place(part)) for part in command]
        # Found by the PATH of the image, not by that of this process.
        program = shutil.which(placed[0], path=self._make_environment()["PATH"]) or placed[0]
        return subprocess.Popen(
            [program, *placed[1:]],
            cwd=self._workdir,
            env=self._make_environment(),
            stderr=subprocess.DEVNULL if is_quiet else None,
        )

    def _start_stage(self, name: str) -> None:
        if self._name is not None:
            kept = self._root.with_name(f"stage-{len(self._finished)}")
            self._root.rename(kept)
            self._finished[self._name] = kept
        self._name = name
        # The image's own Python is this one, and both are called python.
        binaries = self._root / "usr/local/bin"
        binaries.mkdir(parents=True)
        (binaries / "python").symlink_to(sys.executable)
        self._workdir = self._root
        self._variables: dict[str, str] = {}

    def _do_from(self, text: str) -> None:
        self._start_stage(text.partition(" AS ")[2])

    def _do_arg(self, text: str) -> None:
        name, _, value = text.partition("=")
        self._arguments[name] = value

    def _do_env(self, text: str) -> None:
        name, _, value = text.partition("=")
        self._variables[name] = self._place(value)

    def _do_workdir(self, text: str) -> None:
        self._workdir = Path(self._place(text))
        self._workdir.mkdir(parents=True, exist_ok=True)

    def _do_copy(self, text: str) -> None:
        *sources, target = self._expand(text).split()
        base = ROOT
        if sources[0].startswith("--from="):
            base = self._finished[sources.pop(0).partition("=")[2]]
        into = Path(self._place(target)) if target.startswith("/") else self._workdir / target
        for source in sources:
            given = base / source.lstrip("/")
            if given.is_dir():
                ignored = shutil.ignore_patterns("__pycache__", ".soni")
                shutil.copytree(given, into, dirs_exist_ok=True, symlinks=True, ignore=ignored)
            else:
                to = into / given.name if target.endswith("/") else into
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(given, to)

    def _do_run(self, text: str) -> None:
        # Without being root nothing can be given away.
        line = self._place(re.sub(r" && chown \S+ \S+", "", text))
        subprocess.run(
            ["sh", "-ec", line],
            cwd=self._workdir,
            env={**os.environ, **self._make_environment()},
            check=True,
            timeout=BUILD_SECONDS,
        )

    def _do_user(self, text: str) -> None:
        if text.split(":")[0] in ("root", "0"):
            raise SystemExit(f"{DOCKERFILE.name}: the image runs as root")

    def _do_expose(self, text: str) -> None:
        self._exposed = text

    def _do_healthcheck(self, text: str) -> None:
        self.healthcheck = json.loads(text.partition("CMD ")[2])

    def _do_cmd(self, text: str) -> None:
        self.command = json.loads(text)

    def _make_environment(self) -> dict[str, str]:
        path = f"{self._root}/usr/local/bin:{os.environ['PATH']}"
        return {"PATH": path, **self._variables}

    def _expand(self, text: str) -> str:
        return re.sub(r"\$\{(\w+)\}", lambda found: self._arguments[found[1]], text)

    def _place(self, text: str) -> str:
        """Absolute paths of the image, below the root of the stage."""
        own = r"(?<![\w./-])/(?=(?:opt|srv|src|app|data|usr/local)\b)"
        return re.sub(own, f"{self._root}/", self._expand(text))

    def _place_address(self, text: str) -> str:
        if self._exposed:
            text = re.sub(rf"\b{self._exposed}\b", str(self._port), text)
        return text.replace("0.0.0.0", "127.0.0.1")


def try_steps(folder: Path, command: list[str], environment: list[str]) -> None:
    """Carry the steps out in a folder, start the result and ask for its health."""
    stages = Stages(folder)
    steps = list(parse_dockerfile(DOCKERFILE.read_text(encoding="utf-8")))
    for step in (*steps, *(Step("ENV", each) for each in environment)):
        stages.carry_out(step)
    process = stages.run(command or stages.command)
    try:
        until = time.monotonic() + START_SECONDS
        while stages.run(stages.healthcheck, is_quiet=True).wait(30) != 0:
            if process.poll() is not None or time.monotonic() > until:
                raise SystemExit("the image does not answer for its health")
            time.sleep(1)
    finally:
        process.terminate()
        process.wait(60)
    print("the steps of the image work, and what they made is healthy")


def try_image(command: list[str], environment: list[str]) -> None:
    """Build the image with docker, and run it as a cluster would."""
    build = ["docker", "build", "--quiet", "-f", DOCKERFILE, ROOT]
    made = subprocess.run(build, check=True, stdout=subprocess.PIPE, timeout=BUILD_SECONDS)
    image = made.stdout.decode().strip()
    options = shlex.split("--detach --rm --read-only --tmpfs /tmp --cap-drop ALL --volume /data")
    options += [part for each in environment for part in ("--env", each)]
    started = subprocess.run(
        ["docker", "run", *options, image, *command], check=True, stdout=subprocess.PIPE
    )
    container = started.stdout.decode().strip()
    ask = ["docker", "inspect", "--format", "{{.State.Health.Status}}", container]
    try:
        until = time.monotonic() + START_SECONDS
        while subprocess.run(ask, check=True, capture_output=True).stdout.strip() != b"healthy":
            if time.monotonic() > until:
                raise SystemExit("the image does not answer for its health")
            time.sleep(1)
    finally:
        subprocess.run(["docker", "stop", container], check=False)
    print("the image was built, and it is healthy")


def _find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def has_docker() -> bool:
    """Whether there is an engine, not only its client."""
    if shutil.which("docker") is None:
        return False
    return subprocess.run(["docker", "info"], capture_output=True).returncode == 0


def main() -> None:
    """Build, start, ask, stop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", action="store_true", help="even if there is docker")
    parser.add_argument("--env", action="append", default=[], help="a variable of the container")
    parser.add_argument("command", nargs="*", help="in the place of the image's own")
    given = parser.parse_args()
    if not given.steps and has_docker():
        try_image(given.command, given.env)
        return
    with tempfile.TemporaryDirectory(prefix="soni") as folder:
        try_steps(Path(folder), given.command, given.env)


if __name__ == "__main__":
    main()
