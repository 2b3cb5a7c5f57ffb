"""Whether a journal is what was once written, found out while it is read."""

from collections.abc import AsyncIterator

from soni.core.storage import JournalEntry, JournalError
from soni.persistence.journal import verify_chain


class Chain:
    """Follows the hashes of one conversation's entries. It goes on behind a break."""

    def __init__(self) -> None:
        self._last: JournalEntry | None = None
        self.length = 0
        self.broken: str | None = None
        """What is wrong with the first entry that does not fit, or cannot be read."""

    def add(self, entry: JournalEntry) -> bool:
        """Take the next entry; whether it is the one that was written."""
        before, self._last = self._last, entry
        self.length += 1
        try:
            verify_chain([before, entry] if before else [entry])
            if before is None and entry.seq != 1:
                raise JournalError(
                    f"Journal of conversation '{entry.conversation_id}': entries 1 to "
                    f"{entry.seq - 1} are missing. Compare it with a backup."
                )
        except JournalError as error:
            self.broken = self.broken or str(error)
            return False
        return True

    async def follow(self, entries: AsyncIterator[JournalEntry]) -> AsyncIterator[JournalEntry]:
        """The same entries; one that is no JSON any more ends them, and is told as a break."""
        try:
            async for entry in entries:
                self.add(entry)
                yield entry
        except JournalError as error:
            self.broken = self.broken or str(error)
