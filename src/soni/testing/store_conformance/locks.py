"""What the lock on a conversation must do."""

import asyncio

import pytest

from soni.core.storage import Store
from soni.testing.store_conformance.talk import Talk


@pytest.mark.asyncio
class LockConformance:
    """A conversation is held by one at a time, in the order of asking."""

    async def test_turns_on_one_conversation_run_one_after_the_other_in_order(
        self, store: Store
    ) -> None:
        seen: list[str] = []

        async def turn(number: int) -> None:
            async with store.conversation("ann"):
                seen.append(f"in {number}")
                await asyncio.sleep(0)
                seen.append(f"out {number}")

        async with store.conversation("ann"):
            waiting = [asyncio.create_task(turn(number)) for number in range(5)]
            await asyncio.sleep(0.02)
            assert seen == []
        await asyncio.gather(*waiting)
        assert seen == [f"{way} {number}" for number in range(5) for way in ("in", "out")]

    async def test_different_conversations_do_not_wait_for_each_other(self, store: Store) -> None:
        held: list[str] = []
        async with asyncio.timeout(20), store.conversation("ann"):
            held.append("ann")
            async with store.conversation("bob"):
                held.append("bob")
        assert held == ["ann", "bob"]

    async def test_messages_at_once_are_all_handled(self, talk: Talk) -> None:
        await asyncio.gather(*(talk.turn("ann", f"m{number}") for number in range(10)))
        said = await talk.said("ann")
        assert [text for text in said if text != "Your name?"] == ["m0", "m2", "m4", "m6", "m8"]
        assert (await talk.stored("ann"))["answers"] == ["m1", "m3", "m5", "m7", "m9"]

    async def test_one_that_gives_up_waiting_does_not_keep_the_conversation(
        self, store: Store
    ) -> None:
        async def want() -> None:
            async with store.conversation("ann"):
                pass

        async with store.conversation("ann"):
            waiting = asyncio.create_task(want())
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        async with asyncio.timeout(20):
            await want()

    async def test_a_turn_that_fails_gives_the_conversation_back(self, store: Store) -> None:
        with pytest.raises(RuntimeError):
            async with store.conversation("ann"):
                raise RuntimeError
        async with asyncio.timeout(20), store.conversation("ann"):
            pass
