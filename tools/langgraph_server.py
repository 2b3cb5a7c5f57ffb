"""Start deploy/langgraph on a LangGraph server and talk to it through its client.

    python -m tools.langgraph_server

The server is langgraph's own, in memory, as `langgraph dev` starts it: without a key and without a
licence. Its terms (Elastic License 2.0) are no open-source ones, so nothing of Soni depends on it:
it is installed into an environment of its own, .venv-langgraph. Everything that it sends to other
machines is switched off, and the trial fails if it tries to reach one all the same.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from langgraph_sdk import get_client

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "deploy/langgraph"
SERVER = ("langgraph-cli[inmem]==0.4.40", "langgraph-api==0.16.7", "hatchling>=1.27")
INSTALL_SECONDS = 600
START_SECONDS = 120
TALK_SECONDS = 120


def make_environment(folder: Path) -> Path:
    """Install the server and this checkout, unless that was done before; its Python."""
    python = folder / "bin/python"
    stamp = folder / ".stamp"
    wanted = "\n".join((*SERVER, (ROOT / "pyproject.toml").read_text(encoding="utf-8")))
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return python
    print(f"installing {SERVER[1]} into {folder.name} ...", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    command = [python, "-m", "pip", "install", "-qq", "--no-input", "--disable-pip-version-check"]
    subprocess.run([*command, *SERVER, "-e", ROOT], check=True, timeout=INSTALL_SECONDS)
    stamp.write_text(wanted, encoding="utf-8")
    return python


class Exit:
    """The way to other machines: a proxy that lets nobody through and notes who came."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.requests: list[str] = []
        threading.Thread(target=self._refuse_all, daemon=True).start()

    def _refuse_all(self) -> None:
        while True:
            try:
                visitor, _ = self._socket.accept()
            except OSError:  # closed: the trial is over
                return
            with visitor:
                visitor.settimeout(5)
                line = visitor.recv(1000).partition(b"\r\n")[0]
                self.requests.append(line.decode("latin-1"))
                visitor.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")

    def close(self) -> None:
        self._socket.close()


@contextmanager
def run_server(python: Path, folder: Path, way_out: Exit) -> Iterator[str]:
    """Run the server on a copy of the template: it writes beside the files that it reads."""
    copied = shutil.copytree(FOLDER, folder / "app", ignore=shutil.ignore_patterns(".*", "__*"))
    port = _find_port()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "SONI_ASSISTANT": str(ROOT / "examples/bank"),
        "SONI_SETTINGS__PERSISTENCE__URL": str(folder / "bank.db"),
        # Otherwise its makers are told of each command, and the registry is asked for news.
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "LANGGRAPH_NO_VERSION_CHECK": "1",
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), way_out.url),
        "NO_PROXY": "127.0.0.1,localhost",
    }
    command = [python.parent / "langgraph", "dev", "--no-browser", "--no-reload"]
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            cwd=copied,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _await_start(url, process)
            yield url
        finally:
            process.terminate()
            process.wait(30)


def _await_start(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            if httpx.get(f"{url}/ok", trust_env=False).status_code == 200:
                return
        except httpx.TransportError:
            pass  # not up yet
        time.sleep(0.3)
    raise SystemExit(f"the server did not start within {START_SECONDS} seconds")


async def try_server(url: str) -> None:
    """A transfer: each question is an interrupt, each answer resumes, and a yes carries it out."""
    client = get_client(url=url)
    thread = (await client.threads.create())["thread_id"]
    said = {"messages": [{"role": "user", "content": "send 50 to Bob"}]}
    state: Any = await client.runs.wait(thread, "bank", input=said)
    asked = (await client.threads.get_state(thread))["interrupts"][0]["value"]
    assert asked["slot"] == "account", asked
    print(f"you: send 50 to Bob\nbot: {asked['text']!r}, as an interrupt", flush=True)

    state = await client.runs.wait(thread, "bank", command={"resume": {"press": "Checking"}})
    asked = state["__interrupt__"][0]["value"]
    assert asked["kind"] == "confirm", asked
    print(f"you: [Checking]\nbot: {asked['text']!r}, as an interrupt", flush=True)

    modes: Any = ["custom", "messages-tuple", "values"]
    parts = [
        part
        async for part in client.runs.stream(
            thread, "bank", command={"resume": "yes"}, stream_mode=modes
        )
    ]
    failed = [part.data for part in parts if part.event == "error"]
    assert not failed, failed
    replies = [part.data["text"] for part in parts if part.event == "custom"]
    print(f"you: yes\nbot: {replies}, as a stream", flush=True)
    assert "50 euros are on their way to Bob" in replies[0], replies

    after = await client.threads.get_state(thread)
    assert not after["next"], after["next"]
    again: Any = await client.runs.wait(thread, "bank", input={"messages": []})
    assert again["messages"] == after["values"]["messages"], again["messages"][-1]
    print("the same message run again was answered as before", flush=True)


def run_documented_client(url: str) -> None:
    """Run the client of docs/embedding.md. It is no `python` there: those run without a server."""
    page = (ROOT / "docs/embedding.md").read_text(encoding="utf-8")
    shown = re.search(r"```py\n([^`]*get_client[^`]*)```\n\n```text\n([^`]*)```", page)
    assert shown is not None, "docs/embedding.md shows no client and what it prints"
    code = shown[1].replace("http://127.0.0.1:2024", url)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=True, timeout=TALK_SECONDS, stdout=subprocess.PIPE)
    # The number of the reference depends on what was done before.
    wanted, found = (re.sub(r"T\d+", "T", text) for text in (shown[2], done.stdout.decode()))
    assert found == wanted, f"docs/embedding.md says:\n{wanted}\nbut it is:\n{found}"
    print("the client of docs/embedding.md printed what it says there", flush=True)


def _find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def main() -> None:
    """Install, start, talk, stop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--environment", type=Path, default=ROOT / ".venv-langgraph", help="where the server is"
    )
    python = make_environment(parser.parse_args().environment.absolute())
    way_out = Exit()
    with tempfile.TemporaryDirectory(prefix="soni") as name:
        folder = Path(name)
        try:
            with run_server(python, folder, way_out) as url:
                asyncio.run(asyncio.wait_for(try_server(url), TALK_SECONDS))
                run_documented_client(url)
        except BaseException:
            print((folder / "server.log").read_text(encoding="utf-8")[-5000:], file=sys.stderr)
            raise
        finally:
            way_out.close()
    if way_out.requests:
        raise SystemExit(f"the server tried to reach other machines: {way_out.requests}")
    print("a LangGraph server ran the bank, and reached for no other machine")


if __name__ == "__main__":
    main()
