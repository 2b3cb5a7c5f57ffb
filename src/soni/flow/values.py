"""Slot values as expressions and actions see them: typed, and null where unset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from soni.core.constants import CALLER

if TYPE_CHECKING:
    from soni.config.assistant import Assistant


class TypedValues(Mapping[str, Any]):
    """A view of stored slots, revived one by one when they are asked for."""

    def __init__(
        self, assistant: Assistant, stored: Mapping[str, Any], session: Mapping[str, Any]
    ) -> None:
        self._assistant = assistant
        self._stored = stored
        self._session = session

    def __getitem__(self, name: str) -> Any:
        if name == CALLER:
            return dict(self._session)
        stored = self._stored[name]
        kind = self._assistant.get_slot_type(name)
        # What an undeclared name holds is whatever a step wrote, not a string.
        if stored is None or not self._assistant.is_declared(name):
            return stored
        # A value stored before its slot changed its type stays as it was stored.
        slot = self._assistant.get_slot_config(name)
        return kind.revive(stored) if kind.check(stored, slot) else stored

    def __iter__(self) -> Iterator[str]:
        return iter(self._stored)

    def __len__(self) -> int:
        return len(self._stored)
