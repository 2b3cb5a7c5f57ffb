"""A server on loopback, started for real, for tests of what clients of other protocols see."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from soni import SoniConfig
from soni.commands import AffirmConfirmation, DenyConfirmation, SetSlot, StartFlow
from soni.core.access_key import Role, make_access_key
from soni.persistence import store_for
from soni.runtime.loop import RuntimeLoop
from soni.server import ServerOptions, create_app
from soni.testing import ScriptedNLU

BANK = """
version: "1"
settings:
  persistence: {{ backend: sqlite, url: "{database}" }}
  server: {{ limits: {limits} }}
slots:
  recipient: {{ type: string, prompt: "To whom?" }}
  amount: {{ type: number, prompt: "How much?" }}
  account: {{ type: choice, values: [current, savings], prompt: "From which account?" }}
  urgent: {{ type: boolean, prompt: "Is it urgent?" }}
  pin: {{ type: string, sensitive: true, prompt: "Your PIN?" }}
  reference: {{ type: string }}
  balance: {{ type: number }}
actions:
  transfer: {{ inputs: [recipient, amount, account, urgent], outputs: [reference], confirm: true }}
  look_up: {{ inputs: [pin], outputs: [balance] }}
flows:
  send_money:
    description: Send money to somebody.
    trigger: {{ examples: [send money] }}
    outputs: [reference]
    steps:
      - collect: recipient
      - collect: amount
      - collect: account
        ui: {{ type: buttons }}
      - collect: urgent
      - confirm: "Send {{amount}} to {{recipient}} from your {{account}} account?"
      - action: transfer
      - say: "Done: {{reference}}."
  check_balance:
    description: Say how much there is.
    trigger: {{ examples: [what do I have] }}
    outputs: [balance]
    steps:
      - collect: pin
      - action: look_up
      - say: "You have {{balance}}."
  not_for_guests:
    description: Something for members.
    trigger: {{ condition: session.member, examples: [the secret thing] }}
    steps:
      - say: Welcome, member.
  write_poem:
    description: Write a poem.
    trigger: {{ examples: [a poem] }}
    steps:
      - say: Listen.
      - generate: A poem about money.
        fallback: I have no words.
  inner:
    steps:
      - say: Nobody can ask for this.
"""

ACTIONS = """
from pathlib import Path

from soni import action

@action
def transfer(recipient, amount, account, urgent):
    log = Path(__file__).parent / "sent.txt"
    with log.open("a", encoding="utf-8") as file:
        file.write(f"{recipient} {amount} {account} {urgent}\\n")
    return {"reference": "T-1"}

@action
def look_up(pin):
    return {"balance": 100}
"""

SCRIPT = {
    "send money": [StartFlow("send_money")],
    "send 50 to Bob": [StartFlow("send_money", {"recipient": "Bob", "amount": 50})],
    "current": [SetSlot("account", "current")],
    "yes": [AffirmConfirmation()],
    "no": [DenyConfirmation()],
    "a poem": [StartFlow("write_poem")],
    "what do I have": [StartFlow("check_balance")],
    "1234": [SetSlot("pin", "1234")],
    "Bob": [SetSlot("recipient", "Bob")],
    "50": [SetSlot("amount", 50)],
}


class Poet:
    """A language model that writes one poem, piece by piece."""

    def __init__(self, *, fails: bool = False, seconds: float = 0) -> None:
        self._fails = fails
        self._seconds = seconds

    async def generate(
        self,
        instruction: str,
        facts: Mapping[str, Any],
        *,
        language: str,
        write: Callable[[str], None],
    ) -> Mapping[str, Any]:
        await asyncio.sleep(self._seconds)
        for piece in ("Coins ", "shine."):
            write(piece)
            if self._fails:
                raise OSError("the model is gone")
        usage = {"model": "poet", "calls": 1, "prompt_tokens": 7, "completion_tokens": 3}
        return {"text": "Coins shine.", "usage": usage}


@dataclass
class Served:
    """A server that runs, and keys for it."""

    url: str
    folder: Path
    ann: str
    bob: str

    @property
    def sent(self) -> list[str]:
        """The transfers that were really made."""
        log = self.folder / "sent.txt"
        return log.read_text(encoding="utf-8").splitlines() if log.is_file() else []


def write_bank(folder: Path, limits: str = "{}") -> SoniConfig:
    """The files of the bank above, and what is in them."""
    folder.mkdir(parents=True, exist_ok=True)
    written = BANK.format(database=folder / "bank.db", limits=limits)
    (folder / "soni.yaml").write_text(written, encoding="utf-8")
    (folder / "actions.py").write_text(ACTIONS, encoding="utf-8")
    return SoniConfig.load(folder)


@contextmanager
def serve_bank(
    folder: Path, poet: Poet | None = None, limits: str = "{}", mounted_at: str = "", **options: Any
) -> Iterator[Served]:
    """The bank above, on a port of its own, in a thread of its own."""
    config = write_bank(folder, limits)
    keys = asyncio.run(_make_keys(config, "ann", "bob"))
    runtime = RuntimeLoop(config, nlu=ScriptedNLU(SCRIPT), generator=poet or Poet())
    app = create_app(config, runtime=runtime, options=ServerOptions(is_local=True, **options))
    if mounted_at:
        inner, app = app, FastAPI()
        app.mount(mounted_at, inner)
    with run_app(app) as url:
        yield Served(f"{url}{mounted_at}", folder, *keys)


@contextmanager
def run_app(app: Any) -> Iterator[str]:
    """An app behind uvicorn; its address."""
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, log_config=None, timeout_graceful_shutdown=2, ws="none")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)


async def _make_keys(config: SoniConfig, *labels: str) -> list[str]:
    keys = []
    async with store_for(config) as store:
        for label in labels:
            key, kept = make_access_key(Role.CLIENT, label=label, now=time.time())
            await store.access_keys.add(kept)
            keys.append(key)
    return keys
