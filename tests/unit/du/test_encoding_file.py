"""Encoded texts are kept in a file, and a file that is no good is as good as none."""

import json
from pathlib import Path

import numpy as np
import pytest

from soni.du.encoder.encoding_file import FILE_NAME, EncodingFile, Encodings, make_key
from soni.du.encoder.sentence import Sentence


def encodings() -> Encodings:
    vector = np.linspace(0, 1, 8, dtype=np.float32)
    sentences = {
        make_key("book a table"): Sentence(vector, (4, 5), np.ones((2, 8), dtype=np.float16)),
        make_key("order tea"): Sentence(-vector, (6,), np.full((1, 8), 2, dtype=np.float16)),
    }
    return Encodings(sentences, {make_key("tea"): vector * 3})


def is_same(one: Encodings, other: Encodings) -> bool:
    return (
        list(one.sentences) == list(other.sentences)
        and list(one.vectors) == list(other.vectors)
        and all(np.array_equal(one.vectors[key], other.vectors[key]) for key in one.vectors)
        and all(
            said.pieces == other.sentences[key].pieces
            and np.array_equal(said.vector, other.sentences[key].vector)
            and np.array_equal(said.words, other.sentences[key].words)
            for key, said in one.sentences.items()
        )
    )


@pytest.mark.parametrize("made", [encodings(), Encodings()])
def test_what_was_stored_comes_back_the_same(made: Encodings, tmp_path: Path) -> None:
    file = EncodingFile(tmp_path / "new" / FILE_NAME, "7")
    assert file.load() == Encodings()
    file.store(made)
    assert is_same(file.load(), made)
    assert [path.name for path in (tmp_path / "new").iterdir()] == [FILE_NAME]


def test_the_file_of_another_model_is_ignored_and_replaced(tmp_path: Path) -> None:
    EncodingFile(tmp_path / FILE_NAME, "7").store(encodings())
    file = EncodingFile(tmp_path / FILE_NAME, "8")
    assert file.load() == Encodings()
    file.store(encodings())
    assert is_same(file.load(), encodings())


@pytest.mark.parametrize("place", [0, 20, 200, -1])
def test_a_damaged_file_is_ignored(place: int, tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    file = EncodingFile(path, "7")
    file.store(encodings())
    content = bytearray(path.read_bytes())
    content[place] ^= 0xFF
    path.write_bytes(content)
    assert file.load() == Encodings()


def _foreign(about: object) -> bytes:
    header = json.dumps({"__metadata__": about}).encode()
    return len(header).to_bytes(8, "little") + header


@pytest.mark.parametrize(
    "content",
    [b"", b"not a file of ours", b"\x80\x04pickle", _foreign(5), _foreign({"models": "7"})],
)
def test_a_file_of_something_else_is_ignored(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(content)
    assert EncodingFile(path, "7").load() == Encodings()


def test_a_place_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    file = EncodingFile(tmp_path / "file" / FILE_NAME, "7")
    file.store(encodings())
    assert file.load() == Encodings()
