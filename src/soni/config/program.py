"""Program: what `soni optimize` found out for an assistant, as a file of plain data."""

import json
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NoReturn

from pydantic import Field, ValidationError, field_validator

from soni.config.base import Config
from soni.config.files import read_source
from soni.config.unreadable import Unreadable
from soni.core.errors import Problem

VERSION: Final = 1
"""The form of program that this Soni writes and reads."""

UNREADABLE: Final = "E901"
_REMEDY: Final = "write it with `soni optimize`, or remove the key"

Limit = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Words = Annotated[str, Field(max_length=4000)]


class LocalProgram(Config):
    """For the offline understanding."""

    limits: dict[Name, Limit] = Field(default_factory=dict)
    """How sure it must be, where that is not as usual."""

    examples: dict[Name, tuple[Words, ...]] = Field(default_factory=dict)
    """Sentences that start a flow, beside those that its author wrote."""


class Demo(Config):
    """A message with the answer to it, shown to a language model in every prompt."""

    moment: Words
    message: Words
    answer: tuple[dict[str, Any], ...]


class ModelProgram(Config):
    """For a language model."""

    commands: tuple[Demo, ...] = Field(default=(), max_length=100)
    """Shown in the first pass."""

    slots: tuple[Demo, ...] = Field(default=(), max_length=100)
    """Shown in the second."""


class Scores(Config):
    """How many of the sentences that were set apart are understood exactly."""

    before: int = Field(ge=0)
    after: int = Field(ge=0)
    total: int = Field(ge=1)


class MadeFor(Config):
    """Digests of what a program was made for, by name."""

    flows: dict[str, str]
    slots: dict[str, str]
    commands: dict[str, str]


class Program(Config):
    """All that a file holds."""

    version: Literal[1]
    provider: Literal["local", "llm", "cascade"]
    made: str
    """When."""

    made_for: MadeFor
    scores: Scores
    local: LocalProgram | None = None
    llm: ModelProgram | None = None
    threshold: Limit | None = None

    @field_validator("version", mode="before")
    @classmethod
    def _is_number(cls, version: Any) -> Any:
        # To pydantic, true is 1.
        return version if type(version) is int else str(version)

    def text(self) -> str:
        """As the file has it."""
        data = self.model_dump(mode="json", exclude_none=True)
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


class ProgramError(Exception):
    """A program that cannot be used; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def read_program(folder: Path | None, name: str) -> Program:
    """The program of that name in an assistant's folder. Raises `ProgramError`."""
    if folder is None:
        raise _error(
            f"an assistant written in Python has no folder in which '{name}' could be",
            "remove the key, or load the assistant from its folder",
        )
    file = folder / name
    # A link that leads out is told by whoever reads it.
    inside = ".." not in Path(name).parts and not Path(name).is_absolute()
    if inside and not file.is_file():
        raise _error(f"there is no file '{name}' in the assistant's folder", _REMEDY)
    if not inside:
        raise _error(f"'{name}' is not in the assistant's folder", "put the file into it")
    try:
        source = read_source(file, name, home=folder)
    except Unreadable as unreadable:
        raise ProgramError(unreadable.problem) from None
    return _parse_program(source.text, name)


def _parse_program(text: str, name: str) -> Program:
    try:
        data = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise _error(f"'{name}' is not JSON", _REMEDY) from None
    version = data.get("version") if isinstance(data, dict) else None
    if isinstance(data, dict) and version != VERSION:
        told = "no version" if version is None else f"version {str(version)[:20]}"
        raise _error(f"'{name}' has {told}, and this Soni reads {VERSION}", _REMEDY)
    try:
        return Program.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"]))[:100] or "the whole"
        raise _error(f"'{name}' is not a program: {place}: {first['msg']}", _REMEDY) from None


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _error(message: str, remedy: str) -> ProgramError:
    return ProgramError(Problem(message, remedy, code=UNREADABLE))
