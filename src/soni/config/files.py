"""The YAML files of an assistant, read and merged into one piece of data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
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
Drafts = Mapping[str, str]
"""Texts by the name of their file, to be read in place of what the file holds."""

NO_DRAFTS: Final[Drafts] = MappingProxyType({})
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
        remedy = "give a folder, or a file that ends in .yaml"
        raise _make_missing_error(path, "this is not a YAML file", remedy)
    if not path.is_dir():
        remedy = "give the folder of an assistant"
        raise _make_missing_error(path, "there is no such file or folder", remedy)
    files = [file for file in path.iterdir() if is_assistant_file(file)]
    if not files:
        remedy = f"write a {MAIN_FILE} in it"
        raise _make_missing_error(path, "there is no YAML file in this folder", remedy)
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

    def add_empty(self, file: str, remedy: str) -> None:
        """Report a file that holds nothing."""
        self.problems.append(Problem("nothing is written here", remedy, file=file, code="E141"))


def read_files(files: Sequence[Path], drafts: Drafts = NO_DRAFTS) -> LoadedFiles:
    """Read and merge the files."""
    # Settings are there even if none is written: the environment may hold some.
    read = LoadedFiles(Positions(SoniConfig, {"settings": {}}))
    empty = True
    for file in files:
        try:
            empty &= not _read_file(file, read, drafts)
        except UnreadableFile as unreadable:
            read.problems.append(unreadable.problem)
            read.complete = empty = False
    if empty:
        remedy = "write an assistant, beginning with `flows:`"
        read.add_empty(files[0].name, remedy)
        read.complete = False
    return read


def _read_file(file: Path, read: LoadedFiles, drafts: Drafts) -> bool:
    """Add one file and return whether it holds anything."""
    node, problems = parse_yaml(read_source(file, drafts=drafts))
    read.problems += problems
    plain = DataBuilder()
    data = plain.build(node) if node is not None else None
    if node is None or data is None:
        return False
    if not isinstance(data, dict):
        remedy = _KNOWLEDGE_REMEDY if _holds_questions(data) else "begin with `flows:`"
        message = f"expected a mapping, found {describe_value(data)}"
        raise node.mark.make_error(message, "E103", remedy)
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
                if _check_key((key, name), plain, read):
                    section[name] = entry
        elif _check_key((key,), plain, read):
            whole[key] = value
    for known, new in ((positions.keys, plain.keys), (positions.values, plain.values)):
        for path, mark in new.items():
            known.setdefault(path, mark)


def _check_key(path: tuple[str, ...], plain: DataBuilder, read: LoadedFiles) -> bool:
    """Whether `path` can be a key and is not defined yet; if not, that is reported."""
    first = read.positions.keys.get(path)
    # pydantic-settings treats names with an underscore as options of its own.
    if path[0] == "settings" and path[-1].startswith("_"):
        code, message, remedy = "E101", f"unknown key '{clip(path[-1])}'", "remove it"
    elif first is not None:
        line, column = first.source.locate(first.start)
        place = f"{first.source.file}:{line}:{column}"
        message = f"'{clip('.'.join(path))}' is defined twice; first in {place}"
        code, remedy = "E114", "keep one of the two"
    else:
        return True
    mark = plain.keys[path]
    read.problems.append(mark.make_problem(message, code=code, path=path, remedy=remedy))
    return False


def read_source(
    file: Path, shown: str | None = None, *, home: Path | None = None, drafts: Drafts = NO_DRAFTS
) -> Source:
    """A file's text, with the name that problems show for it. Raises `UnreadableFile`.

    It must lie in `home`, the assistant's folder; without one, in the folder where it is found.
    """
    name = shown or file.name
    if name in drafts:
        return Source(name, _unify_line_ends(drafts[name]))
    try:
        if leads_outside(file, home or file.parent):
            message = "this is a link that leads out of the assistant's folder"
            raise _make_unreadable(name, "E145", message, "put the file itself into the folder")
        data = file.read_bytes() if file.stat().st_size <= MAX_BYTES else None
    except OSError as error:
        message = f"the file cannot be read: {error.strerror or type(error).__name__}"
        missing = isinstance(error, FileNotFoundError | NotADirectoryError | IsADirectoryError)
        remedy = _PATH_REMEDY if missing else "give yourself the right to read it"
        raise _make_unreadable(name, "E142", message, remedy) from None
    if data is None:
        message = f"the file is larger than {MAX_BYTES:,} bytes"
        raise _make_unreadable(name, "E143", message, "split it over several files")
    return Source(name, _unify_line_ends(_decode_text(name, data)))


def _unify_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def leads_outside(file: Path, folder: Path) -> bool:
    """Whether a file is a link to something beyond its assistant's folder."""
    return not file.resolve().is_relative_to(folder.resolve())


def _decode_text(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        good = data[: error.start].decode("utf-8-sig", "replace") + "\ufffd"
        mark = Mark(Source(name, good), len(good) - 1, len(good))
        message = "this is not UTF-8 text"
        raise mark.make_error(message, "E144", "save the file as UTF-8") from None


def _make_unreadable(name: str, code: str, message: str, remedy: str) -> UnreadableFile:
    return UnreadableFile(Problem(message, remedy, file=name, code=code))


def _make_missing_error(path: Path, message: str, remedy: str) -> ConfigError:
    return ConfigError([Problem(message, remedy, file=str(path), code="E140")])
