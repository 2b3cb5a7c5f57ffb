"""The schema of a store: what is in it, and what is said where it cannot be used."""

import asyncio
import builtins
import secrets
import sys
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint

from soni.core.storage import Receipt, StagedWrites, StoreOptions, TurnEntry, WaitingMessage
from soni.core.storage_errors import JournalError, StorageError
from soni.persistence import open_store
from soni.persistence.journal import verify_chain
from soni.persistence.postgres.schema import MIGRATIONS, SCHEMA_VERSION
from soni.persistence.postgres.store import PostgresStore
from tests.unit.persistence.database import query
from tests.unit.persistence.turns import put, staged, value_of

PLACE: Any = {"configurable": {"thread_id": "ann", "checkpoint_ns": ""}}


async def test_tables_live_in_a_schema_of_their_own(postgres_url: str) -> None:
    async with PostgresStore(postgres_url) as store, store.conversation("ann"):
        await put(store, 1)
    tables = query(
        postgres_url,
        "SELECT table_name FROM information_schema.tables "
        "WHERE table_schema = current_schema() ORDER BY 1",
    )
    names = (
        "access_keys checkpoints conversations counters effects format inbox journal lives "
        "participants versions"
    )
    assert [name for (name,) in tables] == names.split()
    other = postgres_url.replace("schema=", "schema=Other ")
    async with PostgresStore(other) as store:
        assert await value_of(store) is None


async def test_many_that_open_a_new_schema_at_once_make_it_once(postgres_url: str) -> None:
    stores = [PostgresStore(postgres_url) for _ in range(8)]
    await asyncio.gather(*(store.open() for store in stores))
    await asyncio.gather(*(store.close() for store in stores))
    assert query(postgres_url, "SELECT version FROM format") == [(SCHEMA_VERSION,)]


async def test_an_older_schema_is_brought_up_to_date_and_keeps_its_rows(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with PostgresStore(postgres_url) as store, store.conversation("ann"):
        await put(store, 1)
    later = (*MIGRATIONS, "ALTER TABLE journal ADD COLUMN note text; CREATE TABLE notes (n int)")
    for place in ("schema", "server"):
        monkeypatch.setattr(f"soni.persistence.postgres.{place}.SCHEMA_VERSION", len(later))
    monkeypatch.setattr("soni.persistence.postgres.schema.MIGRATIONS", later)
    async with PostgresStore(postgres_url) as store:
        assert await value_of(store) == 1
    assert query(postgres_url, "SELECT note FROM journal") == [(None,)]
    assert query(postgres_url, "SELECT version FROM format") == [(len(later),)]


async def test_a_schema_of_a_newer_soni_is_left_alone(postgres_url: str) -> None:
    async with PostgresStore(postgres_url):
        pass
    query(postgres_url, "UPDATE format SET version = 99")
    with pytest.raises(StorageError, match=r"newer Soni \(format 99.*Upgrade Soni"):
        await PostgresStore(postgres_url).open()


async def test_a_server_that_is_not_there_is_named_without_the_password() -> None:
    store = PostgresStore("postgresql://ann:s3cret@127.0.0.1:9/talk")
    with pytest.raises(StorageError) as refused:
        await store.open()
    assert str(refused.value).startswith("postgresql://ann@127.0.0.1:9/talk (schema soni): cannot")
    assert "Check that the server runs" in str(refused.value)
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize(
    ("who", "database", "reason"),
    [
        ("postgres:wr0ng", "postgres", "password authentication failed"),
        ("postgres:correct%20horse", "nowhere", 'database "nowhere" does not exist'),
    ],
)
async def test_a_server_that_refuses_says_why(
    postgres: dict[str, str], who: str, database: str, reason: str
) -> None:
    host = postgres["address"].partition("/")[0]
    with pytest.raises(StorageError) as refused:
        await PostgresStore(f"postgresql://{who}@{host}/{database}").open()
    assert reason in str(refused.value)
    assert "host, user, password and database of settings.persistence.url" in str(refused.value)
    assert "wr0ng" not in str(refused.value)
    assert "horse" not in str(refused.value)


async def test_a_user_without_rights_is_told_which_it_needs(
    postgres: dict[str, str], postgres_url: str
) -> None:
    name = f"guest_{secrets.token_hex(4)}"
    query(postgres_url, f"CREATE ROLE {name} LOGIN PASSWORD 'p4ss'")
    url = f"postgresql://{name}:p4ss@{postgres['address']}?schema=closed"
    with pytest.raises(StorageError) as refused:
        await PostgresStore(url).open()
    assert "permission denied" in str(refused.value)
    assert "Give this user the right to create a schema" in str(refused.value)
    assert "p4ss" not in str(refused.value)


@pytest.mark.parametrize("url", ["postgresql://ann:10%@host/db", "somewhere", "http://a:b@c/d"])
def test_what_is_no_address_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(StorageError, match=r"settings\.persistence\.url: this is no") as refused:
        open_store("postgres", url)
    assert url not in str(refused.value)
    assert refused.value.__cause__ is None


def test_without_an_address_it_says_what_to_write() -> None:
    with pytest.raises(StorageError, match=r"settings\.persistence\.url: the postgres store needs"):
        open_store("postgres")


def test_without_its_driver_it_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *args: Any) -> Any:
        if name.partition(".")[0] == "psycopg":
            raise ModuleNotFoundError("No module named 'psycopg'")
        return real(name, *args)

    for name in [name for name in sys.modules if name.startswith("soni.persistence.postgres.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(StorageError, match=r'pip install "soni\[postgres\]"'):
        open_store("postgres", "postgresql://localhost/talk")


async def test_a_store_that_is_not_open_says_so(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    with pytest.raises(StorageError, match="not open"):
        await store.journal.conversations()
    await store.close()
    await store.open()
    assert await store.journal.conversations() == []
    await store.close()
    with pytest.raises(StorageError, match="not open"):
        await value_of(store)


async def test_a_write_that_the_server_refuses_is_undone_as_a_whole(postgres_url: str) -> None:
    async with PostgresStore(postgres_url) as store, store.conversation("ann"):
        await put(store, 1)
        query(postgres_url, "ALTER TABLE journal ADD CONSTRAINT full_up CHECK (seq < 2)")
        with pytest.raises(StorageError, match="full_up"):
            await put(store, 2)
        assert await value_of(store) == 1
        query(postgres_url, "ALTER TABLE journal DROP CONSTRAINT full_up")
        await put(store, 3)
        assert await value_of(store) == 3
        verify_chain(await store.journal.entries("ann"))


async def test_a_changed_journal_is_noticed(postgres_url: str) -> None:
    async with PostgresStore(postgres_url) as store:
        for number in range(1, 4):
            async with store.conversation("ann"):
                await put(store, number)
        verify_chain(await store.journal.entries("ann"))
        query(postgres_url, "UPDATE journal SET data = '{\"n\":9}' WHERE seq = 2")
        with pytest.raises(JournalError, match="entry 2"):
            verify_chain(await store.journal.entries("ann"))
        query(postgres_url, "UPDATE journal SET data = 'x' WHERE seq = 2")
        with pytest.raises(JournalError, match="entry 2: it was changed, it is no longer JSON"):
            await store.journal.entries("ann")


async def test_a_hostile_checkpoint_is_refused_and_the_conversation_can_be_reset(
    postgres_url: str,
) -> None:
    async with PostgresStore(postgres_url) as store:
        async with store.conversation("ann"):
            await put(store, 1)
        query(postgres_url, r"UPDATE checkpoints SET content = '\x80049500'")
        with pytest.raises(StorageError, match="refused"):
            await value_of(store)
        async with store.conversation("ann"):
            await store.forget("ann", TurnEntry(2, 0.0, {}))
            await put(store, 2)
        assert await value_of(store) == 2


async def test_the_checkpointer_works_on_its_own_as_any_saver(postgres_url: str) -> None:
    async with PostgresStore(postgres_url) as store:
        saver = store.checkpointer
        checkpoint: Any = {**empty_checkpoint(), "channel_values": {"n": 4}}
        stored: Any = await saver.aput(PLACE, checkpoint, {"step": 1}, {})
        await saver.aput_writes(stored, [("n", 5)], "task")
        await saver.aput_writes(stored, [("n", 6)], "task")
        (found,) = [each async for each in saver.alist(PLACE)]
        assert found.pending_writes == [("task", "n", 6)]
        assert await saver.aget_tuple(stored) == found
        assert [each async for each in saver.alist(None, filter={"step": 2})] == []
        assert [each async for each in saver.alist(PLACE, before=stored)] == []
        elsewhere: Any = {"configurable": {**PLACE["configurable"], "checkpoint_id": "other"}}
        assert await saver.aget_tuple(elsewhere) is None
        await saver.aput_writes(elsewhere, [("n", 7)], "task")
        await saver.adelete_thread("ann")
        assert await value_of(store) is None


async def test_a_pending_question_goes_with_its_checkpoint(postgres_url: str) -> None:
    async with PostgresStore(postgres_url) as store, store.conversation("ann"):
        waiting = staged(1, "ann", StagedWrites("t", "", [("__interrupt__", ["Name?"])]))
        await store.commit(waiting, TurnEntry(1, 0.0, {}))
        found = await store.checkpointer.aget_tuple(PLACE)
        assert found is not None
        assert found.pending_writes == [("t", "__interrupt__", ["Name?"])]
        await put(store, 2)
        found = await store.checkpointer.aget_tuple(PLACE)
        assert found is not None
        assert found.pending_writes == []


async def test_what_a_message_may_hold_is_stored_and_what_an_id_may_not_is_refused(
    postgres_url: str,
) -> None:
    text = "half \ud800, nothing \0, and \U0001f600"
    async with PostgresStore(postgres_url) as store:
        await store.inbox.receive("ann", "m1", text=text)
        assert await store.inbox.list_waiting("ann") == [WaitingMessage("m1", text)]
        async with store.conversation("ann"):
            entry = await store.journal.append("ann", TurnEntry(1, 0.0, {"text": text}))
            assert await store.journal.entries("ann") == [entry]
        for name in ("nothing \0", "half \ud800", secrets.token_hex(5000)):
            with pytest.raises(StorageError, match="Ids are text"):
                await store.inbox.receive(name, "m1")
            with pytest.raises(StorageError, match="Ids are text"):
                async with asyncio.timeout(20), store.conversation(name):
                    raise AssertionError
        assert await store.inbox.receive("bob", "m1") == Receipt("m1", "waiting")


async def test_one_bad_id_does_not_keep_others_from_their_conversations(postgres_url: str) -> None:
    async def hold(store: PostgresStore, name: str) -> str:
        async with store.conversation(name):
            return name

    async with PostgresStore(postgres_url) as store:
        names = ["ann", "nothing \0", "bob", secrets.token_hex(5000)]
        found = await asyncio.gather(*(hold(store, n) for n in names), return_exceptions=True)
        assert [found[0], found[2]] == ["ann", "bob"]
        assert isinstance(found[1], StorageError)
        assert isinstance(found[3], StorageError)
        other = PostgresStore(postgres_url)
        async with other, asyncio.timeout(20), other.conversation("ann"):
            pass


class Reversing:
    """A cipher that a child could break."""

    def encrypt(self, content: bytes) -> bytes:
        return content[::-1]

    def decrypt(self, content: bytes) -> bytes:
        return content[::-1]

    def is_current(self, content: bytes) -> bool:
        return True


async def test_what_is_encrypted_is_read_only_with_the_key(postgres_url: str) -> None:
    options = StoreOptions(postgres_url, cipher=Reversing())
    async with PostgresStore(postgres_url) as store, store.conversation("ann"):
        await put(store, "open")
    async with PostgresStore.from_options(options) as store:
        assert await value_of(store) == "open"  # written before there was a key
        async with store.conversation("ann"):
            await put(store, "sesame")
            await store.ledger.begin("k", "d", "ann")
            await store.ledger.finish("k", "d", "ann", {"paid": "sesame"})
        await store.inbox.receive("ann", "m1", text="sesame")
        assert await value_of(store) == "sesame"
        verify_chain(await store.journal.entries("ann"))
        assert await store.inbox.list_waiting("ann") == [WaitingMessage("m1", "sesame")]
        (effect,) = await store.ledger.list_effects("ann")
        assert effect.result == {"paid": "sesame"}
    for table in ("checkpoints", "journal", "effects", "inbox"):
        rows = query(postgres_url, f"SELECT * FROM {table}")
        assert "sesame" not in str(rows), table
    async with PostgresStore(postgres_url) as store:
        with pytest.raises(StorageError, match="no key is given"):
            await value_of(store)
