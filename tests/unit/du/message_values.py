"""The values of a message that is said on Monday, 2 March 2026, at 10:00."""

from datetime import UTC, datetime
from typing import Any

from soni.du import SlotBrief
from soni.du.local.values.value_search import find_values
from soni.slots import SlotEnv

MONDAY = datetime(2026, 3, 2, 10, tzinfo=UTC)


def values(
    message: str, kind: str, language: str = "en", *, name: str = "it", about: str = ""
) -> list[tuple[str, Any]]:
    """The words of each value, and the value."""
    slot = SlotBrief(name=name, flow="flow", type=kind, description=about)
    env = SlotEnv(now=MONDAY, language=language)
    return [(message[one.start : one.end], one.value) for one in find_values(message, slot, env)]


def only(
    message: str, kind: str, language: str = "en", *, name: str = "it", about: str = ""
) -> Any:
    """The one value of a message."""
    said = values(message, kind, language, name=name, about=about)
    assert len(said) == 1, said
    return said[0][1]
