"""What may be recorded of values that came from outside: plain, without secrets, not too long."""

import json
from collections.abc import Callable, Collection, Iterator
from typing import Any

from soni.core.constants import MASK
from soni.core.masking import mask_text
from soni.flow.write import recordable


class Discretion:
    """Makes the data of one turn fit for its journal entry."""

    def __init__(self, sensitive: Callable[[str], bool], secrets: Collection[Any]) -> None:
        self._sensitive = sensitive
        # Longest first: a secret inside another must not leave the rest of it standing.
        known = {str(part) for secret in secrets for part in _scalars(recordable(secret))}
        self._secrets = sorted(known - {""}, key=len, reverse=True)

    def words(self, text: str) -> str:
        """A text without secrets."""
        return mask_text(text, self._secrets)

    def data(self, value: Any) -> Any:
        """Plain data: sensitive names, at any depth, and secrets, wherever they are, masked."""
        return self._hide_value(recordable(value))

    def _hide_value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {
                name: MASK if item is not None and self._sensitive(name) else self._hide_value(item)
                for name, item in value.items()
            }
        if isinstance(value, list):
            return [self._hide_value(item) for item in value]
        if isinstance(value, str):
            return self.words(value)
        return MASK if value is not None and str(value) in self._secrets else value


def _scalars(value: Any) -> Iterator[Any]:
    """The single values: an amount is as secret as the money that holds it."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _scalars(item)
    elif value is not None:
        yield value


def measure_size(value: Any) -> int:
    """How long plain data is in the journal."""
    return len(json.dumps(value))
