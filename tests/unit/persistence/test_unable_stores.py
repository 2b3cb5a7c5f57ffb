"""A store that was written before there was a method says so, and does not pretend."""

import pytest

from soni.core.storage import Store
from soni.core.storage_errors import StorageError


class OlderStore(Store):
    """Of another package."""


async def test_a_store_that_cannot_erase_says_so() -> None:
    store = OlderStore()
    for work in (store.erase("ann"), store.prune(before=0.0), store.renew_encryption()):
        with pytest.raises(StorageError, match="OlderStore cannot do that, so nothing was changed"):
            await work
