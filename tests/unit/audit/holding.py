"""Conversations to read back: a shop with a secret, held on a store that stays."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from soni import RuntimeLoop, SoniConfig
from soni.audit.replay import ReplayedTurn, replay
from soni.audit.source import add_default_store
from soni.audit.turn import RecordedTurn
from soni.core.storage import Store, TurnEntry
from soni.persistence import open_store, store_for
from tests.talking import FrozenClock

SHOP = """
version: "1"
settings: {handoff: {action: announce}}
slots:
  item: {prompt: {en: Which item?, es: ¿Qué artículo?}}
  count: {type: integer, prompt: {en: How many?, es: ¿Cuántos?}, validator: few}
  pin: {type: integer, prompt: {en: Your PIN?, es: ¿Tu PIN?}, sensitive: true, validator: known}
flows:
  buy:
    trigger: {examples: [buy, comprar]}
    steps:
      - collect: item
      - collect: count
      - action: price_of
        on_error: none_left
      - collect: pin
      - step: sure
        confirm: {en: "{count} {item} for {price}?", es: "¿{count} {item} por {price}?"}
      - action: pay
      - say: {en: "Paid, {receipt}.", es: "Pagado, {receipt}."}
        jump_to: end
      - {step: none_left, say: "No {item} left: {_error_type}."}
  hours:
    trigger: {examples: [hours]}
    steps: [{say: "{session.greeting}, we are open."}]
"""

FUNCTIONS = """
from soni import ActionContext, ActionError, NeedSlot, action, validator

SALES = []

@action
def price_of(item: str, count: int) -> dict:
    SALES.append("asked")
    if item == "moon":
        raise ActionError("sold_out", "somebody was faster")
    return {"price": count * len(SALES)}

@action
def pay(price: int, pin: int, ctx: ActionContext) -> dict:
    SALES.append("paid")
    ctx.say("Paying ...")
    return {"receipt": f"R{len(SALES)}", "echo": f"pin {pin}"}

@action
def announce(queue: str, reason: str, summary: str = "", slots: object = None) -> dict:
    SALES.append("announced")
    return {}

@validator
def few(count: int) -> bool:
    if count > 9:
        raise ValueError("At most nine.")
    return True

@validator
def known(pin: int) -> bool:
    if pin < 1000:
        raise ValueError(f"{pin} is no PIN.")
    return True
"""

Said = str | tuple[str, dict[str, Any]]

BUYING: Sequence[Said] = ["buy", "pen", "12", "3", "7", "4711", "yes"]


def shop(folder: Path, yaml: str = SHOP) -> SoniConfig:
    """The assistant in a folder of its own."""
    folder.mkdir(exist_ok=True)
    Path(folder, "soni.yaml").write_text(textwrap.dedent(yaml), encoding="utf-8")
    Path(folder, "actions.py").write_text(FUNCTIONS, encoding="utf-8")
    return SoniConfig.load(folder)


def file_of(folder: Path) -> str:
    """Where `soni chat` keeps conversations."""
    return str(folder / ".soni" / "conversations.db")


async def held(
    config: SoniConfig, *conversations: tuple[str, Sequence[Said]], start: str | None = None
) -> None:
    """Hold conversations one after the other, seven seconds between messages."""
    clock = FrozenClock(start) if start else FrozenClock()
    store = store_for(add_default_store(config))
    async with RuntimeLoop(config, clock=clock, store=store) as runtime:
        for user, messages in conversations:
            for said in messages:
                text, options = said if isinstance(said, tuple) else (said, {})
                clock.forward(seconds=options.pop("after", 7))
                await _one(runtime, user, text, options)


async def _one(runtime: RuntimeLoop, user: str, text: str, options: dict[str, Any]) -> None:
    if text == "/release":
        await runtime.release(user)
    elif text == "/reset":
        await runtime.reset(user)
    elif text == "/start":
        await runtime.start_flow(user, **options)
    elif text == "/sweep":
        await runtime.sweep()
    elif text == "/push":
        await runtime.push(user, **options)
    else:
        await runtime.turn(text, user, **options)


async def turns_of(config: SoniConfig, user: str = "ann") -> list[RecordedTurn]:
    """What is on record of a conversation."""
    assert config.folder is not None
    async with open_store("sqlite", file_of(config.folder)) as store:
        return [RecordedTurn(entry) for entry in await store.journal.entries(user)]


async def again(config: SoniConfig, turns: Sequence[RecordedTurn]) -> list[ReplayedTurn]:
    """The conversation held again."""
    return [turn async for turn in replay(config, turns)]


async def written(store: Store, user: str, *turns: dict[str, Any]) -> None:
    """Entries as they might stand in a journal, whatever they say."""
    for number, data in enumerate(turns, 1):
        about = {"at": float(number), "turn": number, **data.pop("about", {})}
        status = about.pop("status", "ok")
        async with store.conversation(user):
            await store.journal.append(user, TurnEntry(**about, data=data), status)
