"""Program: the result of `soni optimize` for an assistant, as a JSON file."""

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NoReturn

from pydantic import Field, ValidationError, field_validator

from soni.config.assistant import Assistant
from soni.config.definitions import Config
from soni.config.files import read_source
from soni.core.errors import Problem, UnreadableFile, clip

PROGRAM_VERSION: Final = 1
"""The form of program that this Soni writes and reads."""

UNREADABLE_CODE: Final = "E901"
_REMEDY: Final = "write it with `soni optimize`, or remove the key"

Limit = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
BoundedText = Annotated[str, Field(max_length=4000)]


class LocalProgram(Config):
    """For the offline understanding."""

    limits: dict[Name, Limit] = Field(default_factory=dict)
    """Confidence limits that differ from the defaults."""

    examples: dict[Name, tuple[BoundedText, ...]] = Field(default_factory=dict)
    """Sentences that start a flow, beside those that its author wrote."""


class Demo(Config):
    """A message with the answer to it, shown to a language model in every prompt."""

    moment: BoundedText
    message: BoundedText
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
    """The content of a program file."""

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
    def _check_version_number(cls, version: Any) -> Any:
        # To pydantic, true is 1.
        return version if type(version) is int else str(version)

    def to_json(self) -> str:
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
        message = f"an assistant written in Python has no folder in which '{name}' could be"
        raise _make_program_error(message, "remove the key, or load the assistant from its folder")
    file = folder / name
    # `read_source` refuses a link that leads out of the folder.
    if ".." in Path(name).parts or Path(name).is_absolute():
        raise _make_program_error(
            f"'{name}' is not in the assistant's folder", "put the file into it"
        )
    if not file.is_file():
        raise _make_program_error(f"there is no file '{name}' in the assistant's folder", _REMEDY)
    try:
        source = read_source(file, name, home=folder)
    except UnreadableFile as unreadable:
        raise ProgramError(unreadable.problem) from None
    return _parse_program(source.text, name)


def _parse_program(text: str, name: str) -> Program:
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise _make_program_error(f"'{name}' is not JSON", _REMEDY) from None
    version = data.get("version") if isinstance(data, dict) else None
    if isinstance(data, dict) and version != PROGRAM_VERSION:
        told = "no version" if version is None else f"version {str(version)[:20]}"
        raise _make_program_error(
            f"'{name}' has {told}, and this Soni reads {PROGRAM_VERSION}", _REMEDY
        )
    try:
        return Program.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"]))[:100] or "the whole"
        raise _make_program_error(
            f"'{name}' is not a program: {place}: {first['msg']}", _REMEDY
        ) from None


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _make_program_error(message: str, remedy: str) -> ProgramError:
    return ProgramError(Problem(message, remedy, code=UNREADABLE_CODE))


def digest_flows(assistant: Assistant) -> dict[str, str]:
    """A digest of each flow's description, trigger and asked slots."""
    plans = assistant.plans
    return {
        name: make_digest(
            flow.description,
            flow.trigger.examples if flow.trigger else None,
            flow.trigger.condition if flow.trigger else None,
            sorted(plans[name].asks),
        )
        for name, flow in assistant.config.flows.items()
    }


def digest_slots(assistant: Assistant) -> dict[str, str]:
    """A digest of each slot that a flow asks for."""
    names = sorted({name for plan in assistant.plans.values() for name in plan.asks})
    told = ("type", "description", "examples", "values", "required", "sensitive")
    return {
        name: make_digest(*(getattr(assistant.get_slot_config(name), field) for field in told))
        for name in names
    }


def make_digest(*told: Any) -> str:
    """A short digest of some values."""
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, default=str)
    return sha256(text.encode("utf-8")).hexdigest()[:12]


def describe_differences(
    kind: str, then: Mapping[str, str], now: Mapping[str, str]
) -> Iterator[str]:
    """Differences between two sets of digests, such as `flows added: refund`."""
    found: dict[str, Iterable[str]] = {
        "added": now.keys() - then.keys(),
        "removed": then.keys() - now.keys(),
        "changed": (name for name in now.keys() & then.keys() if now[name] != then[name]),
    }
    for what, names in found.items():
        listed = sorted(names)
        if listed:
            more = f" and {len(listed) - 5} more" if len(listed) > 5 else ""
            yield f"{kind} {what}: {', '.join(map(clip, listed[:5]))}{more}"
