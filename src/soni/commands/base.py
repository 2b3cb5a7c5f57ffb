"""The base classes of commands and their handlers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from soni.commands.command_schema import CommandExample, Precondition
from soni.core.constants import MASK
from soni.core.types import DialogueState, RuntimeContext, StateUpdate

if TYPE_CHECKING:
    from soni.commands.situation import Situation


class Place(IntEnum):
    """The order in which the commands of one message run."""

    CANCEL = 0
    ANSWER = 1
    START = 2
    CORRECT = 3
    SET = 4
    DIGRESS = 5
    HANDOFF = 6


class Command(BaseModel):
    """One thing that the user wants. It serialises to JSON and back."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    place: ClassVar[Place]
    keys: ClassVar[tuple[str, ...]] = ()
    """Fields that may be given by position, in this order: `SetSlot("origin", "NYC")`."""

    contradicts: ClassVar[frozenset[str]] = frozenset()
    """Types of commands that are rejected in a message that also has this one."""

    quotes: ClassVar[frozenset[str]] = frozenset()
    """Fields that quote the user, and so may hold a secret."""

    needs: ClassVar[Precondition | None] = None
    """What must be the case for the command to make sense."""

    said: ClassVar[tuple[CommandExample, ...]] = ()
    """How people say it."""

    examples: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType({})
    """Sentences that mean just this command, by language: `{"en": ("what can you do",)}`.

    The offline understanding produces the command for these and, in English, for what is like
    them. Nothing is read out of the sentence, so every field needs a default.
    """

    type: str

    def __init__(self, /, *values: Any, **fields: Any) -> None:
        super().__init__(**_name_values(type(self), values, fields))

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Refuse examples of a command that a sentence alone cannot make."""
        needed = [name for name, field in cls.model_fields.items() if field.is_required()]
        if cls.examples and needed:
            raise TypeError(
                f"{cls.__name__}.examples: an example gives no value for "
                f"{', '.join(needed)}; add a default, or leave the examples out"
            )

    @property
    def subject(self) -> tuple[str, ...] | None:
        """A key for duplicates: of two commands with one subject only the later one runs."""
        return None

    def get_touched_slots(self) -> dict[str, Any]:
        """The values that the command gives to slots, as the user said them."""
        return {}

    def dump_args(self) -> dict[str, Any]:
        """The fields without `type`."""
        return self.model_dump(mode="json", exclude={"type"})

    def mask_args(
        self, sensitive: Callable[[str], bool], *, private: bool = False
    ) -> dict[str, Any]:
        """The fields with secrets masked. `private`: the open question asks for a secret."""
        hidden = [value for slot, value in self.get_touched_slots().items() if sensitive(slot)]
        quoted = self.quotes if private else ()
        return {
            name: MASK if name in quoted and value else _mask(value, hidden)
            for name, value in self.dump_args().items()
        }


def _name_values(
    model: type[Command], values: Sequence[Any], fields: Mapping[str, Any]
) -> dict[str, Any]:
    """All fields by name. Raises `TypeError` for values that have no name, or two."""
    keys, name = model.keys, model.__name__
    if len(values) > len(keys):
        most = f"at most {len(keys)} values by position ({', '.join(keys)})" if keys else "none"
        raise TypeError(f"{name}() was given {len(values)} values by position; it takes {most}")
    named = dict(zip(keys, values, strict=False))
    twice = [key for key in named if key in fields]
    if twice:
        raise TypeError(f"{name}() was given {', '.join(twice)} both by position and by name")
    return {**named, **fields}


def _mask(value: Any, hidden: Sequence[Any]) -> Any:
    # A yes is equal to 1.0, and a masked confidence would tell it from a no.
    alike = (each for each in hidden if isinstance(each, bool) == isinstance(value, bool))
    if any(value is secret or value == secret for secret in alike):
        return MASK
    if isinstance(value, dict):
        return {key: _mask(item, hidden) for key, item in value.items()}
    return value


C = TypeVar("C", bound=Command)


@dataclass(frozen=True)
class Accept:
    """The command is carried out as it is."""


@dataclass(frozen=True)
class Reject:
    """The command is not carried out."""

    reason: str


@dataclass(frozen=True)
class Rewrite:
    """Other commands run instead. An empty `to` means that other commands cover it already."""

    to: tuple[Command, ...]
    reason: str


Verdict = Accept | Reject | Rewrite


@dataclass(frozen=True)
class Handled:
    """The result of a command: the state updates, and how it went."""

    updates: StateUpdate = field(default_factory=StateUpdate)
    result: str = "success"
    """`success`, `rewritten`, `rejected` or `error`, as it stands in the command log."""

    reason: str | None = None
    flow_id: str | None = None


class CommandHandler(ABC, Generic[C]):
    """Reviews and executes one type of command."""

    command: ClassVar[type[Command]]

    def get_place(self, command: C, situation: Situation) -> Place:
        """The command's place in the order of execution, which may depend on the open question."""
        return command.place

    def review(self, command: C, others: Sequence[Command], situation: Situation) -> Verdict:
        """Decide whether the command makes sense now, given the others; by default it does."""
        return Accept()

    @abstractmethod
    async def execute(self, command: C, state: DialogueState, context: RuntimeContext) -> Handled:
        """Execute the command. The state is never changed in place: return updates for it."""
