"""From an assistant's folder to a checked `SoniConfig`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from soni.config.checks import Check, check_config
from soni.config.checks.settings import PROGRAM_PATH as PROGRAM
from soni.config.data_builder import DataBuilder
from soni.config.files import (
    MAIN_FILE,
    NO_DRAFTS,
    Drafts,
    LoadedFiles,
    check_total_size,
    find_yaml_files,
    is_assistant_file,
    read_files,
    read_source,
)
from soni.config.modules import ActionsError, load_functions
from soni.config.positions import Positions
from soni.config.problems import make_problems
from soni.config.soni_config import SoniConfig
from soni.config.tool_lock import LockError, ToolLock, read_lock
from soni.config.yaml import SequenceNode, parse_yaml
from soni.core.errors import ConfigError, Problem, UnreadableFile, describe_value
from soni.decorators import Functions

FOLDER: Final = "knowledge"


_SECTION: Final = "knowledge"


@dataclass(frozen=True)
class CheckResult:
    """The result of reading and checking an assistant."""

    config: SoniConfig | None
    """None if the models are not valid."""

    problems: Sequence[Problem]
    """Errors and warnings, in the order of files and lines."""

    @property
    def errors(self) -> list[Problem]:
        """The problems that prevent the assistant from being used."""
        return [problem for problem in self.problems if problem.severity == "error"]


def load_config(path: str | Path) -> SoniConfig:
    """Read an assistant's folder, or one file of it, check it, collect its functions.

    Raises `ConfigError` holding every error found, in the order of files and lines.
    """
    examined = examine_assistant(path)
    if examined.config is None or examined.errors:
        raise ConfigError(examined.errors)
    examined.config._sound = True
    return examined.config


def load_for_optimizing(path: str | Path, also: Sequence[Check] = ()) -> SoniConfig:
    """Like `load_config`, but without a learnt program that no longer fits."""
    examined = examine_assistant(path, also)
    errors = [each for each in examined.errors if each.path != PROGRAM]
    if examined.config is None or errors:
        raise ConfigError(errors)
    config = examined.config.without_program() if examined.errors else examined.config
    config._sound = True
    return config


def examine_assistant(
    path: str | Path,
    also: Sequence[Check] = (),
    *,
    drafts: Drafts = NO_DRAFTS,
    functions: Functions | None = None,
) -> CheckResult:
    """Read and check an assistant, and return its problems instead of raising them.

    Raises `ConfigError` only if there is no assistant at `path`. `also` are further checks.
    `drafts` are texts to check in place of files. `functions` are those of its Python, if it has
    been loaded already: then it is not run again.
    """
    files = find_yaml_files(Path(path))
    answers = find_knowledge_files(Path(path), files)
    folder = files[0].parent.absolute()
    read = read_files(files, drafts)
    read_knowledge(answers, folder, read, drafts)
    problems = list(read.problems)
    try:
        functions = load_functions(folder) if functions is None else functions
    except ActionsError as error:
        problems.append(error.problem)
    lock: ToolLock | None = None
    try:
        lock = read_lock(folder)
    except LockError as error:
        problems.append(error.problem)
    config = _validate_config(read.positions, problems)
    if config is not None:
        config = config._copy_with(functions=functions, folder=folder, tools=lock)
        if read.complete and lock is not None:
            known = functions is not None
            problems += check_config(config, read.positions, functions_known=known, also=also)
    return CheckResult(config, sort_problems(problems))


def sort_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Problems in the order of files and lines; those without a place come last."""
    return sorted(problems, key=_get_sort_key)


def _get_sort_key(problem: Problem) -> tuple[bool, bool, str, int, int]:
    file = problem.file or ""
    return not file, file != MAIN_FILE, file, problem.line or 0, problem.column or 0


def _validate_config(positions: Positions, problems: list[Problem]) -> SoniConfig | None:
    try:
        return SoniConfig.model_validate(positions.data)
    except ValidationError as error:
        problems += make_problems(error, positions)
    return None


def find_knowledge_files(path: Path, others: Sequence[Path]) -> list[Path]:
    """The files, in the order of their names; none for an assistant that is a single file.

    Raises `ConfigError` if they are too large together with the assistant's `others`.
    """
    folder = path / FOLDER
    if not folder.is_dir():
        return []
    files = sorted(file for file in folder.iterdir() if is_assistant_file(file))
    check_total_size([*others, *files])
    return files


def read_knowledge(
    files: Sequence[Path], home: Path, read: LoadedFiles, drafts: Drafts = NO_DRAFTS
) -> None:
    """Add the entries of all files to those of the assistant's own `knowledge`."""
    for file in files:
        try:
            _read_file(file, home, read, drafts)
        except UnreadableFile as unreadable:
            read.problems.append(unreadable.problem)
            read.complete = False


def _read_file(file: Path, home: Path, read: LoadedFiles, drafts: Drafts) -> None:
    source = read_source(file, f"{FOLDER}/{file.name}", home=home, drafts=drafts)
    node, problems = parse_yaml(source)
    read.problems += problems
    plain = DataBuilder()
    data = plain.build(node) if node is not None else None
    if data is None or data == []:
        remedy = "write an entry, beginning with `- question: ...`, or remove the file"
        read.add_empty(source.file, remedy)
        return
    if not isinstance(node, SequenceNode):
        assert node is not None
        message = f"expected a list, found {describe_value(data)}"
        raise node.mark.make_error(message, "E103", "begin each entry with `- question: ...`")
    _append_entries(data, plain, read)


def _append_entries(data: list[object], plain: DataBuilder, read: LoadedFiles) -> None:
    positions = read.positions
    entries = positions.data.setdefault(_SECTION, [])
    if not isinstance(entries, list):
        return  # the model reports that `knowledge` in the assistant's files is no list
    start = len(entries)
    entries += data
    for of_all, of_file in ((positions.keys, plain.keys), (positions.values, plain.values)):
        for place, mark in of_file.items():
            if place:
                of_all[(_SECTION, start + int(place[0]), *place[1:])] = mark
