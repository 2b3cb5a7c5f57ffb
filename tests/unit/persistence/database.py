"""A look at a schema of the test's server, past the store."""

from typing import Any
from urllib.parse import urlsplit

import psycopg

from soni.persistence.postgres.server import Address


def query(url: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """The rows of a statement in the schema that the address names."""
    address = Address.parse(url)
    with psycopg.connect(address.conninfo, application_name="test", autocommit=True) as connection:
        connection.execute(f"SET search_path = {address.schema}")
        cursor = connection.execute(statement, values or None)
        return cursor.fetchall() if cursor.description else []


def list_tables(url: str) -> list[str]:
    """The tables of the schema."""
    rows = query(url, "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    return [name for (name,) in rows]


def find_tables(url: str, word: str) -> list[str]:
    """The tables in which the word is in any row, as text or as bytes."""
    words = (word, word.encode().hex())
    found = {
        table
        for table in list_tables(url)
        for (row,) in query(url, f"SELECT each::text FROM {table} AS each")
        if any(each in row for each in words)
    }
    return sorted(found)


def name_connections(url: str, name: str) -> str:
    """The address, with a name by which its connections are found."""
    assert urlsplit(url).query
    return f"{url}&application_name={name}"


def end_connections(url: str, name: str) -> int:
    """End all connections of that name, as an administrator would; how many there were."""
    found = query(
        url,
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = %s",
        name,
    )
    return len(found)
