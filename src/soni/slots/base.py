"""What a slot type does: take a value, give it back typed, show it to people."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Protocol

from soni.core.errors import Refused
from soni.language import Language, base_language, find_language
from soni.slots.reading.numbers import small


@dataclass(frozen=True)
class SlotEnv:
    """What a value may depend on beside itself."""

    now: datetime
    language: str

    @property
    def lang(self) -> Language:
        """The words of the language."""
        return find_language(self.language)

    @property
    def base_language(self) -> str:
        """How values are written does not depend on the region."""
        return base_language(self.language)


class SlotLike(Protocol):
    """The part of a slot's definition that its type looks at."""

    @property
    def values(self) -> Mapping[str, tuple[str, ...]]: ...


class SlotType(ABC):
    """One kind of slot. `kind` is the word authors write after `type:`."""

    kind: ClassVar[str]

    @abstractmethod
    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> Any:
        """The plain value to store, or `Refused`."""

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """Whether `stored` is a value of this type: a normalizer may have changed it."""
        return isinstance(stored, str)

    def revive(self, stored: Any) -> Any:
        """The typed value that actions and expressions get."""
        return stored

    def show(self, stored: Any, language: str) -> str:
        """The value as people write it."""
        return str(stored)


def is_number(value: Any) -> bool:
    """Whether `value` is an int or float; a boolean is neither."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def text_of(value: Any) -> str | None:
    """Text without the space around it, and a number as it was written; None for the rest."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if small(value) is not None else None


def refuse(kind: str, **values: str) -> Refused:
    """The refusal every type gives in the same way: response `invalid_<kind>`."""
    return Refused(f"invalid_{kind}", values=values)
