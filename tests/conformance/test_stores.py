"""Every store does what every store must do."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from soni.core.storage import Store
from soni.persistence import open_store
from soni.persistence.volatile import ForeignStore
from soni.testing.store_conformance import ForeignConformance, StoreConformance, Talk


class TestMemory(StoreConformance):
    @pytest.fixture
    async def store(self) -> AsyncIterator[Store]:
        async with open_store("memory") as opened:
            yield opened


class TestSqlite(StoreConformance):
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Store]:
        async with open_store("sqlite", str(tmp_path / "store.db")) as opened:
            yield opened


class TestPostgres(StoreConformance):
    @pytest.fixture
    async def store(self, postgres_url: str) -> AsyncIterator[Store]:
        async with open_store("postgres", postgres_url) as opened:
            yield opened


class TestForeignMemory(ForeignConformance):
    @pytest.fixture
    def store(self) -> Store:
        return ForeignStore(InMemorySaver())


class TestForeignSqlite(ForeignConformance):
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Store]:
        async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "store.db")) as saver:
            yield ForeignStore(saver)

    async def test_a_foreign_saver_is_never_pruned_and_keeps_its_history(
        self, talk: Talk, store: Store
    ) -> None:
        for number in range(3):
            await talk.turn("ann", f"message {number}")
        place = {"configurable": {"thread_id": "ann"}}
        history = [each async for each in store.checkpointer.alist(place)]
        parents = [each.parent_config for each in history]
        assert parents == [history[1].config, history[2].config, None]


async def test_a_conversation_goes_on_with_langgraphs_own_saver_for_postgres(
    postgres: dict[str, str],
) -> None:
    async with AsyncPostgresSaver.from_conn_string(postgres["url"]) as saver:
        await saver.setup()
        talk = Talk(ForeignStore(saver))
        await talk.turn("ann", "hi")
        assert (await talk.turn("ann", "Ann"))["answers"] == ["Ann"]
        await saver.adelete_thread("ann")
