"""The store in memory, for tests. Everything is lost when the process ends."""

from typing import Any, Self

from langgraph.checkpoint.memory import InMemorySaver

from soni.core.storage import StagedCheckpoint, StagedTurn, StoreOptions
from soni.persistence.serde import strict_serializer
from soni.persistence.volatile import VolatileStore


class MemoryStore(VolatileStore):
    """Keeps the newest checkpoint of each conversation in memory."""

    def __init__(self) -> None:
        self._saver = InMemorySaver(serde=strict_serializer())
        super().__init__(self._saver)

    @classmethod
    def from_options(cls, options: StoreOptions) -> Self:
        """A store in memory has no address, and one holder."""
        return cls()

    async def save_checkpoints(self, staged: StagedTurn) -> None:
        for part in staged.checkpoints:
            try:
                for task in part.pending:
                    self._saver.put_writes(
                        part.stored_as, task.writes, task.task_id, task.task_path
                    )
                self._saver.put(part.config, part.checkpoint, part.metadata, part.new_versions)
            except BaseException:
                self._discard_checkpoint(part, part.checkpoint, keep=part.base)
                raise
            self._discard_checkpoint(part, part.base, keep=part.checkpoint)

    def _discard_checkpoint(self, part: StagedCheckpoint, old: Any, *, keep: Any) -> None:
        if old is None:
            return
        place = part.config["configurable"]["thread_id"], part.namespace
        self._saver.storage[place[0]][place[1]].pop(old["id"], None)
        self._saver.writes.pop((*place, old["id"]), None)
        kept = keep["channel_versions"] if keep else {}
        for channel, version in old["channel_versions"].items():
            if kept.get(channel) != version:
                self._saver.blobs.pop((*place, channel, version), None)


STORE = MemoryStore.from_options
