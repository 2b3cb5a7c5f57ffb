"""The store for one machine: a single SQLite file, shared by as many processes as like."""

from soni.persistence.sqlite.store import SqliteStore

STORE = SqliteStore.from_options

__all__ = ["STORE", "SqliteStore"]
