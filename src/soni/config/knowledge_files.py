"""The files in an assistant's `knowledge/` folder: lists of entries, read in order."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from soni.config.files import Read, is_yaml, read_source, small_enough
from soni.config.plain import Plain
from soni.config.yaml import Items, parse_yaml
from soni.core.errors import Problem, Unreadable, describe_value

FOLDER: Final = "knowledge"
_KEY: Final = "knowledge"
_BEGIN: Final = "begin each entry with `- question: ...`"


def knowledge_files(path: Path, others: Sequence[Path]) -> list[Path]:
    """The files, in the order of their names; none for an assistant that is a single file.

    Raises `ConfigError` if they are too large together with the assistant's `others`.
    """
    folder = path / FOLDER
    if not folder.is_dir():
        return []
    files = sorted(file for file in folder.iterdir() if is_yaml(file))
    small_enough([*others, *files])
    return files


def read_knowledge(files: Sequence[Path], home: Path, read: Read) -> None:
    """Add the entries of all files to those of the assistant's own `knowledge`."""
    for file in files:
        try:
            _read_file(file, home, read)
        except Unreadable as unreadable:
            read.problems.append(unreadable.problem)
            read.complete = False


def _read_file(file: Path, home: Path, read: Read) -> None:
    source = read_source(file, f"{FOLDER}/{file.name}", home=home)
    node, problems = parse_yaml(source)
    read.problems += problems
    plain = Plain()
    data = plain.data(node) if node is not None else None
    if data is None or data == []:
        message = "nothing is written here"
        remedy = "write an entry, beginning with `- question: ...`, or remove the file"
        read.problems.append(Problem(message, remedy, file=source.file, code="E141"))
        return
    if not isinstance(node, Items):
        assert node is not None
        message = f"expected a list, found {describe_value(data)}"
        raise Unreadable(node.mark.problem(message, code="E103", remedy=_BEGIN))
    _append_entries(data, plain, read)


def _append_entries(data: list[object], plain: Plain, read: Read) -> None:
    positions = read.positions
    entries = positions.data.setdefault(_KEY, [])
    if not isinstance(entries, list):
        return  # the model reports that `knowledge` in the assistant's files is no list
    start = len(entries)
    entries += data
    for of_all, of_file in ((positions.keys, plain.keys), (positions.values, plain.values)):
        for place, mark in of_file.items():
            if place:
                of_all[(_KEY, start + int(place[0]), *place[1:])] = mark
