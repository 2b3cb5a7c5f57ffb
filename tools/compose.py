"""Start deploy/compose.yaml and try it: a conversation goes on while a worker is killed.

    python -m tools.compose [--processes]

With a docker engine the file is started as it is. Without one, or with `--processes`, each of its
services runs as a process of this machine with the command and the environment of the file: the
database from a wheel, the workers as they are, the balancer as the nginx of this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol

import httpx
import jwt
from ruamel.yaml import YAML

from tests.postgres_server import PASSWORD, PostgresServer

FOLDER = Path(__file__).parents[1] / "deploy"
COMPOSE = FOLDER / "compose.yaml"
START_SECONDS = 120
JWT_SECRET = "only for this trial, which nobody else can reach"
SCRIPT = ("hi", "what's my balance?", "savings", "hi again", "what's my balance?", "checking")
"""Said to the example bank; a worker is killed in the middle."""


class Deployment(Protocol):
    """What was started."""

    url: str

    def kill_worker(self) -> None:
        """End one of the workers as a power cut would."""


class Processes:
    """The services as processes of this machine."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        services = YAML(typ="safe").load(COMPOSE.read_text(encoding="utf-8"))["services"]
        server = PostgresServer()
        stack.callback(server.remove)
        server.start()
        stack.callback(server.stop)
        database = f"postgresql://postgres:{PASSWORD.replace(' ', '%20')}@{server.address}"
        worker = services["worker"]
        ports = [_find_port() for _ in range(worker["deploy"]["replicas"])]
        self._workers = [
            stack.enter_context(_run_process(_place_worker(worker, port), database))
            for port in ports
        ]
        port = _find_port()
        config = folder / "nginx.conf"
        config.write_text(_place_balancer(folder, port, ports))
        program = shutil.which("nginx") or sys.exit("Please install nginx, then run again.")
        command = [program, "-p", str(folder), "-c", str(config), "-g", "daemon off;"]
        stack.enter_context(_run_process(command, database))
        self.url = f"http://127.0.0.1:{port}"

    def kill_worker(self) -> None:
        self._workers[0].send_signal(signal.SIGKILL)


class Containers:
    """The services as docker starts them."""

    url = "http://127.0.0.1:8080"

    def __init__(self, stack: ExitStack) -> None:
        stack.callback(self._compose, "down", "--volumes")
        self._compose("up", "--build", "--detach", "--wait")

    def kill_worker(self) -> None:
        self._compose("kill", "--signal", "SIGKILL", "worker", "--index", "1")

    def _compose(self, *arguments: str) -> None:
        environment = {"POSTGRES_PASSWORD": "correct-horse", **os.environ, "JWT_SECRET": JWT_SECRET}
        command = ["docker", "compose", "-f", str(COMPOSE), *arguments]
        subprocess.run(command, check=True, env=environment)


def _place_worker(service: dict[str, Any], port: int) -> list[str]:
    """The command of the file, with an address of this machine."""
    places = {"/app": "examples/bank", "0.0.0.0": "127.0.0.1", "8000": str(port)}
    command = [places.get(str(part), str(part)) for part in service["command"]]
    return [sys.executable, "-m", *command]


def _place_balancer(folder: Path, port: int, workers: list[int]) -> str:
    """The configuration of the file, with the addresses of this machine."""
    text = (FOLDER / "nginx.conf").read_text(encoding="utf-8")
    text = re.sub(r"^ *resolver .*\n", "", text, flags=re.MULTILINE)
    named = re.search(r"^( *)server worker:8000 resolve (.*);\n", text, re.MULTILINE)
    if named is None:
        raise SystemExit(f"{FOLDER / 'nginx.conf'}: the upstream does not name the workers")
    servers = "".join(f"{named[1]}server 127.0.0.1:{each} {named[2]};\n" for each in workers)
    text = text.replace(named[0], servers).replace("listen 8080", f"listen 127.0.0.1:{port}")
    paths = "".join(
        f"    {kind}_temp_path {folder / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    head = f"pid {folder / 'nginx.pid'};\nerror_log {folder / 'error.log'};\n"
    return head + text.replace("http {\n", f"http {{\n    access_log off;\n{paths}")


@contextmanager
def _run_process(command: list[str], database: str) -> Iterator[subprocess.Popen[bytes]]:
    environment = {
        **os.environ,
        "SONI_SETTINGS__PERSISTENCE__BACKEND": "postgres",
        "SONI_SETTINGS__PERSISTENCE__URL": database,
        "SONI_SETTINGS__SERVER__AUTH__JWT__SECRET": JWT_SECRET,
    }
    process = subprocess.Popen(command, env=environment, cwd=FOLDER.parent)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


def _find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def try_deployment(deployment: Deployment) -> None:
    """Hold a conversation, kill a worker in the middle, and send a message again."""
    claims = {"sub": "ann", "exp": time.time() + 600}
    headers = {"authorization": f"Bearer {jwt.encode(claims, JWT_SECRET, 'HS256')}"}
    async with httpx.AsyncClient(base_url=deployment.url, timeout=60, headers=headers) as client:
        await _await_ready(client)
        opened = await client.post("/api/conversations")
        place = f"/api/conversations/{opened.raise_for_status().json()['id']}/messages"
        answers = []
        for number, text in enumerate(SCRIPT):
            if number == len(SCRIPT) // 2:
                deployment.kill_worker()
                print("killed a worker")
            answers.append(await _send(client, place, number, text))
            print(
                f"you: {text}\nbot: {' / '.join(each['text'] for each in answers[-1]['replies'])}"
            )
        assert [answer["turn"] for answer in answers] == list(range(1, len(SCRIPT) + 1))
        again = await _send(client, place, 1, SCRIPT[1])
        assert again["repeated"]
        assert again["replies"] == answers[1]["replies"]
    print("the conversation went on, and a repeated message was answered as before")


async def _await_ready(client: httpx.AsyncClient) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        try:
            if (await client.get("/readyz")).status_code == 200:
                return
        except httpx.TransportError:
            pass  # not up yet
        await asyncio.sleep(0.3)
    raise SystemExit(f"nothing answers at {client.base_url} after {START_SECONDS} seconds")


async def _send(client: httpx.AsyncClient, place: str, number: int, text: str) -> dict[str, Any]:
    said = {"text": text, "message_id": f"m{number}"}
    response = await client.post(place, json=said)
    response.raise_for_status()
    answer: dict[str, Any] = response.json()
    return answer


def main() -> None:
    """Start, try, stop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", action="store_true", help="even if there is docker")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soni") as folder, ExitStack() as stack:
        docker = not given.processes and _has_docker()
        deployment = Containers(stack) if docker else Processes(Path(folder), stack)
        asyncio.run(try_deployment(deployment))


def _has_docker() -> bool:
    if shutil.which("docker") is None:
        return False
    return subprocess.run(["docker", "info"], capture_output=True).returncode == 0


if __name__ == "__main__":
    main()
