"""What `soni check --against` foretells is what becomes of the conversations."""

from pathlib import Path
from typing import Any

import pytest

from soni import RuntimeLoop, SoniConfig
from soni.audit.forecast import ConversationForecast, forecast_store
from soni.commands import ChitChat, Command, SetSlot, StartFlow
from soni.persistence import open_store
from tests.conversations.bank import ACTIONS, BANK
from tests.talking import assistant

CARD = """
  card: {trigger: {}, steps: [{call: identify}, {collect: account}, {say: "Blocked."}]}
  identify: {outputs: [city], steps: [{collect: city}, {step: sure, confirm: "From {city}?"}]}
"""

WAYS: dict[str, list[Command]] = {
    "amount": [StartFlow(flow_name="transfer")],
    "recipient": [StartFlow(flow_name="transfer", slots={"amount": 5})],
    "confirm": [StartFlow(flow_name="transfer", slots={"amount": 5, "recipient": "Bob"})],
    "account": [StartFlow(flow_name="balance")],
    "called": [StartFlow(flow_name="card"), SetSlot(slot_name="city", value="Rome")],
    "paused": [
        StartFlow(flow_name="transfer", slots={"amount": 5, "recipient": "Bob"}),
        StartFlow(flow_name="weather"),
    ],
}
"""Conversations by their ids, and what was said in them."""

EDITS: dict[str, tuple[str, str]] = {
    "nothing": ("To whom?", "To whom?"),
    "a sentence": ("To whom?", "Who gets it?"),
    "a step is renamed": ("step: sure, type: confirm", "step: really, type: confirm"),
    "a collect is renamed": ("- collect: recipient", "- {step: who, collect: recipient}"),
    "a type": ("recipient: {prompt", "recipient: {type: integer, prompt"),
    "the type of an amount": ("amount: {type: integer", "amount: {type: date"),
    "a flow is gone": ("  transfer:", "  send_money:"),
    "a caller is gone": ("  card:", "  block_card:"),
    "a choice": ("city: {prompt", "city: {type: choice, values: [Oslo], prompt"),
}


@pytest.mark.parametrize("mode", ["follow", "finish"])
@pytest.mark.parametrize("edit", EDITS)
async def test_the_forecast_comes_true(edit: str, mode: str, tmp_path: Path) -> None:
    before = f"settings: {{versions: {mode}}}\n{BANK}{CARD}"
    old, new = EDITS[edit]
    assert old in before
    after = before.replace(old, new)
    place = str(tmp_path / "talk.db")
    async with RuntimeLoop(assistant(before, ACTIONS), store=open_store("sqlite", place)) as bot:
        for name, tasks in WAYS.items():
            for task in tasks:
                await bot.turn("words", name, commands=[task])
        await bot.turn("hello", "idle", commands=[ChitChat()])
    config = assistant(after, ACTIONS)
    foretold = {each.conversation_id: each for each in await _forecast(config, place)}
    assert foretold.keys() == WAYS.keys()
    async with RuntimeLoop(config, store=open_store("sqlite", place)) as bot:
        for name, forecast in foretold.items():
            stack = (await bot.get_state(name))["flow_stack"]
            turn = await bot.turn("words", name, commands=[ChitChat()])
            _compare(forecast, stack[-1], turn)
    if edit in ("nothing", "a sentence"):
        assert all(each.is_unharmed for each in foretold.values())
    elif mode == "follow":
        assert not all(each.is_unharmed for each in foretold.values())
    if mode == "finish":
        notes = [flow.note for each in foretold.values() for flow in each.flows]
        assert notes == [None] * len(notes)
        assert all(each.is_unharmed for each in foretold.values())


def _compare(forecast: ConversationForecast, flow: Any, turn: Any) -> None:
    """The active flow is adapted at once, those below it when they return."""
    active, events = forecast.flows[-1], turn.state["turn"]["events"]
    open_ids = [each["flow_id"] for each in turn.state["flow_stack"]]
    said = "\n".join(turn.messages)
    assert (active.outcome == "ends") == (flow["flow_id"] not in open_ids)
    assert (active.outcome == "ends") == ("is no longer available" in said)
    assert (active.outcome == "restarts") == ("has changed meanwhile" in said)
    lost = [name for each in events if each["event"] == "slots_lost" for name in each["slots"]]
    assert lost == list(active.lost)
    if active.is_unharmed:
        assert turn.state["flow_stack"][-1]["current_step"] == active.step


async def _forecast(config: SoniConfig, place: str) -> list[ConversationForecast]:
    async with open_store("sqlite", place) as store:
        return [each async for each in forecast_store(config, store)]
