"""The directory: the conversations of a store, without their states."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ConversationRecord:
    """What a store knows of a conversation without reading its state."""

    conversation_id: str
    user_id: str | None = None
    life: int = 0
    last_at: float | None = None
    """When its last turn ended, by the conversation's clock."""

    due_at: float | None = None
    versions: tuple[str, ...] = ()
    handed_off_at: float | None = None


class Directory(Protocol):
    """The conversations that there are."""

    async def find(self, conversation_id: str) -> ConversationRecord | None:
        """What is known of one; None if it was never held."""

    async def register(self, conversation_id: str, user_id: str, *, at: float) -> bool:
        """Note a conversation before its first turn; False if there is one of that id already."""

    async def count_conversations(self, user_id: str) -> int:
        """How many a user has taken part in."""

    async def list_conversations(
        self,
        *,
        user_id: str | None = None,
        due_before: float | None = None,
        version: str | None = None,
        handed_off: bool = False,
        after: str | None = None,
        limit: int | None = None,
    ) -> list[ConversationRecord]:
        """Those that all given conditions hold for, in the order of their ids.

        `user_id`: the user has taken part, as the entries say. `due_before`: its `due_at` is not
        later. `version`: an open task runs on these flows. `handed_off`: it is with a person, or
        waits for one.
        """
