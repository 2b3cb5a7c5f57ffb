"""Where journals are read from: an assistant's store, or a file of entries."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from soni.config.soni_config import SoniConfig
from soni.core.errors import SoniError
from soni.core.storage import Journal, JournalEntry, Overview, Store
from soni.core.storage_errors import JournalError
from soni.persistence import place_of, store_for
from soni.persistence.journal import verify_chain

PAGE_SIZE: Final = 200
"""Entries, or conversations, in memory at once."""


class NoJournalError(SoniError):
    """There is nothing to read; the message says where it was looked for."""


def add_default_store(config: SoniConfig) -> SoniConfig:
    """The assistant with the store that `soni chat` uses: SQLite, if its author named none."""
    place = config.settings.persistence
    if "backend" in place.model_fields_set:
        return config
    chosen = place.model_copy(update={"backend": "sqlite"})
    settings = config.settings.model_copy(update={"persistence": chosen})
    return config.model_copy(update={"settings": settings})


@asynccontextmanager
async def open_journal(config: SoniConfig) -> AsyncIterator[Journal]:
    """The journal of an assistant. Looking for one never creates it."""
    async with open_kept_store(config) as store:
        yield store.journal


@asynccontextmanager
async def open_kept_store(config: SoniConfig) -> AsyncIterator[Store]:
    """The store of an assistant. Looking for one never creates it."""
    config = add_default_store(config)
    backend, place = config.settings.persistence.backend, place_of(config)
    if backend == "memory":
        raise NoJournalError(
            "settings.persistence.backend is `memory`: conversations are gone with the process "
            "that held them. Name a store that lasts, such as `sqlite`."
        )
    if backend == "sqlite":
        _check_store_file(Path((place or "").removeprefix("sqlite:///")))
    async with store_for(config) as store:
        yield store


def _check_store_file(file: Path) -> None:
    if not file.is_file():
        raise NoJournalError(
            f"{file} is not there: no conversation has been held with this assistant yet, or "
            "settings.persistence.url names another place."
        )


async def iter_conversations(journal: Journal) -> AsyncIterator[Overview]:
    """Every conversation, a page at a time."""
    after: str | None = None
    while page := await journal.overview(after=after, limit=PAGE_SIZE):
        for each in page:
            yield each
        after = page[-1].conversation_id


async def iter_entries(journal: Journal, conversation_id: str) -> AsyncIterator[JournalEntry]:
    """Every entry of a conversation, a page at a time; those before a broken one come first."""
    after, size = 0, PAGE_SIZE
    while True:
        try:
            page = await journal.entries(conversation_id, after=after, limit=size)
        except JournalError:
            if size == 1:
                raise
            size = 1
            continue
        for entry in page:
            yield entry
        if len(page) < size:
            return
        after = page[-1].seq


async def find_conversations(journal: Journal, user_id: str) -> list[str]:
    """The conversation with the user's id, or else all that name the user."""
    if await journal.entries(user_id, limit=1):
        return [user_id]
    found = []
    async for each in iter_conversations(journal):
        try:
            first = await journal.entries(each.conversation_id, limit=1)
        except JournalError:
            continue  # whose it is cannot be read; it can still be asked for by its own id
        if first and first[0].data.get("user_id") == user_id:
            found.append(each.conversation_id)
    return found


def dump_entry(entry: JournalEntry) -> str:
    """An entry as one line of JSON, complete, so that its hash can be checked."""
    return json.dumps({name: getattr(entry, name) for name in _FIELDS})


def read_entries(file: Path) -> Iterator[JournalEntry]:
    """The entries of a file of such lines."""
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _parse_entry(line, f"{file}:{number}")
    except (OSError, UnicodeDecodeError) as error:
        raise NoJournalError(f"{file} cannot be read: {error}") from None


_FIELDS: Final = tuple(JournalEntry.__dataclass_fields__)
_TYPES: Final[dict[str, Any]] = {
    "conversation_id": str, "seq": int, "turn": int, "message_id": (str, type(None)),
    "at": (int, float), "status": str, "data": dict, "prev_hash": str, "hash": str,
}  # fmt: skip


def _parse_entry(line: str, where: str) -> JournalEntry:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        fields = None
    kinds = _TYPES.items()
    if not isinstance(fields, dict) or not all(isinstance(fields.get(n), k) for n, k in kinds):
        raise NoJournalError(
            f"{where}: this is no journal entry. Write the file with `soni trace DIR USER --json`."
        )
    return JournalEntry(**{name: fields[name] for name in _FIELDS})


def keeps_all(config: SoniConfig) -> bool:
    """Whether an assistant's journals must begin with their first entry."""
    return config.settings.persistence.retention is None


class Chain:
    """Verifies the hashes of one conversation's entries. It continues after a break.

    A journal that `is_pruned` may begin later than with its first entry.
    """

    def __init__(self, *, is_pruned: bool = False) -> None:
        self._is_pruned = is_pruned
        self._last: JournalEntry | None = None
        self.first = 1
        """The number of the first entry; those before it are kept no longer."""

        self.length = 0
        self.broken: str | None = None
        """What is wrong with the first entry that does not fit, or cannot be read."""

    def check_entry(self, entry: JournalEntry) -> bool:
        """Check the next entry; return whether it is unchanged."""
        before, self._last = self._last, entry
        self.length += 1
        try:
            verify_chain([before, entry] if before else [entry])
            if before is None and self._is_pruned:
                self.first = entry.seq
            elif before is None and entry.seq != 1:
                raise JournalError(
                    f"Journal of conversation '{entry.conversation_id}': entries 1 to "
                    f"{entry.seq - 1} are missing. Compare it with a backup."
                )
        except JournalError as error:
            self.broken = self.broken or str(error)
            return False
        return True

    async def follow_entries(
        self, entries: AsyncIterator[JournalEntry]
    ) -> AsyncIterator[JournalEntry]:
        """Yield the entries while checking them. Invalid JSON ends them and counts as a break."""
        try:
            async for entry in entries:
                self.check_entry(entry)
                yield entry
        except JournalError as error:
            self.broken = self.broken or str(error)
