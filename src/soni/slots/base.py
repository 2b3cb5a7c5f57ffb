"""SlotType: accepts values of a slot, revives and shows them, and describes how users say them."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import Enum
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from soni.core.errors import Refusal
from soni.core.texts import Text
from soni.language import Language, find_language, get_base_language
from soni.slots.parsers.numbers import normalise_number

T = TypeVar("T")


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
        return get_base_language(self.language)


class SlotLike(Protocol):
    """The part of a slot's definition that its type looks at."""

    @property
    def values(self) -> Mapping[str, tuple[str, ...]]: ...


JsonType = Literal["string", "integer", "number", "boolean", "array", "object"]

Dimension = Literal[
    "count", "number", "money", "day", "time", "moment", "duration", "phone", "email"
]
"""What values measure or address, as in Duckling's dimensions."""


class SlotType(ABC):
    """One kind of slot. `kind` is the word authors write after `type:`.

    Readers never ask for the kind. They ask the properties below, whose defaults fit a type that
    knows its values by their form. Such a type gives `kind`, `coerce` and `responses`:

        class PercentSlot(SlotType):
            kind = "percent"
            responses = {"invalid_percent": {"en": "Please give a percentage, such as 20 %."}}

            def coerce(self, value, slot, env):
                found = re.fullmatch("([0-9]{1,3}) ?(?:%|percent)", str(value).strip())
                if found is None:
                    raise refuse(self.kind)
                return int(found[1])

        SLOT = PercentSlot()
    """

    kind: ClassVar[str]

    responses: ClassVar[Mapping[str, Text]] = MappingProxyType({})
    """The sentences it refuses with, by name and language; `refuse` says `invalid_<kind>`.

    Authors override them under `responses:`, as they do Soni's own.
    """

    has_form: ClassVar[bool] = True
    """Whether `coerce` refuses what is no value, so that values are found inside a sentence.

    A type without a form says what it has instead: `is_free_text`, `is_structured` or `is_polar`.
    """

    form_rank: ClassVar[int] = 0
    """The order in which types read words that several accept; the lowest comes first.

    A date comes before a number, and a type of a plugin before all of Soni's.
    """

    dimension: ClassVar[Dimension | None] = None
    """What its values measure, for rules of a language: "the day after" needs a day."""

    json_type: ClassVar[JsonType | None] = None
    """What its values are in JSON, for services with a schema; None: it is not checked."""

    is_free_text: ClassVar[bool] = False
    """Whether any words are a value."""

    takes_message: ClassVar[bool] = False
    """Whether a whole message answers its question, whatever the message says."""

    is_structured: ClassVar[bool] = False
    """Whether a value holds others: a list, an object."""

    is_polar: ClassVar[bool] = False
    """Whether yes or no answers its question."""

    has_values: ClassVar[bool] = False
    """Whether authors list its values under `values:`."""

    @property
    def refusal(self) -> str:
        """The name of the response that refuses a value."""
        return f"invalid_{self.kind}"

    @property
    def is_short_text(self) -> bool:
        """Whether any few words are a value: a name, a place, a code."""
        return self.is_free_text and not self.takes_message

    @property
    def is_picked(self) -> bool:
        """Whether values are never said in words, but picked from a list or given by an action."""
        return self.is_structured and not self.takes_message

    @property
    def is_number(self) -> bool:
        """Whether values are plain numbers."""
        return self.dimension in ("count", "number")

    @property
    def is_countable(self) -> bool:
        """Whether values are so many of something: plain numbers, and money."""
        return self.is_number or self.dimension == "money"

    @property
    def is_dated(self) -> bool:
        """Whether values are points in time."""
        return self.dimension in ("day", "time", "moment")

    @abstractmethod
    def coerce(self, value: Any, slot: SlotLike, env: SlotEnv) -> Any:
        """The plain value to store, or `Refusal`."""

    def check(self, stored: Any, slot: SlotLike) -> bool:
        """Whether `stored` is a value of this type: a normalizer may have changed it."""
        return isinstance(stored, str | int | float)

    def revive(self, stored: Any) -> Any:
        """The typed value that actions and expressions get."""
        return stored

    def show(self, stored: Any, language: str) -> str:
        """The value as people write it."""
        return str(stored)

    def require(self, found: T | None) -> T:
        """What was found, or a refusal if it is None."""
        if found is None:
            raise refuse(self.kind)
        return found


def is_plain_number(value: Any) -> bool:
    """Whether `value` is an int or float; a boolean is neither."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def text_of(value: Any) -> str | None:
    """Text without the space around it, and a number as it was written; None for the rest."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if normalise_number(value) is not None else None


def refuse(kind: str, **values: str) -> Refusal:
    """A refusal with the response `invalid_<kind>`."""
    return Refusal(f"invalid_{kind}", values=values)


MAX_ITEMS = 100
MAX_DEPTH = 8
MAX_NODES = 1_000
MAX_TEXT = 10_000
_MAX_INTEGER = 10**18


class OversizedData(ValueError):  # noqa: N818 - says what it found
    """Data that is too large, too deep or not plain."""


def copy_plain(value: Any) -> Any:
    """A copy as plain data, or OversizedData."""
    return _copy_value(value, MAX_DEPTH, [MAX_NODES])


def is_plain(value: Any) -> bool:
    """Whether `value` is plain data, not too large and not too deep."""
    try:
        return bool(copy_plain(value) == value)
    except OversizedData:
        return False


def _copy_value(value: Any, depth: int, left: list[int]) -> Any:
    left[0] -= 1
    if depth < 0 or left[0] < 0:
        raise OversizedData
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, list | tuple):
        if len(value) > MAX_ITEMS:
            raise OversizedData
        return [_copy_value(item, depth - 1, left) for item in value]
    if isinstance(value, Mapping):
        if len(value) > MAX_ITEMS or not all(isinstance(key, str | int) for key in value):
            raise OversizedData
        return {
            str(_copy_scalar(key)): _copy_value(item, depth - 1, left)
            for key, item in value.items()
        }
    return _copy_scalar(value)


def _copy_scalar(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str) and len(value) <= MAX_TEXT:
        return str(value)
    if isinstance(value, int) and abs(value) <= _MAX_INTEGER:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    raise OversizedData
