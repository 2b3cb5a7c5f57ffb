"""The store for one machine: a single SQLite file, shared by as many processes as like."""

from soni.persistence.sqlite.store import SqliteStore

STORE = SqliteStore.at

__all__ = ["STORE", "SqliteStore"]
