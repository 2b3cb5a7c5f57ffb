"""States carry the number of their format: older ones are migrated, newer ones refused."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from soni import RuntimeLoop
from soni.commands import SetSlot, StartFlow
from soni.core.errors import TurnError
from soni.core.storage_errors import StorageError
from soni.persistence import open_store
from soni.persistence.staged import StagedSaver
from soni.persistence.state_format import MIGRATIONS, load_checkpoint, migrate_checkpoint
from tests.conversations.bank import ACTIONS, BANK
from tests.talking import assistant

TODAY = 1 + max(MIGRATIONS)
START = [StartFlow(flow_name="transfer", slots={"amount": 5})]
PLACE: Any = {"configurable": {"thread_id": "ann", "checkpoint_ns": ""}}


async def _stored_by(saver: Any, edit: Any, mark: int | None) -> None:
    """A conversation as another Soni would have stored it."""
    async with RuntimeLoop(assistant(BANK, ACTIONS), saver) as runtime:
        await runtime.turn("send 5", "ann", commands=START)
    stored = await saver.aget_tuple(PLACE)
    metadata = {k: v for k, v in stored.metadata.items() if k != "soni_state"}
    if mark is not None:
        metadata["soni_state"] = mark
    checkpoint = {**stored.checkpoint, "channel_values": edit(stored.checkpoint["channel_values"])}
    new = {"flow_stack": checkpoint["channel_versions"]["flow_stack"]}
    await saver.aput(PLACE, checkpoint, metadata, new)
    await saver.aput_writes(
        {"configurable": {**PLACE["configurable"], "checkpoint_id": checkpoint["id"]}},
        [(channel, value) for _, channel, value in stored.pending_writes],
        stored.pending_writes[0][0],
    )


async def _read_mark(saver: Any) -> int:
    return int((await saver.aget_tuple(PLACE)).metadata["soni_state"])


def _forget_memory(values: dict[str, Any]) -> dict[str, Any]:
    (flow,) = values["flow_stack"]
    old = {key: flow["progress"][key] for key in ("history", "visits", "attempts")}
    return {**values, "flow_stack": [{**flow, "progress": old}]}


async def test_a_stored_state_names_its_format(tmp_path: Path) -> None:
    for backend, url in (("memory", None), ("sqlite", str(tmp_path / "talk.db"))):
        async with RuntimeLoop(assistant(BANK, ACTIONS), store=open_store(backend, url)) as runtime:
            await runtime.turn("send 5", "ann", commands=START)
            stored = await runtime.store.checkpointer.aget_tuple(PLACE)
            assert stored.metadata["soni_state"] == TODAY


async def test_a_state_of_the_first_format_goes_on() -> None:
    saver = InMemorySaver()
    await _stored_by(saver, _forget_memory, None)
    async with RuntimeLoop(assistant(BANK, ACTIONS), saver) as runtime:
        (flow,) = (await runtime.get_state("ann"))["flow_stack"]
        assert flow["progress"]["called"] == {}
        bob = [SetSlot(slot_name="recipient", value="Bob")]
        turn = await runtime.turn("Bob", "ann", commands=bob)
        assert turn.messages == ["Send 5 to Bob?"]
        assert await _read_mark(saver) == TODAY


@pytest.mark.parametrize(("mark", "complete"), [(None, True), (TODAY, False)])
async def test_what_was_migrated_is_stored_although_the_turn_did_not_change_it(
    mark: int | None, complete: bool
) -> None:
    """A saver writes only channels with a new version; a marked state must be migrated wholly."""
    saver = InMemorySaver()
    await _stored_by(saver, _forget_memory if mark is None else lambda values: values, mark)
    staged = StagedSaver(saver)
    loaded = await staged.begin_turn("ann")
    assert loaded is not None
    await staged.aput(PLACE, loaded.checkpoint, {}, {})
    taken = staged.take_turn("ann")
    assert taken is not None
    every = loaded.checkpoint["channel_versions"]
    assert taken.checkpoints[0].new_versions == (every if complete else {})


async def test_a_state_of_a_newer_soni_is_refused_and_left_as_it_is() -> None:
    saver = InMemorySaver()
    await _stored_by(saver, lambda values: values, TODAY + 1)
    async with RuntimeLoop(assistant(BANK, ACTIONS), saver) as runtime:
        newer = f"has format {TODAY + 1}, and this Soni reads formats up to {TODAY}.*run that one"
        with pytest.raises(StorageError, match=newer):
            await runtime.get_state("ann")
        with pytest.raises(TurnError, match=f"has format {TODAY + 1}"):
            await runtime.turn("Bob", "ann", commands=[])
    assert await _read_mark(saver) == TODAY + 1


def test_migrations_run_in_order_from_the_format_of_the_state() -> None:
    saver = InMemorySaver()
    asyncio.run(_stored_by(saver, lambda values: values, 2))
    stored = asyncio.run(load_checkpoint(saver, "ann"))
    assert stored is not None

    def append(word: str) -> Any:
        return lambda values: {**values, "last_response": f"{values['last_response']} {word}"}

    steps = {number: append(str(number)) for number in (1, 2, 3)}
    migrated = migrate_checkpoint(stored, "ann", steps)
    assert migrated.checkpoint["channel_values"]["last_response"] == "To whom? 2 3"
