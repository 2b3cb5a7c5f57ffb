"""What is stored under a key cannot be read without it, and is never taken for something else."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from soni import SoniConfig
from soni.core.errors import ConfigError
from soni.core.storage import TurnEntry
from soni.core.storage_errors import StorageError
from soni.persistence import store_for
from soni.persistence.encryption import Seal, make_cipher, make_key
from soni.persistence.journal import verify_chain
from soni.persistence.sqlite import SqliteStore
from tests.unit.persistence.turns import put, staged, value_of

OLD, NEW = make_key(), make_key()
PLANTED = "heliotrope"


def stored_under(path: Path, *keys: str) -> SqliteStore:
    return SqliteStore(path, cipher=make_cipher(keys))


def is_readable(folder: Path, word: str = PLANTED) -> bool:
    """Whether the word is in any byte of any file, the log included."""
    return any(word.encode() in file.read_bytes() for file in folder.rglob("*") if file.is_file())


async def plant(store: SqliteStore) -> None:
    """Put the word everywhere where people's words go."""
    async with store.conversation("ann"):
        await put(store, {"said": PLANTED})
        await store.ledger.begin("ann/1", "d", "ann")
        await store.ledger.finish("ann/1", "d", "ann", {"out": PLANTED})
    await store.inbox.receive("ann", "m", text=f"my {PLANTED}")
    await store.jobs.enqueue("call", {"say": PLANTED}, key="j", at=1.0)


async def check_planted(store: SqliteStore) -> None:
    assert await value_of(store) == {"said": PLANTED}
    entries = await store.journal.entries("ann")
    assert [each.data for each in entries] == [{"n": {"said": PLANTED}}]
    verify_chain(entries)
    async with store.conversation("ann"):
        known = await store.ledger.begin("ann/1", "d", "ann")
    assert known is not None and known.result == {"out": PLANTED}
    assert [each.text for each in await store.inbox.list_waiting("ann")] == [f"my {PLANTED}"]
    assert [each.payload for each in await store.jobs.list_jobs()] == [{"say": PLANTED}]


async def test_words_are_in_no_file_while_the_store_is_open_and_after(tmp_path: Path) -> None:
    async with stored_under(tmp_path / "s.db", NEW) as store:
        await plant(store)
        assert not is_readable(tmp_path)
        await check_planted(store)
    assert not is_readable(tmp_path)
    async with stored_under(tmp_path / "s.db", NEW) as store:
        await check_planted(store)


async def test_without_a_key_they_are_there_so_the_search_can_find_them(tmp_path: Path) -> None:
    async with stored_under(tmp_path / "s.db") as store:
        await plant(store)
    assert is_readable(tmp_path)


@pytest.mark.parametrize(
    ("keys", "remedy"),
    [((), "Set settings.persistence.encryption_key"), ((NEW,), "encryption_keys")],
)
async def test_a_missing_or_wrong_key_is_said(
    keys: tuple[str, ...], remedy: str, tmp_path: Path
) -> None:
    async with stored_under(tmp_path / "s.db", OLD) as store:
        await plant(store)
    async with stored_under(tmp_path / "s.db", *keys) as store:
        for read in (
            value_of(store),
            store.journal.entries("ann"),
            store.inbox.list_waiting("ann"),
        ):
            with pytest.raises(StorageError, match=remedy) as refused:
                await read
            assert not any(key in str(refused.value) for key in (OLD, NEW, PLANTED))


async def test_an_old_key_still_reads_and_the_first_one_writes(tmp_path: Path) -> None:
    async with stored_under(tmp_path / "s.db", OLD) as store:
        await plant(store)
    async with stored_under(tmp_path / "s.db", NEW, OLD) as store:
        await check_planted(store)
        await store.inbox.receive("bob", "m", text="new words")
    async with stored_under(tmp_path / "s.db", NEW) as store:
        assert [each.text for each in await store.inbox.list_waiting("bob")] == ["new words"]


@pytest.mark.parametrize("before", [(OLD,), ()])
async def test_all_is_encrypted_anew_with_the_first_key(
    before: tuple[str, ...], tmp_path: Path
) -> None:
    async with stored_under(tmp_path / "s.db", *before) as store:
        await plant(store)
        hashes = [each.hash for each in await store.journal.entries("ann")]
    async with stored_under(tmp_path / "s.db", NEW, *before) as store:
        assert await store.renew_encryption() == 5
        assert await store.renew_encryption() == 0
        assert not is_readable(tmp_path)
    async with stored_under(tmp_path / "s.db", NEW) as store:
        await check_planted(store)
        assert [each.hash for each in await store.journal.entries("ann")] == hashes


async def test_long_journals_are_encrypted_anew_in_several_transactions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("soni.persistence.sqlite.renewal.BATCH_SIZE", 3)
    async with stored_under(tmp_path / "s.db", OLD) as store:
        for name in ("ann", "bob"):
            async with store.conversation(name):
                for turn in range(5):
                    await store.commit(staged(turn, name), TurnEntry(turn, 0.0, {"n": turn}))
    async with stored_under(tmp_path / "s.db", NEW, OLD) as store:
        assert await store.renew_encryption() == 12
    async with stored_under(tmp_path / "s.db", NEW) as store:
        for name in ("ann", "bob"):
            verify_chain(await store.journal.entries(name))


async def test_changed_bytes_are_refused(tmp_path: Path) -> None:
    async with stored_under(tmp_path / "s.db", NEW) as store:
        await plant(store)
    with closing(sqlite3.connect(tmp_path / "s.db")) as connection:
        (text,) = connection.execute("SELECT text FROM inbox").fetchone()
        connection.execute("UPDATE inbox SET text = ?", (text[:-1] + bytes([text[-1] ^ 1]),))
        connection.commit()
    async with stored_under(tmp_path / "s.db", NEW) as store:
        with pytest.raises(StorageError, match="was changed"):
            await store.inbox.list_waiting("ann")


def test_the_same_words_never_look_the_same() -> None:
    seal = Seal(make_cipher([NEW]))
    assert seal.close("yes") != seal.close("yes")
    assert seal.open(seal.close("\ud83d and é")) == "\ud83d and é"


@pytest.mark.parametrize("wrong", ["secret", "", "Zm9v", "é" * 44])
def test_a_key_of_another_form_is_refused_and_not_shown(wrong: str) -> None:
    with pytest.raises(StorageError, match="soni keys new encryption") as refused:
        make_cipher([wrong])
    assert not wrong or wrong not in str(refused.value)


def test_without_the_library_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)
    with pytest.raises(StorageError, match=r"pip install 'soni\[encryption\]'"):
        make_cipher([NEW])


def make_config(**persistence: Any) -> SoniConfig:
    flows = {"hi": {"trigger": {"examples": ["hi"]}, "steps": [{"say": "Hello"}]}}
    return SoniConfig.model_validate({"settings": {"persistence": persistence}, "flows": flows})


async def test_the_keys_of_the_settings_reach_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = {"backend": "sqlite", "url": str(tmp_path / "s.db")}
    monkeypatch.setenv("SONI_SETTINGS__PERSISTENCE__ENCRYPTION_KEY", OLD)
    async with store_for(make_config(**place)) as store:
        await store.inbox.receive("ann", "m", text=PLANTED)
    assert not is_readable(tmp_path)
    monkeypatch.setenv("SONI_SETTINGS__PERSISTENCE__ENCRYPTION_KEY", NEW)
    async with store_for(make_config(**place, encryption_keys=[OLD])) as store:
        assert [each.text for each in await store.inbox.list_waiting("ann")] == [PLANTED]


def test_keys_are_in_nothing_that_is_shown_or_compared() -> None:
    from soni.config.version import compute_fingerprint

    keyed = make_config(encryption_key=OLD, encryption_keys=[NEW])
    for shown in (repr(keyed), str(keyed.model_dump()), keyed.model_dump_json()):
        assert OLD not in shown and NEW not in shown
    assert compute_fingerprint(keyed) == compute_fingerprint(make_config())
    assert keyed.settings == make_config(encryption_key=OLD, encryption_keys=[NEW]).settings
    assert keyed.settings != make_config(encryption_key=NEW).settings


def test_a_problem_beside_a_key_does_not_show_the_key(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text(
        f"settings: {{persistence: {{encryption_key: {NEW}, colour: red}}}}\nflows: {{}}\n"
    )
    with pytest.raises(ConfigError) as refused:
        SoniConfig.load(tmp_path)
    assert "colour" in str(refused.value) and NEW not in str(refused.value)
