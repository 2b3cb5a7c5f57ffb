"""A saver that keeps a turn's writes back until the turn is known to have succeeded.

LangGraph saves on failure and on cancellation too, and a graph that is started again would go
on from there with the old input. So the graph writes to memory, and the runtime decides.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import replace
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
    writes_sort_key,
)

from soni.core.storage import StagedCheckpoint, StagedTurn, StagedWrites
from soni.core.storage_errors import StorageError
from soni.persistence.state_format import has_today_format, load_checkpoint


class StagedSaver(BaseCheckpointSaver[Any]):
    """Wraps any saver. One graph compiled with it serves many conversations at once.

    A turn is `begin_turn`, a run of the graph, then `take_turn` and `Store.commit`, or `drop_turn`.
    The thread id is the conversation id.
    """

    def __init__(self, inner: BaseCheckpointSaver[Any]) -> None:
        super().__init__(serde=inner.serde)
        self._inner = inner
        self._turns: dict[str, _RunningTurn] = {}

    async def begin_turn(self, thread_id: str) -> CheckpointTuple | None:
        """Load the newest checkpoint, once, and keep back what is written from now on."""
        loaded = await load_checkpoint(self._inner, thread_id)
        turn = self._turns[thread_id] = _RunningTurn(thread_id, loaded)
        return turn.find_checkpoint("", None)

    def take_turn(self, thread_id: str) -> StagedTurn | None:
        """End the turn and hand over what it has to store; None if the graph saved nothing."""
        turn = self._turns.pop(thread_id, None)
        return turn.get_staged() if turn else None

    def drop_turn(self, thread_id: str) -> None:
        """End the turn as if it had never been."""
        self._turns.pop(thread_id, None)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint of the running turn, or else the stored one."""
        place = config["configurable"]
        turn = self._turns.get(str(place["thread_id"]))
        namespace, checkpoint_id = place.get("checkpoint_ns", ""), get_checkpoint_id(config)
        if turn is not None:
            found = turn.find_checkpoint(namespace, checkpoint_id)
            if found is not None or (namespace == "" and checkpoint_id is None):
                return found
        return await self._inner.aget_tuple(config)

    def alist(self, *args: Any, **options: Any) -> AsyncIterator[CheckpointTuple]:
        """The stored checkpoints, without the running turn."""
        return self._inner.alist(*args, **options)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep the checkpoint until the turn is taken or dropped."""
        staged = self._get_turn(config).put_checkpoint(config, checkpoint, metadata, new_versions)
        stored_as: RunnableConfig = staged.stored_as
        return stored_as

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Keep the writes until the turn is taken or dropped."""
        place = config["configurable"]
        key = place.get("checkpoint_ns", ""), place["checkpoint_id"]
        self._get_turn(config).add_writes(key, StagedWrites(task_id, task_path, tuple(writes)))

    def get_next_version(self, current: Any, channel: None) -> Any:
        """Versions are the wrapped saver's."""
        return self._inner.get_next_version(current, channel)

    def with_allowlist(self, extra_allowlist: Collection[tuple[str, ...]]) -> StagedSaver:
        """The wrapped saver alone decides what may be revived."""
        return self

    def _get_turn(self, config: RunnableConfig) -> _RunningTurn:
        thread_id = str(config["configurable"]["thread_id"])
        if thread_id not in self._turns:
            raise StorageError(
                f"The graph of conversation '{thread_id}' ran outside a turn, so nothing of it "
                "is stored. Call `begin_turn` first, and `take_turn` or `drop_turn` afterwards."
            )
        return self._turns[thread_id]


class _RunningTurn:
    """What one running turn has loaded and would store."""

    def __init__(self, thread_id: str, loaded: CheckpointTuple | None) -> None:
        self._thread_id = thread_id
        self._loaded = loaded
        self._newest: dict[str, StagedCheckpoint] = {}
        self._writes: dict[tuple[str, str], list[StagedWrites]] = {}

    def put_checkpoint(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> StagedCheckpoint:
        namespace = config["configurable"].get("checkpoint_ns", "")
        base = self._loaded if namespace == "" else None
        before = self._newest.get(namespace)
        staged = StagedCheckpoint(
            namespace=namespace,
            # Intermediate checkpoints are never stored, so the parent is the stored one.
            config=_make_config(
                self._thread_id, namespace, base.checkpoint["id"] if base else None
            ),
            checkpoint=checkpoint,
            metadata=get_checkpoint_metadata(config, metadata),
            new_versions={
                **(before.new_versions if before else self._list_migrated(checkpoint)),
                **new_versions,
            },
            base=base.checkpoint if base else None,
        )
        self._newest[namespace] = staged
        return staged

    def _list_migrated(self, checkpoint: Checkpoint) -> ChannelVersions:
        """All channels, if what was loaded was of an earlier format: they are all stored anew."""
        known = self._loaded is None or has_today_format(self._loaded)
        return {} if known else dict(checkpoint["channel_versions"])

    def add_writes(self, key: tuple[str, str], writes: StagedWrites) -> None:
        self._writes.setdefault(key, []).append(writes)

    def find_checkpoint(self, namespace: str, checkpoint_id: str | None) -> CheckpointTuple | None:
        staged = self._newest.get(namespace)
        if staged is not None and checkpoint_id in (None, staged.checkpoint["id"]):
            return self._make_tuple(staged)
        loaded = self._loaded if namespace == "" else None
        if loaded is not None and checkpoint_id in (None, loaded.checkpoint["id"]):
            # A run changes the checkpoint it was given in place.
            return loaded._replace(checkpoint=_copy_checkpoint(loaded.checkpoint))
        return None

    def get_staged(self) -> StagedTurn | None:
        if not self._newest:
            return None
        return StagedTurn(
            self._thread_id, tuple(self._add_pending(s) for s in self._newest.values())
        )

    def _add_pending(self, staged: StagedCheckpoint) -> StagedCheckpoint:
        # Writes to any other checkpoint, such as the answer a run was resumed with, are done with.
        pending = self._writes.get((staged.namespace, staged.checkpoint["id"]), [])
        pending.sort(key=lambda task: writes_sort_key(task.task_path, task.task_id))
        return replace(staged, pending=tuple(pending))

    def _make_tuple(self, staged: StagedCheckpoint) -> CheckpointTuple:
        pending = self._add_pending(staged).pending
        return CheckpointTuple(
            config=staged.stored_as,
            checkpoint=_copy_checkpoint(staged.checkpoint),
            metadata=staged.metadata,
            parent_config=self._loaded.config if self._loaded and not staged.namespace else None,
            pending_writes=[(p.task_id, name, value) for p in pending for name, value in p.writes],
        )


def _make_config(
    thread_id: str, namespace: str, checkpoint_id: str | None = None
) -> RunnableConfig:
    place = {"thread_id": thread_id, "checkpoint_ns": namespace}
    if checkpoint_id is not None:
        place["checkpoint_id"] = checkpoint_id
    return RunnableConfig(configurable=place)


def _copy_checkpoint(checkpoint: Checkpoint) -> Checkpoint:
    copied = checkpoint.copy()
    copied["channel_values"] = dict(checkpoint["channel_values"])
    copied["channel_versions"] = dict(checkpoint["channel_versions"])
    copied["versions_seen"] = {k: dict(seen) for k, seen in checkpoint["versions_seen"].items()}
    return copied
