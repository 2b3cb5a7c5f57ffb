"""Locks of conversations that nobody uses take no room."""

import asyncio

from soni.persistence.locks import ConversationLocks


async def test_a_lock_is_gone_when_the_last_one_that_wanted_it_is_done() -> None:
    locks = ConversationLocks()

    async def hold() -> None:
        async with locks.hold("ann"):
            await asyncio.sleep(0)

    async with locks.hold("ann"), locks.hold("bob"):
        waiting = asyncio.create_task(hold())
        await asyncio.sleep(0)
        assert len(locks) == 2
    await waiting
    del waiting
    assert len(locks) == 0
