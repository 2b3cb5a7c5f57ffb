"""The files in an assistant's `knowledge/` folder: lists of entries, read in order."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from soni.config.data_builder import DataBuilder
from soni.config.files import LoadedFiles, check_total_size, is_assistant_file, read_source
from soni.config.yaml import SequenceNode, parse_yaml
from soni.core.errors import UnreadableFile, describe_value

FOLDER: Final = "knowledge"
_SECTION: Final = "knowledge"


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


def read_knowledge(files: Sequence[Path], home: Path, read: LoadedFiles) -> None:
    """Add the entries of all files to those of the assistant's own `knowledge`."""
    for file in files:
        try:
            _read_file(file, home, read)
        except UnreadableFile as unreadable:
            read.problems.append(unreadable.problem)
            read.complete = False


def _read_file(file: Path, home: Path, read: LoadedFiles) -> None:
    source = read_source(file, f"{FOLDER}/{file.name}", home=home)
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
