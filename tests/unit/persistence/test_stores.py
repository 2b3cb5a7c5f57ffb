"""How a store is chosen by its name."""

from pathlib import Path

import pytest

from soni.core.storage_errors import StorageError
from soni.persistence import list_store_kinds, open_store
from soni.persistence.memory import MemoryStore
from soni.persistence.sqlite import SqliteStore


def test_these_stores_exist() -> None:
    assert list_store_kinds() == ["memory", "postgres", "sqlite"]


def test_a_store_is_opened_by_the_name_of_its_module(tmp_path: Path) -> None:
    assert isinstance(open_store("memory"), MemoryStore)
    assert isinstance(open_store("sqlite", str(tmp_path / "s.db")), SqliteStore)


@pytest.mark.parametrize("name", ["redis", "staged", "journal", "", "os", "sqlite.file"])
def test_an_unknown_store_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(StorageError) as refused:
        open_store(name)
    assert f"there is no store '{name}'. Available: memory, postgres, sqlite." in str(refused.value)


def test_a_sqlite_store_without_a_file_says_what_to_write() -> None:
    with pytest.raises(StorageError, match=r"settings\.persistence\.url"):
        open_store("sqlite")


async def test_a_sqlite_store_takes_a_path_or_an_address(tmp_path: Path) -> None:
    async with open_store("sqlite", f"sqlite:///{tmp_path}/a.db"):
        assert (tmp_path / "a.db").exists()


def test_another_package_can_offer_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shelf.py").write_text(
        "from soni.persistence.memory import MemoryStore\n"
        "def STORE(options):\n"
        "    store = MemoryStore()\n"
        "    store.url = options.url\n"
        "    return store\n"
    )
    about = tmp_path / "soni_shelf-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: soni-shelf\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[soni.stores]\nshelf = shelf\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert "shelf" in list_store_kinds()
    assert vars(open_store("shelf", "top"))["url"] == "top"
