"""What becomes of conversations when connections break, the server restarts, or a holder stalls."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from soni.core.storage import Effect, TurnEntry
from soni.core.storage_errors import FencedError, StorageError
from soni.persistence.journal import verify_chain
from soni.persistence.postgres.store import PostgresStore
from tests.postgres_server import PostgresServer
from tests.unit.persistence.database import end_connections, name_connections, query
from tests.unit.persistence.turns import put, staged, value_of


@pytest.fixture
def slow_url(postgres_url: str) -> str:
    """The same schema, for the one whose connections break."""
    return name_connections(postgres_url, postgres_url[-12:])


@pytest.fixture
async def slow(slow_url: str) -> AsyncIterator[PostgresStore]:
    async with PostgresStore(slow_url) as store:
        yield store


@pytest.fixture
async def quick(postgres_url: str) -> AsyncIterator[PostgresStore]:
    async with PostgresStore(name_connections(postgres_url, f"quick{postgres_url[-12:]}")) as store:
        yield store


def break_connections(url: str) -> None:
    assert end_connections(url, url.rpartition("=")[2]) > 0


async def test_connections_that_broke_between_two_turns_are_not_noticed(
    slow: PostgresStore, slow_url: str
) -> None:
    for number in range(3):
        async with slow.conversation("ann"):
            await put(slow, number)
        break_connections(slow_url)
    assert await value_of(slow) == 2
    verify_chain(await slow.journal.entries("ann"))


async def test_a_statement_whose_connection_breaks_fails_and_the_next_works(
    slow: PostgresStore, slow_url: str
) -> None:
    async with slow.conversation("ann"):
        await put(slow, 1)
        query(
            slow_url,
            "ALTER TABLE journal ADD CONSTRAINT slow CHECK (pg_sleep(60) IS NULL) NOT VALID",
        )
    async with slow.conversation("ann"):
        writing = asyncio.create_task(put(slow, 2))
        running = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND application_name"
        while not query(slow_url, f"{running} = %s", slow_url.rpartition("=")[2]):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        break_connections(slow_url)
        with pytest.raises(StorageError, match="the connection was lost"):
            await writing
    query(slow_url, "ALTER TABLE journal DROP CONSTRAINT slow")
    async with slow.conversation("ann"):
        await put(slow, 3)
    assert await value_of(slow) == 3
    verify_chain(await slow.journal.entries("ann"))


async def test_who_lost_the_session_of_its_lock_cannot_overwrite_the_new_holders_turn(
    slow: PostgresStore, quick: PostgresStore, slow_url: str
) -> None:
    async with slow.conversation("ann"):
        await slow.ledger.begin("own", "d", "ann")
        break_connections(slow_url)
        async with asyncio.timeout(20), quick.conversation("ann"):
            for late in (
                put(slow, "late"),
                slow.forget("ann", TurnEntry(1, 0.0, {})),
                slow.journal.append("ann", TurnEntry(1, 0.0, {})),
                slow.ledger.begin("late", "d", "ann"),
            ):
                with pytest.raises(FencedError, match="'ann' was taken over"):
                    await late
            await put(quick, "new")
        with pytest.raises(FencedError, match="taken over"):
            await slow.ledger.finish("own", "d", "ann", {"paid": True})
        with pytest.raises(FencedError, match="taken over"):
            await put(slow, "late")
    assert await value_of(slow) == "new"
    assert len(await slow.journal.entries("ann")) == 1
    # The outcome of its own effect is no longer unknown.
    assert await quick.ledger.list_effects("ann") == [
        Effect("own", "d", "finished", {"paid": True})
    ]


async def test_who_notices_that_its_session_is_lost_writes_nothing_more(slow_url: str) -> None:
    async with PostgresStore(slow_url, lease_seconds=0.3) as store, store.conversation("ann"):
        break_connections(slow_url)
        async with asyncio.timeout(20):
            with pytest.raises(FencedError):
                while True:
                    await put(store, 1)
                    await asyncio.sleep(0.05)


async def test_to_end_a_lost_conversation_does_not_free_it_for_others(
    slow: PostgresStore, quick: PostgresStore, slow_url: str
) -> None:
    async with slow.conversation("ann"):
        break_connections(slow_url)
        taken = quick.conversation("ann")
        await taken.__aenter__()
    async with slow.conversation("bob"):  # comes after all that `slow` still has to do
        pass
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2), slow.conversation("ann"):
            raise AssertionError
    await put(quick, "mine")
    await taken.__aexit__(None, None, None)
    assert await value_of(quick) == "mine"


async def test_a_conversation_is_kept_for_as_long_as_it_is_held(
    postgres_url: str, quick: PostgresStore
) -> None:
    # Long enough for a busy machine to give a sign of life in time.
    async with PostgresStore(postgres_url, lease_seconds=1.5) as store:
        async with store.conversation("ann"):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(2.5), quick.conversation("ann"):
                    raise AssertionError
            await put(store, 1)
        async with quick.conversation("bob"):
            waiting = asyncio.create_task(put_when_free(store, "bob", 2.5))
            await asyncio.sleep(2.5)
        assert await waiting > 0


async def put_when_free(store: PostgresStore, conversation_id: str, pause: float) -> int:
    async with store.conversation(conversation_id) as lease:
        await asyncio.sleep(pause)
        await put(store, 1, conversation_id)
        return lease.token


async def test_stores_that_wait_are_served_in_the_order_of_asking(
    slow: PostgresStore, postgres_url: str
) -> None:
    seen: list[int] = []

    async def turn(number: int) -> None:
        url = name_connections(postgres_url, f"{number}{postgres_url[-12:]}")
        async with PostgresStore(url) as store, store.conversation("ann"):
            seen.append(number)

    async with slow.conversation("ann"):
        waiting = []
        for number in range(4):
            waiting.append(asyncio.create_task(turn(number)))
            while len(list_waiting(postgres_url)) <= number:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert seen == []
        late = asyncio.create_task(put_when_free(slow, "ann", 0))
    async with asyncio.timeout(20):
        await asyncio.gather(*waiting, late)
    assert seen == [0, 1, 2, 3]
    assert await value_of(slow) == 1


def list_waiting(url: str) -> list[tuple[int]]:
    """The processes of the server that wait for a conversation of the schema."""
    return query(
        url,
        "SELECT pid FROM pg_stat_activity WHERE wait_event = 'advisory' "
        "AND application_name LIKE %s",
        f"%{url[-12:]}",
    )


async def test_one_that_gives_up_waiting_leaves_the_queue(
    slow: PostgresStore, quick: PostgresStore, postgres_url: str
) -> None:
    async with slow.conversation("ann"):
        for _ in range(12):  # more than may wait at once
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05), quick.conversation("ann"):
                    raise AssertionError
        assert list_waiting(postgres_url) == []
    async with asyncio.timeout(20), quick.conversation("ann"):
        pass


async def test_a_holder_whose_task_is_cancelled_gives_the_conversation_back(
    slow: PostgresStore, quick: PostgresStore
) -> None:
    async def hold(store: PostgresStore) -> None:
        async with store.conversation("ann"):
            await asyncio.sleep(3600)

    # At any moment: before it asks, while the server answers, just after, and while it holds.
    for number in range(30):
        for store in (slow, quick, slow):
            holding = asyncio.create_task(hold(store))
            await asyncio.sleep(number / 5000)
            holding.cancel()
            with pytest.raises(asyncio.CancelledError):
                await holding
        async with asyncio.timeout(20), quick.conversation("ann"):
            pass


async def test_a_message_that_was_handled_stays_so_if_its_turn_is_taken_for_failed(
    quick: PostgresStore,
) -> None:
    await quick.inbox.receive("ann", "m1")
    async with quick.conversation("ann"):
        # As if the answer to the commit had been lost.
        await quick.commit(staged(1), TurnEntry(1, 0.0, {}, message_id="m1"))
        await quick.journal.append("ann", TurnEntry(1, 0.0, {}, message_id="m1"))
    assert (await quick.inbox.receive("ann", "m1")).state == "handled"
    assert await quick.inbox.find_entry("ann", "m1") is not None


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """A server that only this test uses."""
    own = PostgresServer()
    own.start()
    yield own
    own.stop()
    own.remove()


async def test_a_server_that_restarts_costs_at_most_the_turn_under_way(
    server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with PostgresStore(server.url) as store:
        with monkeypatch.context() as short:
            short.setattr("soni.persistence.postgres.server.WAIT_SECONDS", 0.5)
            async with PostgresStore(server.url) as hasty:
                async with store.conversation("ann"), hasty.conversation("eve"):
                    await put(store, 1)
                server.stop()
                with pytest.raises(StorageError, match="cannot connect"):
                    async with hasty.conversation("ann"):
                        raise AssertionError
                with pytest.raises(StorageError, match="no connection"):
                    await value_of(hasty)
                server.start()
        async with store.conversation("ann"):
            assert await value_of(store) == 1
            await put(store, 2)
            server.stop()
            server.start()
            with pytest.raises(StorageError):
                while True:  # fenced as soon as it notices; until then nobody else has it
                    async with store.conversation("bob"):
                        await put(store, 3)
        async with store.conversation("ann"):
            await put(store, 4)
        assert await value_of(store) == 4
        verify_chain(await store.journal.entries("ann"))
