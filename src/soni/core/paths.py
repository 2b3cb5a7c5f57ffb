"""Names and paths into plain data, for expressions and templates."""

import re
from collections.abc import Sequence
from typing import Any, Final

from soni.core.constants import ERROR_SLOTS

NAME_PATTERN: Final = r"[A-Za-z_][A-Za-z0-9_]*"

# Bounded, so that a path of a million digits is never turned into a number.
_INDEX = re.compile(r"-?[0-9]{1,9}")


def is_private(part: str) -> bool:
    """Whether an author may not read a name or key: it begins with `_` and is no error slot."""
    return part.startswith("_") and part not in ERROR_SLOTS


def walk_path(data: Any, path: Sequence[str]) -> Any:
    """Follow a path through dicts and lists; None where something is missing.

    Attributes of objects are never read.
    """
    for part in path:
        if isinstance(data, dict):
            data = data.get(part)
        elif isinstance(data, list) and _INDEX.fullmatch(part):
            index = int(part)
            data = data[index] if -len(data) <= index < len(data) else None
        else:
            return None
    return data
