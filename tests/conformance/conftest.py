"""Every store, and a conversation on it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from soni.core.storage import Store
from soni.persistence import open_store
from soni.persistence.volatile import ForeignStore
from tests.conformance.talk import FOREIGN, OWN, Talk


@pytest.fixture(params=[*OWN, *FOREIGN])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    path = str(tmp_path / "store.db")
    if request.param == "foreign-memory":
        yield ForeignStore(InMemorySaver())
    elif request.param == "foreign-sqlite":
        async with AsyncSqliteSaver.from_conn_string(path) as saver:
            yield ForeignStore(saver)
    else:
        async with open_store(request.param, path) as opened:
            yield opened


@pytest.fixture
def talk(store: Store) -> Talk:
    return Talk(store)
