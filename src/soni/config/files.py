"""The YAML files of an assistant, read and merged into one piece of data."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from soni.config.data_builder import DataBuilder
from soni.config.positions import Mark, Positions, Source
from soni.config.soni_config import SoniConfig
from soni.config.yaml import parse_yaml
from soni.core.errors import ConfigError, Problem, UnreadableFile, clip, describe_value

MAX_BYTES: Final = 1_000_000
"""The largest file."""

MAX_TOTAL: Final = 5_000_000
"""All files of an assistant together."""

MAIN_FILE: Final = "soni.yaml"
_SUFFIXES: Final = (".yaml", ".yml")
_TEST_SUFFIXES: Final = tuple(f".test{suffix}" for suffix in _SUFFIXES)
_KNOWLEDGE_REMEDY: Final = "put a list of questions and answers into the folder knowledge/"
_PATH_REMEDY: Final = "name a file that is there, as seen from where the command runs"
_SECTIONS: Final = frozenset(
    {"settings", "slots", "actions", "flows", "responses", "conversation_patterns"}
)


def find_yaml_files(path: Path) -> list[Path]:
    """The files of an assistant, `soni.yaml` first. Raises `ConfigError` if there are none."""
    if path.is_file():
        if path.suffix in _SUFFIXES:
            return check_total_size([path])
        raise _make_missing_error(
            path, "this is not a YAML file", "give a folder, or a file that ends in .yaml"
        )
    if not path.is_dir():
        raise _make_missing_error(
            path, "there is no such file or folder", "give the folder of an assistant"
        )
    files = [file for file in path.iterdir() if is_assistant_file(file)]
    if not files:
        raise _make_missing_error(
            path, "there is no YAML file in this folder", f"write a {MAIN_FILE} in it"
        )
    return check_total_size(sorted(files, key=lambda file: (file.name != MAIN_FILE, file.name)))


def is_assistant_file(file: Path) -> bool:
    """Whether a file is a part of an assistant: YAML, neither hidden nor a conversation test."""
    visible = not file.name.startswith(".") and not file.name.endswith(_TEST_SUFFIXES)
    return file.suffix in _SUFFIXES and visible and file.is_file()


def check_total_size(files: list[Path]) -> list[Path]:
    """Return the files, or raise `ConfigError` if they are too large together."""
    if sum(file.stat().st_size for file in files) > MAX_TOTAL and len(files) > 1:
        message = f"the YAML files are together larger than {MAX_TOTAL:,} bytes"
        remedy = "make two assistants of it"
        raise ConfigError([Problem(message, remedy, file=str(files[0].parent), code="E143")])
    return files


@dataclass
class LoadedFiles:
    """The merged content of an assistant's files."""

    positions: Positions
    problems: list[Problem] = field(default_factory=list)
    complete: bool = True
    """Whether every file could be read. If not, a name that is not found may be in the rest."""


def read_files(files: Sequence[Path]) -> LoadedFiles:
    """Read and merge the files."""
    # Settings are there even if none is written: the environment may hold some.
    read = LoadedFiles(Positions(SoniConfig, {"settings": {}}))
    empty = True
    for file in files:
        try:
            empty &= not _read_file(file, read)
        except UnreadableFile as unreadable:
            read.problems.append(unreadable.problem)
            read.complete = empty = False
    if empty:
        remedy = "write an assistant, beginning with `flows:`"
        problem = Problem("nothing is written here", remedy, file=files[0].name, code="E141")
        read.problems.append(problem)
        read.complete = False
    return read


def _read_file(file: Path, read: LoadedFiles) -> bool:
    """Add one file and return whether it holds anything."""
    source = read_source(file)
    node, problems = parse_yaml(source)
    read.problems += problems
    if node is None:
        return False
    plain = DataBuilder()
    data = plain.build(node)
    if data is None:
        return False
    if not isinstance(data, dict):
        remedy = _KNOWLEDGE_REMEDY if _holds_questions(data) else "begin with `flows:`"
        message = f"expected a mapping, found {describe_value(data)}"
        raise UnreadableFile(node.mark.make_problem(message, code="E103", remedy=remedy))
    _merge_sections(data, plain, read)
    return True


def _holds_questions(data: Any) -> bool:
    return isinstance(data, list) and any(isinstance(e, dict) and "question" in e for e in data)


def _merge_sections(data: dict[str, Any], plain: DataBuilder, read: LoadedFiles) -> None:
    positions, whole = read.positions, read.positions.data
    for key, value in data.items():
        if key in _SECTIONS and value is None:
            continue
        if key in _SECTIONS and isinstance(value, dict) and isinstance(whole.get(key, {}), dict):
            section = whole.setdefault(key, {})
            for name, entry in value.items():
                if _check_setting_name(key, name, plain, read) and _check_new_key(
                    (key, name), plain, read
                ):
                    section[name] = entry
        elif _check_new_key((key,), plain, read):
            whole[key] = value
    for path, mark in plain.keys.items():
        positions.keys.setdefault(path, mark)
    for path, mark in plain.values.items():
        positions.values.setdefault(path, mark)


def _check_new_key(path: tuple[str, ...], plain: DataBuilder, read: LoadedFiles) -> bool:
    """Whether `path` is not defined yet; a second definition is reported."""
    first = read.positions.keys.get(path)
    if first is None:
        return True
    line, column = first.source.locate(first.start)
    read.problems.append(
        plain.keys[path].make_problem(
            f"'{clip('.'.join(path))}' is defined twice; "
            f"first in {first.source.file}:{line}:{column}",
            code="E114",
            path=path,
            remedy="keep one of the two",
        )
    )
    return False


def _check_setting_name(section: str, name: str, plain: DataBuilder, read: LoadedFiles) -> bool:
    # pydantic-settings treats names with an underscore as options of its own.
    if section != "settings" or not name.startswith("_"):
        return True
    mark = plain.keys[section, name]
    message = f"unknown key '{clip(name)}'"
    path = (section, name)
    read.problems.append(mark.make_problem(message, code="E101", path=path, remedy="remove it"))
    return False


def read_source(file: Path, shown: str | None = None, *, home: Path | None = None) -> Source:
    """A file's text, with the name that problems show for it. Raises `Unreadable`.

    It must lie in `home`, the assistant's folder; without one, in the folder where it is found.
    """
    name = shown or file.name
    try:
        if leads_outside(file, home or file.parent):
            message = "this is a link that leads out of the assistant's folder"
            raise _make_unreadable(name, "E145", message, "put the file itself into the folder")
        data = file.read_bytes() if file.stat().st_size <= MAX_BYTES else None
    except OSError as error:
        why = error.strerror or type(error).__name__
        message = f"the file cannot be read: {why}"
        missing = isinstance(error, FileNotFoundError | NotADirectoryError | IsADirectoryError)
        remedy = _PATH_REMEDY if missing else "give yourself the right to read it"
        raise _make_unreadable(name, "E142", message, remedy) from None
    if data is None:
        message = f"the file is larger than {MAX_BYTES:,} bytes"
        raise _make_unreadable(name, "E143", message, "split it over several files")
    return Source(name, _decode_text(name, data).replace("\r\n", "\n").replace("\r", "\n"))


def leads_outside(file: Path, folder: Path) -> bool:
    """Whether a file is a link to something beyond its assistant's folder."""
    return not file.resolve().is_relative_to(folder.resolve())


def _decode_text(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8-sig", "replace") + "\ufffd"
        mark = Mark(Source(name, good), len(good) - 1, len(good))
        remedy = "save the file as UTF-8"
        raise UnreadableFile(
            mark.make_problem("this is not UTF-8 text", code="E144", remedy=remedy)
        ) from None


def _make_unreadable(name: str, code: str, message: str, remedy: str) -> UnreadableFile:
    return UnreadableFile(Problem(message, remedy, file=name, code=code))


def _make_missing_error(path: Path, message: str, remedy: str) -> ConfigError:
    return ConfigError([Problem(message, remedy, file=str(path), code="E140")])
