"""Stores: what outlives a turn. One module per kind, its name is the `backend` of the settings."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from soni.core.discovery import find_offers
from soni.core.storage import Store, StoreOptions
from soni.core.storage_errors import StorageError

if TYPE_CHECKING:
    from soni.config.soni_config import SoniConfig

GROUP = "soni.stores"
"""The entry-point group under which other packages offer store modules."""

Factory = Callable[[StoreOptions], Store]


def open_store(backend: str, url: str | None = None, **options: Any) -> Store:
    """The store of that kind at that address. Use it with `async with`, or `open` it.

    `options` are the further fields of `StoreOptions`.
    """
    # Only the module in question is loaded: another store may need a library that is not there.
    if backend in {found.name for found in pkgutil.iter_modules(__path__)}:
        module = import_module(f"{__name__}.{backend}")
        factory = getattr(module, "STORE", None)
    else:
        factory = _discover_factories().get(backend)
    if factory is None:
        raise StorageError(
            f"settings.persistence.backend: there is no store '{backend}'. "
            f"Available: {', '.join(list_store_kinds())}."
        )
    return cast(Factory, factory)(StoreOptions(url, **options))


def store_for(config: SoniConfig) -> Store:
    """The store that an assistant's settings name."""
    settings = config.settings.persistence
    keys = [key.get_secret_value() for key in settings.list_keys()]
    cipher = None
    if keys:
        # The library is an extra, so it is not even looked for without a key.
        from soni.persistence.encryption import make_cipher

        cipher = make_cipher(keys)
    return open_store(
        settings.backend, place_of(config), lease_seconds=settings.lease_seconds, cipher=cipher
    )


def place_of(config: SoniConfig) -> str | None:
    """Where an assistant's conversations are kept; None: its backend needs no place."""
    settings = config.settings.persistence
    if settings.url is None and settings.backend == "sqlite":
        return str((config.folder or Path()) / ".soni" / "conversations.db")
    return settings.url


def list_store_kinds() -> list[str]:
    """The names of all stores there are."""
    return sorted(_discover_factories())


def _discover_factories() -> dict[str, Factory]:
    return dict(find_offers(__name__, "STORE", GROUP, callable, "a function of StoreOptions"))


async def open_with_keys(store: Store) -> None:
    """Open a store to write to it: only with the keys that what is there was encrypted with."""
    await store.open()
    try:
        await store.check_keys()
    except StorageError:
        await store.close()
        raise
