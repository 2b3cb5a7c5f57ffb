"""A store around a LangGraph saver that the caller brought along.

Its checkpoints are never pruned: they belong to the caller. The journal, the locks and the
ledger are in memory, so they know nothing of other processes, nor of a time before this one.
"""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from soni.core.storage import StagedTurn
from soni.persistence.volatile import VolatileStore


class ForeignStore(VolatileStore):
    """Hands a successful turn's checkpoint to the caller's saver."""

    def __init__(self, saver: BaseCheckpointSaver[Any]) -> None:
        super().__init__(saver)

    async def save(self, staged: StagedTurn) -> None:
        for part in staged.checkpoints:
            # The checkpoint goes last: until it is there, nobody looks at its writes.
            for task in part.pending:
                await self.checkpointer.aput_writes(
                    part.stored_as, task.writes, task.task_id, task.task_path
                )
            await self.checkpointer.aput(
                part.config, part.checkpoint, part.metadata, part.new_versions
            )
