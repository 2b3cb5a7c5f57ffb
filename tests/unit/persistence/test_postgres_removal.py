"""What is erased from a schema, and what is encrypted in it, is in none of its rows."""

import asyncio
import secrets
from collections.abc import Sequence

import psycopg
import pytest
import structlog

from soni.core.storage import Removal, StoreOptions, TurnEntry
from soni.core.storage_errors import BusyError, FencedError, StorageError
from soni.persistence.encryption import make_cipher, make_key
from soni.persistence.journal import EntryHead, reseal_entries, verify_chain
from soni.persistence.postgres.server import Address
from soni.persistence.postgres.store import PostgresStore
from tests.unit.persistence.database import find_tables, query
from tests.unit.persistence.turns import put, staged, value_of

OLD, NEW = make_key(), make_key()
PLANTED = "heliotrope"
NOTE = reseal_entries([(EntryHead("gone", 0, None, 9.0, "erased"), {"entries": 1})])


def stored_under(url: str, *keys: str) -> PostgresStore:
    return PostgresStore.from_options(StoreOptions(url, cipher=make_cipher(keys)))


async def plant(store: PostgresStore) -> None:
    """Put the word everywhere where people's words go."""
    async with store.conversation("ann"):
        await put(store, {"said": PLANTED})
        await store.ledger.begin("ann/1", "d", "ann")
        await store.ledger.finish("ann/1", "d", "ann", {"out": PLANTED})
    await store.inbox.receive("ann", "m", text=f"my {PLANTED}")
    await store.jobs.enqueue("note", {"text": PLANTED}, key="j", at=9e9, conversation_id="ann")


PLACES = ["checkpoints", "effects", "inbox", "journal", "procrastinate_jobs"]


async def check_planted(store: PostgresStore) -> None:
    assert await value_of(store) == {"said": PLANTED}
    entries = await store.journal.entries("ann")
    assert [each.data for each in entries] == [{"n": {"said": PLANTED}}]
    verify_chain(entries)
    (effect,) = await store.ledger.list_effects("ann")
    assert effect.result == {"out": PLANTED}
    assert [each.text for each in await store.inbox.list_waiting("ann")] == [f"my {PLANTED}"]
    assert [job.payload for job in await store.jobs.list_jobs()] == [{"text": PLANTED}]


async def test_words_are_in_no_row_under_a_key_and_in_many_without(postgres_url: str) -> None:
    async with stored_under(postgres_url, NEW) as store:
        await plant(store)
        assert find_tables(postgres_url, PLANTED) == []
        await check_planted(store)
    other = f"{postgres_url}_open"
    async with stored_under(other) as store:
        await plant(store)
    assert find_tables(other, PLANTED) == PLACES


@pytest.mark.parametrize(
    ("keys", "remedy"),
    [((), "Set settings.persistence.encryption_key"), ((NEW,), "encryption_keys")],
)
async def test_a_missing_or_wrong_key_is_said(
    keys: tuple[str, ...], remedy: str, postgres_url: str
) -> None:
    async with stored_under(postgres_url, OLD) as store:
        await plant(store)
    async with stored_under(postgres_url, *keys) as store:
        for read in (
            value_of(store),
            store.journal.entries("ann"),
            store.inbox.list_waiting("ann"),
            store.ledger.list_effects("ann"),
            store.jobs.list_jobs(),
        ):
            with pytest.raises(StorageError, match=remedy) as refused:
                await read
            assert not any(key in str(refused.value) for key in (OLD, NEW, PLANTED))


@pytest.mark.parametrize("before", [(OLD,), ()])
async def test_all_is_encrypted_anew_with_the_first_key(
    before: tuple[str, ...], postgres_url: str
) -> None:
    async with stored_under(postgres_url, *before) as store:
        await plant(store)
        hashes = [each.hash for each in await store.journal.entries("ann")]
    async with stored_under(postgres_url, NEW, *before) as store:
        assert await store.renew_encryption() == len(PLACES)
        assert await store.renew_encryption() == 0
    assert find_tables(postgres_url, PLANTED) == []
    async with stored_under(postgres_url, NEW) as store:
        await check_planted(store)
        assert [each.hash for each in await store.journal.entries("ann")] == hashes


async def test_long_journals_are_encrypted_anew_in_several_transactions(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("soni.persistence.postgres.renewal.BATCH_SIZE", 3)
    async with stored_under(postgres_url, OLD) as store:
        for name in ("ann", "bob"):
            async with store.conversation(name):
                for turn in range(5):
                    await store.commit(staged(turn, name), TurnEntry(turn, 0.0, {"n": turn}))
    async with stored_under(postgres_url, NEW, OLD) as store:
        assert await store.renew_encryption() == 12
    written = query(postgres_url, "SELECT count(DISTINCT xmin::text) FROM journal")
    assert written == [(4,)]
    async with stored_under(postgres_url, NEW) as store:
        for name in ("ann", "bob"):
            verify_chain(await store.journal.entries(name))


async def test_a_row_that_somebody_changes_is_encrypted_anew_when_it_is_free(
    postgres_url: str,
) -> None:
    async with stored_under(postgres_url, OLD) as store:
        await plant(store)
    address = Address.parse(postgres_url)
    async with stored_under(postgres_url, NEW, OLD) as store:
        with psycopg.connect(address.conninfo) as other:
            other.execute(f"SELECT 1 FROM {address.schema}.inbox FOR UPDATE")
            renewing = asyncio.create_task(store.renew_encryption())
            await asyncio.sleep(0.5)
            assert not renewing.done()
        assert await renewing == len(PLACES)


async def test_turns_go_on_while_all_is_encrypted_anew(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("soni.persistence.postgres.renewal.BATCH_SIZE", 5)

    async def talk(store: PostgresStore, name: str, values: Sequence[int]) -> None:
        for value in values:
            async with store.conversation(name):
                await put(store, value, name)

    names = [f"c{number}" for number in range(6)]
    async with stored_under(postgres_url, OLD) as store:
        await asyncio.gather(*(talk(store, name, range(8)) for name in names))
    async with stored_under(postgres_url, NEW, OLD) as store:
        turns = [talk(store, name, range(8, 16)) for name in names]
        await asyncio.gather(store.renew_encryption(), *turns)
    async with stored_under(postgres_url, NEW) as store:
        for name in names:
            assert await value_of(store, name) == 15
            entries = await store.journal.entries(name)
            assert [each.data["n"] for each in entries] == list(range(16))
            verify_chain(entries)


async def erase_ann(store: PostgresStore) -> Removal:
    async with store.conversation("ann"):
        entry = TurnEntry(1, 0.0, {"n": PLANTED}, user_id="ann")
        await store.commit(staged(PLANTED), entry)
        return await store.erase("ann", NOTE)


async def test_what_was_erased_is_in_no_row_and_the_tables_are_vacuumed(postgres_url: str) -> None:
    async with PostgresStore(postgres_url) as store:
        await store.jobs.enqueue("note", {"n": PLANTED}, key="j", at=9e9, conversation_id="ann")
        assert await erase_ann(store) == Removal(conversations=1, states=1, entries=1, jobs=1)
        assert find_tables(postgres_url, PLANTED) == find_tables(postgres_url, "ann") == []
    vacuumed = query(
        postgres_url,
        "SELECT relname, pg_stat_get_vacuum_count(oid) > 0 FROM pg_class WHERE relkind = 'r' "
        "AND relnamespace = current_schema()::regnamespace AND relname = ANY (%s) ORDER BY 1",
        [
            "journal",
            "inbox",
            "effects",
            "checkpoints",
            "participants",
            "conversations",
            "procrastinate_jobs",
        ],
    )
    assert [done for _, done in vacuumed] == [True] * 7


async def test_a_role_that_may_not_vacuum_erases_and_says_what_is_left(
    postgres: dict[str, str], postgres_url: str
) -> None:
    async with PostgresStore(postgres_url):
        pass
    role, schema = f"guest_{secrets.token_hex(4)}", Address.parse(postgres_url).schema
    query(postgres_url, f"CREATE ROLE {role} LOGIN PASSWORD 'p4ss'")
    query(postgres_url, f"GRANT USAGE ON SCHEMA {schema} TO {role}")
    query(
        postgres_url,
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role}",
    )
    url = f"postgresql://{role}:p4ss@{postgres['address']}?schema={schema}"
    with structlog.testing.capture_logs() as logs:
        async with PostgresStore(url) as store:
            assert (await erase_ann(store)).conversations == 1
    assert find_tables(postgres_url, PLANTED) == []
    (warning,) = [each for each in logs if each["event"] == "tables_not_vacuumed"]
    assert 'permission denied to vacuum "journal"' in warning["reason"]


async def test_who_was_fenced_erases_nothing(postgres_url: str) -> None:
    async with PostgresStore(postgres_url) as store, store.conversation("ann"):
        await put(store, 1)
        query(postgres_url, "UPDATE conversations SET holder = 'another'")
        with pytest.raises(FencedError):
            await store.erase("ann", NOTE)
        assert await value_of(store) == 1
        assert await store.journal.conversations() == ["ann"]


async def test_what_another_process_holds_is_not_pruned(postgres_url: str) -> None:
    async with PostgresStore(postgres_url) as mine, PostgresStore(postgres_url) as other:
        async with other.conversation("ann"):
            await put(other, 1)
            assert await mine.prune(before=5.0) == Removal(entries=1)
            with pytest.raises(BusyError):
                async with mine.conversation("ann", wait=False):
                    raise AssertionError
            await put(other, 2)
        assert await other.prune(before=5.0) == Removal(conversations=1, states=1, entries=1)


async def test_lives_stay_greater_while_many_erase_and_come_again(postgres_url: str) -> None:
    lives: dict[str, list[int]] = {"ann": [], "bob": []}

    async def come_and_go(store: PostgresStore, name: str) -> None:
        for _ in range(10):
            async with store.conversation(name) as lease:
                lives[name].append(lease.life)
                await store.erase(name)

    async with PostgresStore(postgres_url) as one, PostgresStore(postgres_url) as two:
        await asyncio.gather(*(come_and_go(store, name) for store in (one, two) for name in lives))
    for each in lives.values():
        assert each == sorted(set(each))
