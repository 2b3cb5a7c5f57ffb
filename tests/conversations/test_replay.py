"""The same messages, clock and ids make the same conversation again."""

from pathlib import Path
from typing import Any

from soni.commands import CorrectSlot, StartFlow
from soni.core.storage import Store
from soni.persistence import open_store
from tests.conversations.till import Till
from tests.talking import FrozenClock, assistant, talking_to

SCRIPT: list[tuple[str, list[Any] | None]] = [
    ("pay", None),
    ("5", None),
    ("make it 6", [CorrectSlot(slot_name="amount", new_value=6)]),
    ("when are you open", None),
    ("Bob", None),
    ("bla", None),
    ("pay two", [StartFlow(flow_name="pay", slots={"amount": 2}), StartFlow(flow_name="hours")]),
    ("cancel", None),
]


async def played(store: Store, user: str = "ann") -> tuple[list[list[str]], Any, list[Any]]:
    clock = FrozenClock()
    async with talking_to(Till().config, store=store, clock=clock) as talk:
        talk.user_id = user
        said = []
        for number, (text, commands) in enumerate(SCRIPT):
            said.append(await talk.say(text, commands=commands, message_id=f"m{number}"))
            clock.forward(seconds=7)
        entries = [without_times(entry.data) for entry in await store.journal.entries(user)]
        return said, await talk.runtime.get_state(user), entries


def without_times(data: dict[str, Any]) -> dict[str, Any]:
    """An entry without how long something took, which is never twice the same."""
    actions = [{**call, "seconds": None} for call in data["actions"]]
    return {**data, "actions": actions, "timings": None}


async def test_a_replay_has_the_same_transcript_state_and_journal(tmp_path: Path) -> None:
    first = await played(open_store("memory"))
    again = await played(open_store("sqlite", str(tmp_path / "talk.db")))
    assert first[0] == again[0]
    assert first[0][:2] == [["How much?"], ["To whom?"]]
    assert first[1] == again[1]
    assert first[2] == again[2]


async def test_another_conversation_has_ids_of_its_own() -> None:
    _, ann, _ = await played(open_store("memory"))
    _, bob, _ = await played(open_store("memory"), user="bob")

    def ids(state: Any) -> set[str]:
        return {flow["flow_id"] for flow in state["metadata"]["completed_flows"]}

    assert len(ids(ann)) == len(ids(bob)) == 4
    assert ids(ann).isdisjoint(ids(bob))


async def test_variations_are_the_same_for_the_same_conversation() -> None:
    config = assistant("""
        version: "1"
        responses: {not_understood: ["Pardon?", "Sorry?", "What?", "Again, please.", "Hm?"]}
        flows: {pay: {trigger: {examples: ["pay"]}, steps: [{say: "Paid."}]}}
    """)

    async def heard(user: str) -> list[str]:
        async with talking_to(config) as talk:
            talk.user_id = user
            return [(await talk.say("bla"))[0] for _ in range(8)]

    assert await heard("ann") == await heard("ann")
    assert len(set(await heard("ann"))) > 1
    assert await heard("ann") != await heard("bob")
