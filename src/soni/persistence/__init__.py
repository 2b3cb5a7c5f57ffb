"""Stores: what outlives a turn. One module per kind, its name is the `backend` of the settings."""

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import cast

from soni.core.discovery import offers_of
from soni.core.storage import StorageError, Store

GROUP = "soni.stores"
"""The entry-point group under which other packages offer store modules."""

Factory = Callable[[str | None], Store]


def open_store(backend: str, url: str | None = None) -> Store:
    """The store of that kind at that address. Use it with `async with`, or `open` it."""
    # Only the module in question is loaded: another store may need a library that is not there.
    if backend in {found.name for found in pkgutil.iter_modules(__path__)}:
        module = import_module(f"{__name__}.{backend}")
        factory = getattr(module, "STORE", None)
    else:
        factory = _factories().get(backend)
    if factory is None:
        raise StorageError(
            f"settings.persistence.backend: there is no store '{backend}'. "
            f"Available: {', '.join(kinds())}."
        )
    return cast(Factory, factory)(url)


def kinds() -> list[str]:
    """The names of all stores there are."""
    return sorted(_factories())


def _factories() -> dict[str, Factory]:
    return dict(offers_of(__name__, "STORE", GROUP, callable, "a function of a URL"))
