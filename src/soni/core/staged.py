"""What a successful turn has to store for its graph, before it is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class StagedWrites:
    """What one task left pending on a checkpoint, such as its interrupt."""

    task_id: str
    task_path: str
    writes: Sequence[tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class StagedCheckpoint:
    """The newest checkpoint of a namespace, not stored yet. Its values are LangGraph's."""

    namespace: str
    config: Any
    checkpoint: Any
    metadata: Any
    new_versions: Any
    base: Any = None
    """The stored checkpoint that this one replaces."""

    pending: tuple[StagedWrites, ...] = ()

    @property
    def stored_as(self) -> Any:
        """The config that addresses this checkpoint once it is stored."""
        place = {**self.config["configurable"], "checkpoint_id": self.checkpoint["id"]}
        return {"configurable": place}


@dataclass(frozen=True, slots=True)
class StagedTurn:
    """Everything a successful turn has to store for its graph."""

    conversation_id: str
    checkpoints: tuple[StagedCheckpoint, ...]
