"""Checks of the store: its place, its tables, its keys and its disk."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from soni.cli.doctor.finding import Finding, accept, refuse, warn
from soni.cli.text import format_plural
from soni.config.soni_config import SoniConfig
from soni.core.storage_errors import StorageError
from soni.persistence import place_of, store_for

_GIGABYTE: Final = 10**9
_LITTLE, _TOO_LITTLE = 1.0, 0.1
"""Gigabytes."""


def check_encryption(config: SoniConfig) -> Iterator[Finding]:
    """Whether the keys can encrypt. They are not shown."""
    keys = config.settings.persistence.list_keys()
    if not keys:
        yield accept("encryption", "no key: what is stored can be read by whoever has the store")
        return
    from soni.persistence.encryption import make_cipher

    cipher = make_cipher([key.get_secret_value() for key in keys])
    assert cipher is not None
    cipher.decrypt(cipher.encrypt(b"soni"))
    yield accept("encryption", f"{format_plural(len(keys), 'key')}, valid")


def check_store(config: SoniConfig) -> Iterator[Finding]:
    """Whether the store is there and answers. Its tables are not changed."""
    backend = config.settings.persistence.backend
    if backend == "memory":
        yield warn(
            "store",
            "memory: conversations are gone with the process (`soni chat` keeps its own in SQLite)",
            "Set settings.persistence.backend to sqlite, or to postgres for several machines.",
        )
    elif backend == "sqlite":
        yield _check_file(_find_file(config), config)
    elif backend == "postgres":
        yield asyncio.run(_check_server(config))
    else:
        asyncio.run(_ask_store(config))
        yield accept("store", f"{backend}: it opens and answers")


def check_disk(config: SoniConfig) -> Iterator[Finding]:
    """Whether there is room for the store."""
    if config.settings.persistence.backend != "sqlite":
        return
    folder = _find_folder(_find_file(config))
    free = shutil.disk_usage(folder).free / _GIGABYTE
    message = f"{free:.1f} GB free in {folder}"
    remedy = "Make room, or name another place in settings.persistence.url."
    if free < _TOO_LITTLE:
        yield refuse("disk", message, remedy)
    elif free < _LITTLE:
        yield warn("disk", message, remedy)
    else:
        yield accept("disk", message)


def _find_file(config: SoniConfig) -> Path:
    return Path((place_of(config) or "").removeprefix("sqlite:///"))


def _find_folder(file: Path) -> Path:
    """The nearest folder that is there: the others will be made."""
    return next(folder for folder in file.absolute().parents if folder.is_dir())


def _check_file(file: Path, config: SoniConfig) -> Finding:
    folder = _find_folder(file)
    if not os.access(folder, os.W_OK | os.X_OK):
        return refuse("store", f"sqlite: {folder} is not writable", "Give write access to it.")
    if not file.exists():
        return accept("store", f"sqlite: {file} is made with the first conversation")
    if not os.access(file, os.R_OK | os.W_OK):
        return refuse("store", f"sqlite: {file} is not writable", "Give write access to it.")
    found, known = _read_file_version(file)
    if 0 < found < known:
        return _warn_of_older_tables(f"sqlite: {file}", found, known)
    # Others open a file of this version unchanged; a newer or damaged one they refuse in words.
    asyncio.run(_ask_store(config))
    return accept("store", f"sqlite: {file} opens and answers (format {found})")


def _read_file_version(file: Path) -> tuple[int, int]:
    from soni.persistence.sqlite.schema import SCHEMA_VERSION, read_version

    # Read-only: opening it as a store would bring the tables up to date.
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)
    try:
        return read_version(connection), SCHEMA_VERSION
    except sqlite3.DatabaseError:
        return SCHEMA_VERSION, SCHEMA_VERSION  # the store says what is wrong with it
    finally:
        connection.close()


async def _check_server(config: SoniConfig) -> Finding:
    try:
        from soni.persistence.postgres.schema import SCHEMA_VERSION, read_version
        from soni.persistence.postgres.server import Address, PostgresServer
    except ModuleNotFoundError as missing:
        text = f"postgres: the library {missing.name} is not installed"
        return refuse("store", text, "pip install 'soni[postgres]'")
    url = place_of(config)
    if not url:
        raise StorageError(
            "settings.persistence.url: the postgres store needs an address. Write "
            "`postgresql://user:password@host:5432/database`."
        )
    address = Address.parse(url)
    server = PostgresServer(address, stall_seconds=config.settings.persistence.lease_seconds)
    connection = await server.connect()
    try:
        found = await read_version(connection, address.schema)
        number = connection.info.server_version // 10000
    finally:
        await connection.close()
    place = f"postgres: {address.place}, PostgreSQL {number}"
    if found == 0:
        return accept("store", f"{place}, answers; its tables are made at the first start")
    if found < SCHEMA_VERSION:
        return _warn_of_older_tables(place, found, SCHEMA_VERSION)
    if found > SCHEMA_VERSION:
        text = f"{place}: written by a newer Soni (format {found}, this one knows {SCHEMA_VERSION})"
        return refuse("store", text, "Upgrade Soni, or name another schema with `?schema=`.")
    await _ask_store(config)
    return accept("store", f"{place}, answers (format {found})")


def _warn_of_older_tables(place: str, found: int, known: int) -> Finding:
    text = f"{place}: tables of an older Soni (format {found}; this one writes {known})"
    return warn("store", text, "Make a backup: the next start brings them up to date.")


async def _ask_store(config: SoniConfig) -> None:
    async with store_for(config) as store:
        await store.journal.overview(limit=1)
        await store.check_keys()
