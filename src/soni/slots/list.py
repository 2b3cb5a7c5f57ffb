"""Several values, stored as a list of plain data."""

import re
from typing import Any

from soni.core.formats import show_list, show_plain
from soni.language import Language
from soni.slots.base import (
    MAX_ITEMS,
    MAX_TEXT,
    OversizedData,
    SlotEnv,
    SlotLike,
    SlotType,
    copy_plain,
    is_plain,
    refuse,
)

# The lookbehind keeps the pattern linear on long runs of spaces.
_SEPARATOR = re.compile(r"(?:(?<!\s)\s+)?[,;\n]\s*")


class ListSlot(SlotType):
    """A list, or text with its items separated: `bread, milk and eggs`."""

    kind = "list"
    json_type = "array"
    has_form = False
    takes_message = True
    is_structured = True

    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> list[Any]:
        """Take lists of plain data, and text as its parts; at most 100 items."""
        if isinstance(value, str) and len(value) <= MAX_TEXT:
            value = _split_items(value.strip(), env.lang)
            if not value:
                raise refuse(self.kind)
        try:
            found = copy_plain(value)
        except OversizedData:
            raise refuse(self.kind) from None
        if not isinstance(found, list):
            raise refuse(self.kind)
        return found

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """A list of plain data."""
        return isinstance(stored, list) and is_plain(stored)

    def revive(self, stored: Any) -> list[Any]:
        """A list of its own, so that an action cannot change what is stored."""
        return list(copy_plain(stored))

    def show(self, stored: Any, language: str) -> str:
        """`bread, milk and eggs`, `pan, leche y huevos`."""
        return show_list([show_plain(item, language) for item in stored], language)


def _split_items(text: str, lang: Language) -> list[str]:
    join = lang.pattern("list.join")
    parts = [part for part in _SEPARATOR.split(text, maxsplit=MAX_ITEMS + 1) if part]
    # "salt, fish and chips" is three items; "and" elsewhere is part of one.
    last = join.split(parts.pop(), maxsplit=0 if not parts else 1) if parts else []
    return [*parts, *(part for part in last if part)]


SLOT = ListSlot()
