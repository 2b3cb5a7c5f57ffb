"""`soni serve` and `soni keys` as people start them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.program import soni
from tests.server.serving import Events, check_problem, open_talk, read_texts, say

ROOT = Path(__file__).parents[2]
YAML = """
settings: {language: en}
slots:
  amount: {type: integer, prompt: How much?}
flows:
  order:
    trigger: {examples: [order]}
    steps:
      - collect: amount
      - say: "Ordered {amount}."
  wait:
    trigger: {examples: [wait for me]}
    steps:
      - action: linger
      - say: Done.
  hello:
    trigger: {examples: [hello]}
    steps:
      - say: GREETING
"""
ACTIONS = """
import asyncio

from soni import action

@action
async def linger() -> dict:
    await asyncio.sleep(1)
    return {}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "actions.py").write_text(ACTIONS)
    (tmp_path / "soni.yaml").write_text(YAML)
    return tmp_path


class Program:
    """A `soni serve` that runs."""

    def __init__(self, url: str, process: asyncio.subprocess.Process) -> None:
        self.url = url
        self.process = process

    def make_client(self, key: str | None = None) -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=20, trust_env=False)


@asynccontextmanager
async def started(folder: Path, *options: str) -> AsyncIterator[Program]:
    """The program, once it is ready."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    code = "from soni.cli.main import app_entry; app_entry()"
    arguments = [sys.executable, "-c", code, "serve", str(folder), "--port", str(port), *options]
    log = (folder / "log").open("wb")
    process = await asyncio.create_subprocess_exec(
        *arguments,
        stdout=log,
        stderr=log,
        env={**os.environ, "PYTHONPATH": f"{ROOT}/src", "OPENBLAS_NUM_THREADS": "1"},
    )
    program = Program(f"http://127.0.0.1:{port}", process)
    try:
        await wait_until_ready(program, folder)
        yield program
    finally:
        if process.returncode is None:
            process.terminate()
            async with asyncio.timeout(20):
                await process.wait()
        log.close()


async def wait_until_ready(program: Program, folder: Path) -> None:
    async with asyncio.timeout(40), program.make_client() as client:
        while True:
            assert program.process.returncode is None, (folder / "log").read_text()
            try:
                if (await client.get("/readyz")).status_code == 200:
                    return
            except httpx.TransportError:
                await asyncio.sleep(0.1)


async def hear(client: httpx.AsyncClient) -> list[str]:
    return read_texts(await say(client, await open_talk(client), "hello"))


async def wait_to_hear(client: httpx.AsyncClient, text: str) -> None:
    async with asyncio.timeout(20):
        while True:
            if await hear(client) == [text]:
                return
            await asyncio.sleep(0.2)


async def test_a_server_that_is_told_to_stop_answers_what_has_begun(folder: Path) -> None:
    async with started(folder, "--reload") as program, program.make_client() as client:
        assert await hear(client) == ["GREETING"]
        talk = await open_talk(client)
        await say(client, talk, "order")
        # An author changes a file, and mends it after a mistake: no conversation is lost.
        (folder / "soni.yaml").write_text("flows: [")
        await asyncio.sleep(1.5)
        assert await hear(client) == ["GREETING"]
        (folder / "soni.yaml").write_text(YAML.replace("GREETING", "Good morning."))
        await wait_to_hear(client, "Good morning.")
        assert read_texts(await say(client, talk, "3")) == ["Ordered 3."]
        async with client.stream("GET", f"/api/conversations/{talk}/events") as response:
            events = Events(response)
            turn = asyncio.create_task(say(client, talk, "wait for me"))
            await asyncio.sleep(0.4)
            program.process.send_signal(signal.SIGTERM)
            assert read_texts(await turn) == ["Done."]
            with pytest.raises(EOFError):
                while True:
                    await events.next()
        async with asyncio.timeout(15):
            assert await program.process.wait() in (0, -signal.SIGTERM)
    log = (folder / "log").read_text()
    assert "Traceback" not in log
    assert "Done." not in log


async def test_workers_share_conversations_keys_and_a_reload(folder: Path) -> None:
    admin = soni("keys", "add", folder, "--role", "admin").stdout.strip()
    async with started(folder, "--workers", "2") as program:
        clients = [program.make_client(admin) for _ in range(4)]
        talk = await open_talk(clients[0])
        for number, client in enumerate(clients):
            assert read_texts(await say(client, talk, "order")) == ["How much?"]
            assert read_texts(await say(clients[-1], talk, str(number))) == [f"Ordered {number}."]
        (folder / "soni.yaml").write_text(YAML.replace("GREETING", "Good morning."))
        assert (await clients[0].post("/api/reload")).status_code == 204
        for client in clients:
            await wait_to_hear(client, "Good morning.")
        (folder / "soni.yaml").write_text(YAML.replace("say: GREETING", "sey: GREETING"))
        problem = check_problem(await clients[0].post("/api/reload"), 409, "invalid_assistant")
        assert "E10" in problem["detail"]
        assert await hear(clients[0]) == ["Good morning."]
        for client in clients:
            await client.aclose()


def test_an_address_that_others_reach_needs_credentials(folder: Path) -> None:
    refused = soni("serve", folder, "--host", "0.0.0.0", "--port", "1")
    assert refused.returncode != 0
    assert "soni keys add" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_mistakes_in_an_assistant_are_shown_with_their_places(folder: Path) -> None:
    (folder / "soni.yaml").write_text(YAML.replace("collect: amount", "colect: amount"))
    refused = soni("serve", folder, "--port", "1")
    assert refused.returncode == 1
    assert "soni.yaml:9:" in refused.stderr
    assert "colect" in refused.stderr.splitlines()[1]


def test_several_workers_need_a_store_that_they_share(folder: Path) -> None:
    (folder / "soni.yaml").write_text(
        YAML.replace("language: en", "persistence: {backend: memory}")
    )
    refused = soni("serve", folder, "--workers", "2", "--port", "1")
    assert refused.returncode != 0
    assert "settings.persistence.backend" in refused.stderr


def test_keys_are_shown_once_listed_without_themselves_and_taken_back(folder: Path) -> None:
    made = soni("keys", "add", folder, "--role", "author", "--label", "the inspector")
    key = made.stdout.strip()
    assert key.startswith("soni_")
    assert made.returncode == 0
    listed = soni("keys", "list", folder, "--json")
    known: list[dict[str, Any]] = json.loads(listed.stdout)
    assert [(each["role"], each["label"]) for each in known] == [("author", "the inspector")]
    assert key not in listed.stdout
    assert key.encode() not in b"".join(file.read_bytes() for file in folder.rglob("*.db*"))
    name = known[0]["key_id"]
    assert soni("keys", "revoke", folder, name).returncode == 0
    again = soni("keys", "revoke", folder, name)
    assert again.returncode != 0
    assert "there are: none" in again.stderr
    assert "soni keys add" in soni("keys", "list", folder).stdout
