"""What every store must do, as tests: for those who write a store of their own.

    class TestMyStore(StoreConformance):
        @pytest_asyncio.fixture
        async def store(self):
            async with MyStore() as opened:
                yield opened

They need pytest and pytest-asyncio. Nothing else of Soni imports this package.
"""

import pytest

from soni.core.storage import Store
from soni.testing.store_conformance.inbox import InboxConformance
from soni.testing.store_conformance.jobs import JobConformance
from soni.testing.store_conformance.journal import JournalConformance
from soni.testing.store_conformance.ledger import LedgerConformance
from soni.testing.store_conformance.locks import LockConformance
from soni.testing.store_conformance.removal import RemovalConformance
from soni.testing.store_conformance.services import ServiceConformance
from soni.testing.store_conformance.talk import Talk
from soni.testing.store_conformance.turns import CheckpointConformance, TurnConformance

__all__ = ["CheckpointConformance", "ForeignConformance", "StoreConformance", "Talk"]


class ForeignConformance(
    TurnConformance,
    InboxConformance,
    JobConformance,
    JournalConformance,
    LedgerConformance,
    LockConformance,
    RemovalConformance,
    ServiceConformance,
):
    """What holds even where checkpoints go to a saver that is not Soni's. Give it a `store`."""

    @pytest.fixture
    def talk(self, store: Store) -> Talk:
        """Turns on the store."""
        return Talk(store)


class StoreConformance(ForeignConformance, CheckpointConformance):
    """Everything that a store has to do. Give it a fixture `store`: an open and empty one."""
