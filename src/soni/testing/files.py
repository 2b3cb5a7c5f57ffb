"""Finding and reading `*.test.yaml` files."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Generic, TypeVar

from pydantic import ValidationError

from soni.config.data_builder import DataBuilder
from soni.config.definitions import Config
from soni.config.files import is_assistant_file, read_source
from soni.config.positions import Positions, Source
from soni.config.problems import make_problems
from soni.config.yaml import UnreadableFile, parse_yaml
from soni.core.errors import Problem, describe_value
from soni.testing.case import CaseFile

SUFFIXES: Final = (".test.yaml", ".test.yml")
FOLDER: Final = "tests"


def find_assistant_folder(path: Path) -> Path:
    """The assistant's folder that a test file or a folder of them belongs to."""
    folder = path.parent if path.is_file() else path
    if folder.absolute().name == FOLDER:
        return folder.absolute().parent
    if any(map(is_assistant_file, folder.glob("*"))):
        return folder
    above = (place.parent for place in folder.absolute().parents if place.name == FOLDER)
    return next(above, folder)


def find_case_files(path: Path) -> list[Path]:
    """The test files of an assistant, those in `tests/` last; or the one file itself."""
    if path.is_file():
        return [path]
    own = [file for file in path.glob("*") if file.name.endswith(SUFFIXES)]
    below = [file for file in (path / FOLDER).rglob("*") if file.name.endswith(SUFFIXES)]
    return [*sorted(own), *sorted(below)]


M = TypeVar("M", bound=Config)


@dataclass
class ParsedFile(Generic[M]):
    """One file as it was read."""

    positions: Positions
    content: M | None = None
    problems: Sequence[Problem] = field(default_factory=list)


def read_cases(file: Path, shown: str) -> ParsedFile[CaseFile]:
    """The tests of a file, or why it cannot be read; `shown` names it in problems."""
    return read_model(CaseFile, file, shown, "begin with `tests:`")


def read_model(model: type[M], file: Path, shown: str, remedy: str) -> ParsedFile[M]:
    """Read a file as a model. `remedy` is for a file of another kind."""
    try:
        return parse_text(model, read_source(file, shown), remedy)
    except UnreadableFile as unreadable:
        return ParsedFile(Positions(model), problems=[unreadable.problem])


def parse_text(model: type[M], source: Source, remedy: str) -> ParsedFile[M]:
    """Parse a text as a model. Raises `UnreadableFile`."""
    node, problems = parse_yaml(source)
    plain = DataBuilder()
    data = plain.build(node) if node is not None else None
    positions = Positions(model, data, plain.keys, plain.values)
    if not isinstance(data, dict):
        problem = Problem("nothing is written here", remedy, file=source.file, code="E141")
        if node is not None:
            message = f"expected a mapping, found {describe_value(data)}"
            problem = node.mark.make_problem(message, code="E103", remedy=remedy)
        return ParsedFile(positions, problems=[*problems, problem])
    try:
        return ParsedFile(positions, model.model_validate(data), problems)
    except ValidationError as error:
        return ParsedFile(positions, problems=[*problems, *make_problems(error, positions)])
