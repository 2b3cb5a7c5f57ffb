"""Where journals are read from, and whether they are what was written."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from soni.audit.source import (
    PAGE_SIZE,
    Chain,
    NoJournalError,
    dump_entry,
    find_conversations,
    iter_conversations,
    iter_entries,
    open_journal,
    read_entries,
)
from soni.persistence import open_store
from tests.unit.audit.holding import SHOP, file_of, held, shop, written


async def test_looking_for_a_journal_creates_none(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    with pytest.raises(NoJournalError, match="no conversation has been held"):
        async with open_journal(config):
            pass
    assert not (tmp_path / "shop" / ".soni").exists()


async def test_a_store_in_memory_has_nothing_to_read(tmp_path: Path) -> None:
    yaml = SHOP.replace("settings: {", "settings: {persistence: {backend: memory}, ")
    with pytest.raises(NoJournalError, match=r"settings\.persistence\.backend is `memory`"):
        async with open_journal(shop(tmp_path / "shop", yaml)):
            pass


async def test_the_place_in_the_settings_is_read(tmp_path: Path) -> None:
    file = tmp_path / "elsewhere.db"
    place = f"settings: {{persistence: {{backend: sqlite, url: 'sqlite:///{file}'}}, "
    config = shop(tmp_path / "shop", SHOP.replace("settings: {", place))
    async with open_store("sqlite", str(file)) as store:
        await written(store, "ann", {})
    async with open_journal(config) as journal:
        assert [each.conversation_id async for each in iter_conversations(journal)] == ["ann"]


async def test_pages_are_read_without_a_gap() -> None:
    store = open_store("memory")
    await written(store, "long", *({"n": n} for n in range(2 * PAGE_SIZE + 1)))
    for number in range(2 * PAGE_SIZE):
        await written(store, f"u{number}", {})
    read = [entry.data["n"] async for entry in iter_entries(store.journal, "long")]
    assert read == list(range(2 * PAGE_SIZE + 1))
    assert len([each async for each in iter_conversations(store.journal)]) == 2 * PAGE_SIZE + 1


async def test_a_user_is_found_by_id_or_by_name() -> None:
    store = open_store("memory")
    await written(store, "ann", {"user_id": "ann"})
    await written(store, "c1", {"user_id": "bob"})
    await written(store, "c2", {"user_id": "bob"})
    assert await find_conversations(store.journal, "ann") == ["ann"]
    assert await find_conversations(store.journal, "bob") == ["c1", "c2"]
    assert await find_conversations(store.journal, "zoe") == []


async def test_entries_go_through_a_file_unharmed(tmp_path: Path) -> None:
    store = open_store("memory")
    hostile = {"b": "\x1b[2J\u2028\ud800", "a": [1.5, None, {"ñ": True}]}
    await written(store, "José", hostile, {})
    found = await store.journal.entries("José")
    file = tmp_path / "jose.jsonl"
    file.write_text("\n".join(map(dump_entry, found)) + "\n\n", encoding="ascii")
    assert list(read_entries(file)) == found
    chain = Chain()
    assert all(map(chain.check_entry, read_entries(file)))


@pytest.mark.parametrize("text", ["no json", "[]", '{"seq": 1}', "[" * 100_000])
def test_a_file_of_something_else_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(text)
    with pytest.raises(NoJournalError, match=r"x\.jsonl:1: this is no journal entry"):
        list(read_entries(file))


async def changed(folder: Path, statement: str) -> Chain:
    config = shop(folder)
    await held(config, ("ann", ["buy", "pen", "3"]))
    with closing(sqlite3.connect(file_of(folder))) as file:
        file.execute(statement)
        file.commit()
    chain = Chain()
    async with open_journal(config) as journal:
        read = [entry.seq async for entry in chain.follow_entries(iter_entries(journal, "ann"))]
    assert read == sorted(read)
    return chain


@pytest.mark.parametrize(
    ("statement", "said", "length"),
    [
        ("UPDATE journal SET data = replace(data, 'pen', 'gem') WHERE seq = 2", "entry 2", 3),
        ("UPDATE journal SET at = at + 1 WHERE seq = 3", "entry 3", 3),
        ("DELETE FROM journal WHERE seq = 2", "entry 3", 2),
        ("DELETE FROM journal WHERE seq = 1", "entries 1 to 1 are missing", 2),
        ("UPDATE journal SET data = '{' WHERE seq = 2", "entry 2: it was changed", 1),
        ("UPDATE journal SET data = '{}' WHERE 0", "", 3),
    ],
)
async def test_what_was_changed_is_found(
    statement: str, said: str, length: int, tmp_path: Path
) -> None:
    chain = await changed(tmp_path / "shop", statement)
    assert chain.length == length
    assert said in (chain.broken or "")
    assert bool(said) == (chain.broken is not None)
