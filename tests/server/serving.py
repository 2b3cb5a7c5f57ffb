"""A server of an assistant on loopback, and people who talk to it over the network."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, ClassVar

import httpx
import uvicorn
from fastapi import FastAPI

from soni import RuntimeLoop, SoniConfig
from soni.commands import AffirmConfirmation, Command, SetSlot, StartFlow
from soni.core.access_key import Role, make_access_key
from soni.du.context import NLUOutput
from soni.server import ServerOptions, create_app
from soni.server.process import make_uvicorn_options
from soni.server.services import Services
from tests.talking import assistant

SHOP = """
slots:
  amount: {type: integer, prompt: How much?}
  recipient: {prompt: To whom?}
  pin: {prompt: Your PIN?, sensitive: true}
  topic: {prompt: About what?}
  account: {type: choice, values: [main, savings], prompt: Which account?}
flows:
  balance:
    trigger: {examples: [what is my balance]}
    steps:
      - {collect: account, ui: {type: quick_replies}}
      - say: "There is 100 in {account}."
  transfer:
    description: Send money
    trigger: {examples: [send money]}
    steps:
      - collect: amount
      - collect: recipient
      - {step: sure, confirm: "Send {amount} to {recipient}?"}
      - action: send
      - say: "Sent {amount} to {recipient}."
  wait:
    description: Something that takes its time
    trigger: {examples: [wait for me]}
    steps:
      - action: linger
      - say: Done.
  fail:
    trigger: {examples: [break it]}
    steps:
      - action: explode
      - say: Never.
  secret:
    trigger: {examples: [unlock]}
    steps:
      - collect: pin
      - collect: topic
  complain:
    trigger: {examples: [complain]}
    steps:
      - collect: topic
      - {step: person, type: handoff, queue: complaints, message: "Somebody looks after {topic}."}
      - say: Was that all?
"""

ACTIONS = """
import asyncio
import threading

from soni import action

SENT = []
GATE = threading.Event()

@action
def send(amount: int, recipient: str) -> dict:
    SENT.append((amount, recipient))
    return {}

@action
async def linger() -> dict:
    SENT.append("began")
    while not GATE.is_set():
        await asyncio.sleep(0.01)
    SENT.append("ended")
    return {}

@action
def explode() -> dict:
    raise RuntimeError("the value 4711 is bad")
"""


class PlainNLU:
    """Understands the examples of flows, answers and a yes, word for word."""

    flows: ClassVar[dict[str, str]] = {
        "send money": "transfer",
        "what is my balance": "balance",
        "wait for me": "wait",
        "break it": "fail",
        "unlock": "secret",
        "complain": "complain",
        "refund": "refund",
    }

    async def understand(self, user_message: str, history: Any, context: Any) -> NLUOutput:
        commands: list[Command] = []
        if context.waiting_for_slot is not None:
            commands = [SetSlot(slot_name=context.waiting_for_slot, value=user_message)]
        elif user_message == "yes":
            commands = [AffirmConfirmation()]
        elif user_message in self.flows:
            commands = [StartFlow(flow_name=self.flows[user_message])]
        return NLUOutput(commands=commands)


class Running:
    """A server that runs."""

    def __init__(self, app: FastAPI, address: tuple[str, int]) -> None:
        self.app = app
        self.address = address
        self.url = f"http://{address[0]}:{address[1]}"
        self.services: Services = app.state.soni
        self._clients: list[httpx.AsyncClient] = []

    @property
    def runtime(self) -> RuntimeLoop:
        return self.services.runtime

    def get_global(self, name: str) -> Any:
        """What the assistant's actions have in their module."""
        function: Any = self.runtime.assistant.config.functions.actions["send"]
        return function.__globals__[name]

    async def add_key(self, role: Role = Role.CLIENT, days: float | None = None) -> str:
        key, kept = make_access_key(role, now=time.time(), days=days)
        await self.runtime.store.access_keys.add(kept)
        return key

    def make_client(self, token: str | None = None, **options: Any) -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        # Nothing is encrypted here, and reading the authorities' certificates takes 20 ms a client.
        options = {"timeout": 20, "trust_env": False, "verify": False, **options}
        client = httpx.AsyncClient(base_url=self.url, headers=headers, **options)
        self._clients.append(client)
        return client

    async def enter(self, role: Role = Role.CLIENT) -> httpx.AsyncClient:
        """Somebody with a key of their own."""
        return self.make_client(await self.add_key(role))

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()


@asynccontextmanager
async def serving(
    config: SoniConfig | Path | str = SHOP,
    *,
    options: ServerOptions | None = None,
    limits: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    **given: Any,
) -> AsyncIterator[Running]:
    """Serve an assistant, given as YAML, as a config or as a folder."""
    made = assistant(config, ACTIONS) if isinstance(config, str) else config
    if isinstance(made, SoniConfig):
        server = {**(settings or {}), "limits": limits or {}}
        changed = made.settings.model_dump() | {"server": server}
        made = made.model_copy(update={"settings": type(made.settings).model_validate(changed)})
        # Models would take longer to load than all that is tried here.
        given.setdefault("runtime", RuntimeLoop(made, nlu=PlainNLU()))
    app = create_app(made, options=options, **given)
    services: Services = app.state.soni
    listening = socket.create_server(("127.0.0.1", 0))
    shared = services.runtime.assistant.config.settings.server
    server_process = uvicorn.Server(
        uvicorn.Config(app, log_config=None, **make_uvicorn_options(shared))
    )
    task = asyncio.create_task(server_process._serve(sockets=[listening]))
    while not server_process.started:
        await asyncio.sleep(0.005)
        assert not task.done(), task.result()
    running = Running(app, listening.getsockname())
    try:
        yield running
    finally:
        await running.close()
        services.stopping.set()
        server_process.should_exit = True
        await task
        listening.close()


async def open_talk(client: httpx.AsyncClient) -> str:
    """A new conversation; its id."""
    answer = await client.post("/api/conversations")
    assert answer.status_code == 201, answer.text
    opened: dict[str, Any] = answer.json()
    if opened.get("token"):
        client.headers["authorization"] = f"Bearer {opened['token']}"
    return str(opened["id"])


async def say(client: httpx.AsyncClient, talk: str, text: str, **more: Any) -> dict[str, Any]:
    """Say something; the turn."""
    answer = await client.post(f"/api/conversations/{talk}/messages", json={"text": text, **more})
    assert answer.status_code == 200, answer.text
    turn: dict[str, Any] = answer.json()
    return turn


def read_texts(turn: Mapping[str, Any]) -> list[str]:
    """What the assistant said in a turn."""
    return [reply["text"] for reply in turn["replies"]]


async def wait_for(condition: Any, seconds: float = 10) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while True:
            if condition():
                return
            await asyncio.sleep(0.01)


class Events:
    """The events of a stream, as a browser reads them."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.aiter_lines()

    async def next(self, seconds: float = 10) -> dict[str, Any]:
        """The next event: its name, its id and its data."""
        event: dict[str, Any] = {}
        async with asyncio.timeout(seconds):
            async for line in self._lines:
                if not line and event:
                    return event
                name, _, value = line.partition(": ")
                if name:
                    event[name] = json.loads(value) if name == "data" else value
        raise EOFError("the stream has ended")


def check_problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The problem that an answer is."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["code"] == code
    assert body["status"] == status
    assert body["remedy"]
    return body


@contextmanager
def serving_beside(*args: Any, **given: Any) -> Iterator[tuple[Running, str]]:
    """A server in a thread of its own, for clients that are not async; and an admin's key."""
    ready: Future[tuple[Running, str, asyncio.Event]] = Future()

    async def run() -> None:
        try:
            async with serving(*args, **given) as server:
                done = asyncio.Event()
                ready.set_result((server, await server.add_key(Role.ADMIN), done))
                await done.wait()
        except BaseException as error:
            if not ready.done():
                ready.set_exception(error)
            raise

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    try:
        server, key, done = ready.result(30)
        try:
            yield server, key
        finally:
            # Also if the test fails: otherwise nothing would ever end.
            loop.call_soon_threadsafe(done.set)
    finally:
        thread.join(30)
        loop.close()
