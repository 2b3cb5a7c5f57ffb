"""The files of `nlu/`: sentences with their meaning, by moment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, Field

from soni.commands import CommandHandlerRegistry
from soni.config.definitions import Config
from soni.config.positions import Positions
from soni.core.errors import Problem
from soni.testing.evaluate.sample import Sample
from soni.testing.fields import read_entry

SEPARATOR: Final = ";"
IDLE: Final = "idle"
"""The moment at the beginning of a conversation."""


class SentenceFile(Config):
    """A whole file."""

    conversation: str | None = None
    """The sentences are one conversation, and are never split for learning."""

    now: str | None = None
    """The clock."""

    language: str | None = None
    """The caller's language."""

    context: dict[str, Any] = Field(default_factory=dict)
    """What the caller knows of the user: `session.*`."""

    stubs: dict[str, Any] = Field(default_factory=dict)
    """Action -> its result, or `{error: type}`."""

    moments: dict[str, list[list[Any]]] = Field(default_factory=dict)
    """How a conversation comes to each moment: turns, each a list of commands."""

    said: dict[str, dict[str, Any]] = Field(min_length=1)
    """Moment -> sentence -> its commands."""


@dataclass(frozen=True)
class Sentences:
    """A file that was read and checked."""

    content: SentenceFile
    positions: Positions
    file: str
    warnings: tuple[Problem, ...] = ()
    """What is written, and probably not meant so."""

    def iter_samples(self, moment: str) -> Iterator[Sample]:
        """What is said at a moment."""
        for sentence, written in self.content.said[moment].items():
            commands = tuple(read_commands(split_entries(written)))
            line = self.find_line("said", moment, sentence)
            yield Sample(sentence, commands, self.file, line, moment)

    def list_turns(self, moment: str) -> list[list[dict[str, Any]]]:
        """The turns that lead to a moment."""
        return [list(read_commands(entries)) for entries in self.content.moments.get(moment, ())]

    def find_line(self, *path: str | int) -> int:
        """Where a key stands."""
        mark = self.positions.find_mark(self.positions.find_written(path), "key")
        assert mark is not None, "whatever is in a file has a place"
        return mark.source.locate(mark.start)[0]


def read_commands(entries: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Commands, each tagged by its type."""
    for name, fields in map(read_command, entries):
        yield {"type": name, **fields}


def split_entries(written: Any) -> list[Any]:
    """The commands of a sentence, from a text with `;` or from a list."""
    if isinstance(written, str):
        parts = (part.strip() for part in written.split(SEPARATOR))
        return [part for part in parts if part]
    if isinstance(written, list):
        return written
    raise ValueError("expected commands")


def read_command(entry: Any) -> tuple[str, dict[str, Any]]:
    """A command's name and fields, from a few words or from `{Name: {field: value}}`.

    The words behind the name are its fields in their order, the last one takes the rest. A slot
    of a certain flow is `flow.slot`, and the name of a field that is true or false sets it.
    """
    if not isinstance(entry, str):
        name, given = read_entry(entry)
        return name, given or {}
    name, _, rest = entry.strip().partition(" ")
    registry = CommandHandlerRegistry.discover()
    if name not in registry:
        return name, {}
    return name, _parse_fields(registry.get_handler(name).command, rest.split())


def abbreviate_command(entry: Any) -> Any:
    """The short form of a command, if it means the same; else the command itself."""
    name, fields = read_entry(entry)
    kind = CommandHandlerRegistry.discover().get_handler(name).command
    # Fields that only quote the user are not compared.
    told = {key: value for key, value in (fields or {}).items() if key not in kind.quotes}
    words = dict(told)
    if told.get("flow_name") is not None and told.get("slot_name") is not None:
        words["slot_name"] = f"{words.pop('flow_name')}.{told['slot_name']}"
    flags = [key for key, value in words.items() if value is True]
    rest = [str(value) for key, value in words.items() if key not in flags]
    short = " ".join([name, *rest, *flags])
    read_back = {key: value if value is True else str(value) for key, value in told.items()}
    fits = SEPARATOR not in short and read_command(short) == (name, read_back)
    return short if fits else {name: told}


def _parse_fields(model: type[BaseModel], words: list[str]) -> dict[str, Any]:
    known = {name: field for name, field in model.model_fields.items() if name != "type"}
    flags = [name for name, field in known.items() if field.annotation is bool]
    fields: dict[str, Any] = {}
    while words and words[-1] in flags:
        fields[words.pop()] = True
    required = [name for name, field in known.items() if field.is_required()]
    places = required or list(known)[:1]
    if words and not places:
        raise ValueError(f"nothing can follow here, but '{words[0]}' does")
    for at, name in enumerate(places):
        if words:
            taken = len(words) if at == len(places) - 1 else 1
            part, words = words[:taken], words[taken:]
            is_tuple = known[name].annotation == tuple[str, ...]
            fields[name] = tuple(part) if is_tuple else " ".join(part)
    flow, dot, slot = str(fields.get("slot_name", "")).partition(".")
    if not dot or "flow_name" not in known:
        return fields
    return {**fields, "slot_name": slot, "flow_name": flow}
