"""The store for many machines: a schema of a PostgreSQL database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from soni.core.storage_errors import StorageError

if TYPE_CHECKING:
    from soni.core.storage import StoreOptions
    from soni.persistence.postgres.store import PostgresStore

__all__ = ["STORE"]


def make_store(options: StoreOptions) -> PostgresStore:
    """The store at an address. Its driver is an extra, and loaded only here."""
    try:
        from soni.persistence.postgres.store import PostgresStore
    except ImportError as error:
        raise StorageError(
            f"settings.persistence.backend: the postgres store needs a driver ({error}). Install "
            'it with `pip install "soni[postgres]"`, or choose the backend `sqlite`.'
        ) from error
    return PostgresStore.from_options(options)


STORE = make_store
