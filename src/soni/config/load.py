"""From an assistant's folder to a checked `SoniConfig`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from soni.config.checks import Check, check_config
from soni.config.checks.settings import PATH as PROGRAM
from soni.config.files import MAIN, read_files, yaml_files
from soni.config.knowledge_files import knowledge_files, read_knowledge
from soni.config.modules import ActionsError, load_functions
from soni.config.positions import Positions
from soni.config.problems import problems_of
from soni.config.soni_config import SoniConfig
from soni.core.errors import ConfigError, Problem
from soni.decorators import Functions


@dataclass(frozen=True)
class Examined:
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
    examined = examine(path)
    if examined.config is None or examined.errors:
        raise ConfigError(examined.errors)
    examined.config._sound = True
    return examined.config


def load_for_learning(path: str | Path, also: Sequence[Check] = ()) -> SoniConfig:
    """Like `load_config`, but without a learnt program that no longer fits."""
    examined = examine(path, also)
    errors = [each for each in examined.errors if each.path != PROGRAM]
    if examined.config is None or errors:
        raise ConfigError(errors)
    if not examined.errors:
        examined.config._sound = True
        return examined.config
    config = examined.config.without_program()
    config._sound = True
    return config


def examine(path: str | Path, also: Sequence[Check] = ()) -> Examined:
    """Read and check an assistant, and return its problems instead of raising them.

    Raises `ConfigError` only if there is no assistant at `path`. `also` are further checks.
    """
    files = yaml_files(Path(path))
    answers = knowledge_files(Path(path), files)
    folder = files[0].parent.absolute()
    read = read_files(files)
    read_knowledge(answers, folder, read)
    problems = list(read.problems)
    functions: Functions | None = None
    try:
        functions = load_functions(folder)
    except ActionsError as error:
        problems.append(error.problem)
    config = _validate_config(read.positions, problems)
    if config is not None:
        config = config._copy_with(functions=functions, folder=folder)
        if read.complete:
            known = functions is not None
            problems += check_config(config, read.positions, functions_known=known, also=also)
    return Examined(config, in_order(problems))


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Problems in the order of files and lines; those without a place come last."""
    return sorted(problems, key=_get_sort_key)


def _get_sort_key(problem: Problem) -> tuple[bool, bool, str, int, int]:
    file = problem.file or ""
    return not file, file != MAIN, file, problem.line or 0, problem.column or 0


def _validate_config(positions: Positions, problems: list[Problem]) -> SoniConfig | None:
    try:
        return SoniConfig.model_validate(positions.data)
    except ValidationError as error:
        problems += problems_of(error, positions)
    return None
