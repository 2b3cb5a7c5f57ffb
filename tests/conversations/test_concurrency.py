"""Messages at once: one after the other on one conversation, side by side on many."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from soni import RuntimeLoop, SoniConfig, TurnError, action
from soni.core.storage import Store
from soni.persistence import open_store
from soni.persistence.journal import verify_chain
from tests.conversations.processes import answers, process
from tests.conversations.till import Till
from tests.talking import talking_to

ECHO = SoniConfig.model_validate(
    {
        "flows": {
            "greet": {
                "trigger": {"examples": ["hi"]},
                "steps": [
                    {"collect": "name", "message": "Your name?"},
                    {"collect": "city", "message": "Your city?"},
                    {"action": "look_up"},
                    {"say": "{name} lives in {place}."},
                ],
            }
        }
    }
)


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return open_store(request.param, str(tmp_path / "talk.db"))


class Lookup:
    """An action that waits until it is let go."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.full = asyncio.Event()
        """Set when fifty wait."""

        self.go = asyncio.Event()
        self.running = self.most = 0

    @property
    def config(self) -> SoniConfig:
        @action
        async def look_up(city: str, ctx: Any) -> dict[str, Any]:
            self.begun.set()
            self.running += 1
            self.most = max(self.most, self.running)
            if self.running == 50:
                self.full.set()
            await self.go.wait()
            self.running -= 1
            return {"place": f"{city} ({ctx.user_id})"}

        return ECHO.with_functions([look_up])


async def test_two_messages_at_once_are_handled_one_after_the_other(store: Store) -> None:
    lookup = Lookup()
    lookup.go.set()
    async with RuntimeLoop(lookup.config, store=store) as runtime:
        said = await asyncio.gather(
            *(runtime.process_message(text, user_id="ann") for text in ("hi", "Ann", "Rome"))
        )
        assert said == ["Your name?", "Your city?", "Ann lives in Rome (ann)."]
        state = await runtime.get_state("ann")
        assert state["turn_count"] == 3
        assert [str(message.content) for message in state["messages"]] == [
            "hi", "Your name?", "Ann", "Your city?", "Rome", "Ann lives in Rome (ann).",
        ]  # fmt: skip


async def test_a_message_waits_for_the_one_before_even_if_that_one_fails(store: Store) -> None:
    till = Till()
    till.faults["handler"] = TypeError()
    async with talking_to(till.config, store=store) as talk:
        await talk.say("pay")
        failed, said = await asyncio.gather(
            talk.say("5"), talk.say("when are you open"), return_exceptions=True
        )
        assert isinstance(failed, TurnError)
        assert said == ["We are open from 9 to 5.", "Back to pay.", "How much?"]


async def test_users_never_see_each_others_replies(store: Store) -> None:
    lookup = Lookup()
    names = [f"user{number}" for number in range(50)]
    async with RuntimeLoop(lookup.config, store=store) as runtime:

        async def converse(name: str) -> list[str]:
            return [
                await runtime.process_message(text, user_id=name)
                for text in ("hi", name.upper(), f"Port {name}")
            ]

        talks = [asyncio.create_task(converse(name)) for name in names]
        # All of them are in the middle of their action at the same time.
        await lookup.full.wait()
        lookup.go.set()
        for name, said in zip(names, await asyncio.gather(*talks), strict=True):
            assert said == [
                "Your name?",
                "Your city?",
                f"{name.upper()} lives in Port {name} ({name}).",
            ]
            state = await runtime.get_state(name)
            others = [str(m.content) for m in state["messages"] if "user" in str(m.content).lower()]
            assert all(name in text.lower() for text in others)
    assert lookup.most == 50


@pytest.mark.parametrize("how", ["turn", "stream", "process_message"])
async def test_a_caller_that_goes_away_does_not_cancel_the_turn(how: str, store: Store) -> None:
    lookup = Lookup()
    async with RuntimeLoop(lookup.config, store=store) as runtime:

        async def send(text: str) -> Any:
            if how == "stream":
                return [event async for event in runtime.stream(text, user_id="ann")]
            return await getattr(runtime, how)(text, user_id="ann")

        await send("hi")
        await send("Ann")
        caller = asyncio.create_task(send("Rome"))
        await lookup.begun.wait()
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        waiting = asyncio.create_task(runtime.process_message("hi", user_id="ann"))
        lookup.go.set()
        assert await waiting == "Your name?"
        state = await runtime.get_state("ann")
        assert state["turn_count"] == 4
        assert "Ann lives in Rome (ann)." in [str(m.content) for m in state["messages"]]
        assert lookup.most == 1


async def test_one_that_gave_up_waiting_is_answered_all_the_same(store: Store) -> None:
    """Its message was sent, so it counts, in its place."""
    lookup = Lookup()
    async with RuntimeLoop(lookup.config, store=store) as runtime:
        await runtime.process_message("hi", user_id="ann")
        await runtime.process_message("Ann", user_id="ann")
        first = asyncio.create_task(runtime.process_message("Rome", user_id="ann"))
        await lookup.begun.wait()
        second = asyncio.create_task(runtime.process_message("hi", user_id="ann"))
        await asyncio.sleep(0)
        second.cancel()
        lookup.go.set()
        assert await first == "Ann lives in Rome (ann)."
        assert await runtime.process_message("Bea", user_id="ann") == "Your city?"


async def test_closing_lets_turns_under_way_finish(tmp_path: Path) -> None:
    lookup, path = Lookup(), str(tmp_path / "talk.db")
    async with RuntimeLoop(lookup.config, store=open_store("sqlite", path)) as runtime:
        await runtime.process_message("hi", user_id="ann")
        await runtime.process_message("Ann", user_id="ann")
        last = asyncio.create_task(runtime.process_message("Rome", user_id="ann"))
        after = asyncio.create_task(runtime.process_message("hi", user_id="ann"))
        await lookup.begun.wait()
        asyncio.get_running_loop().call_later(0.05, lookup.go.set)
    assert (await last, await after) == ("Ann lives in Rome (ann).", "Your name?")
    async with RuntimeLoop(lookup.config, store=open_store("sqlite", path)) as runtime:
        assert (await runtime.get_state("ann"))["turn_count"] == 4


async def test_aborting_drops_turns_under_way_and_leaves_the_conversation_as_it_was(
    tmp_path: Path,
) -> None:
    lookup, path = Lookup(), str(tmp_path / "talk.db")
    runtime = RuntimeLoop(lookup.config, store=open_store("sqlite", path))
    await runtime.process_message("hi", user_id="ann")
    await runtime.process_message("Ann", user_id="ann")
    last = asyncio.create_task(runtime.process_message("Rome", user_id="ann"))
    await lookup.begun.wait()
    await runtime.abort()
    with pytest.raises(asyncio.CancelledError):
        await last
    async with RuntimeLoop(lookup.config, store=open_store("sqlite", path)) as runtime:
        state = await runtime.get_state("ann")
        assert (state["turn_count"], state["waiting_for_slot"]) == (2, "city")


async def test_a_runtime_that_nobody_opened_opens_itself_once(tmp_path: Path) -> None:
    path = str(tmp_path / "talk.db")
    runtime = RuntimeLoop(Lookup().config, store=open_store("sqlite", path))
    users = ["ann", "bob", "cid"]
    said = await asyncio.gather(*(runtime.process_message("hi", user_id=user) for user in users))
    assert said == ["Your name?"] * 3
    await runtime.close()
    async with open_store("sqlite", path) as store:
        assert await store.journal.conversations() == users


async def test_two_processes_that_write_one_conversation_lose_nothing(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text(
        'version: "1"\n'
        "slots: {count: {type: integer, scope: conversation}}\n"
        "flows:\n"
        "  add:\n"
        "    trigger: {examples: [add]}\n"
        "    steps:\n"
        "      - branch: [{condition: 'count == null', then: first}, {else: next}]\n"
        "      - {step: first, type: set, values: {count: 1}, jump_to: tell}\n"
        "      - {step: next, type: set, values: {count: '{{ count + 1 }}'}}\n"
        "      - {step: tell, type: say, message: '{count}'}\n"
    )
    running = [process(tmp_path, *[("ann", "add")] * 8) for _ in range(2)]
    for one in running:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in running:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    told = [[int(said[0]) for said in answers(one)] for one in running]
    assert sorted(told[0] + told[1]) == list(range(1, 17))
    assert all(numbers == sorted(numbers) for numbers in told)
    async with open_store("sqlite", str(tmp_path / "talk.db")) as store:
        entries = await store.journal.entries("ann")
    verify_chain(entries)
    assert [entry.turn for entry in entries] == list(range(1, 17))
