"""A conversation is reset, whatever became of it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from soni.core.storage import Store, TurnEntry
from soni.persistence import open_store
from soni.persistence.staged import StagedSaver
from tests.talking import assistant, talking_to

FLOWS = """
    flows:
      greet:
        description: Greet somebody
        trigger: {examples: [hi]}
        steps:
          - {collect: name, message: "Your name?"}
          - say: "Hello, {name}!"
"""


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    url = str(tmp_path / "talk.db")
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_url")
    return open_store(request.param, url)


async def spoil_state(store: Store, values: Any) -> None:
    """Store a checkpoint that Soni would not write."""
    saver = StagedSaver(store.checkpointer)
    async with store.conversation("ann"):
        loaded = await saver.begin_turn("ann")
        assert loaded is not None
        spoilt = {**loaded.checkpoint, "channel_values": values}
        config = {"configurable": {"thread_id": "ann", "checkpoint_ns": ""}}
        await saver.aput(config, spoilt, loaded.metadata, {})  # type: ignore[arg-type]
        staged = saver.take_turn("ann")
        assert staged is not None
        parts = tuple(replace(part, base=loaded.checkpoint) for part in staged.checkpoints)
        await store.commit(replace(staged, checkpoints=parts), TurnEntry(2, 0.0, {}))


@pytest.mark.parametrize("values", [{"turn_count": "many"}, {"turn_count": None}, [], None])
async def test_a_state_of_the_wrong_shape_can_be_reset(store: Store, values: Any) -> None:
    async with talking_to(assistant(FLOWS), store=store) as talk:
        await talk.say("hi")
        await spoil_state(store, values)
        await talk.runtime.reset("ann")
        assert await talk.say("hi") == ["Your name?"]
        assert await talk.say("Ann") == ["Hello, Ann!"]


async def test_the_first_turn_after_a_reset_does_not_read_the_journal(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with talking_to(assistant(FLOWS), store=store) as talk:
        await talk.say("hi")
        first = talk.state["flow_stack"][0]["flow_id"]
        await talk.runtime.reset("ann")
        monkeypatch.setattr(store.journal, "entries", None)
        await talk.say("hi")
        # Its ids differ from those before the reset all the same.
        assert talk.state["flow_stack"][0]["flow_id"] != first
