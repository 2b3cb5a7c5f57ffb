"""The format of stored states: its number, and how states of earlier formats become today's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple

from soni.core.state import complete_memory, create_initial_state
from soni.core.storage_errors import StorageError
from soni.core.types import DialogueState

_KEY: Final = "soni_state"
_UNMARKED: Final = 1
"""The format of states that were stored before formats had numbers."""

Migration = Callable[[dict[str, Any]], dict[str, Any]]
"""Channel values of one format -> those of the next."""


def _complete_memories(values: dict[str, Any]) -> dict[str, Any]:
    """Flows of the first format may lack parts of their memory."""
    return {**values, "flow_stack": [complete_memory(flow) for flow in values["flow_stack"]]}


MIGRATIONS: Final[Mapping[int, Migration]] = MappingProxyType({1: _complete_memories})
"""Format -> what makes the next format of it. A change of the state's form adds one here."""


async def load_checkpoint(
    saver: BaseCheckpointSaver[Any], conversation_id: str
) -> CheckpointTuple | None:
    """The newest checkpoint of a conversation, its values in today's format."""
    place = {"thread_id": conversation_id, "checkpoint_ns": ""}
    stored = await saver.aget_tuple({"configurable": place})
    return migrate_checkpoint(stored, conversation_id) if stored is not None else None


def migrate_checkpoint(
    stored: CheckpointTuple, conversation_id: str, migrations: Mapping[int, Migration] = MIGRATIONS
) -> CheckpointTuple:
    """The checkpoint with values in today's format. Raises `StorageError` for a newer one."""
    number, today = _read_format(stored), 1 + max(migrations, default=0)
    if number > today:
        raise StorageError(
            f"The state of conversation '{conversation_id}' has format {number}, and this Soni "
            f"reads formats up to {today}. A newer Soni has stored it: run that one, or a later "
            "one. The conversation is unchanged."
        )
    values = dict(stored.checkpoint["channel_values"])
    # A graph that failed in its first turn may have left a checkpoint without a state.
    if "flow_stack" in values:
        for step in range(number, today):
            values = migrations[step](values)
    return stored._replace(checkpoint={**stored.checkpoint, "channel_values": values})


def make_format_mark() -> dict[str, int]:
    """Metadata for the run of a graph, which marks its checkpoints with today's format."""
    return {_KEY: _get_today()}


def has_today_format(stored: CheckpointTuple) -> bool:
    """Whether a checkpoint was stored in today's format."""
    return _read_format(stored) == _get_today()


def read_state(values: Mapping[str, Any]) -> DialogueState:
    """The state in a checkpoint's values."""
    fields = create_initial_state()
    fields.update({key: values[key] for key in fields if key in values})  # type: ignore[typeddict-item]
    return fields


def _get_today() -> int:
    return 1 + max(MIGRATIONS)


def _read_format(stored: CheckpointTuple) -> int:
    found = (stored.metadata or {}).get(_KEY)
    return found if isinstance(found, int) else _UNMARKED
