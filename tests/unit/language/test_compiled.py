"""A language's compiled form holds what its YAML says."""

import json
from pathlib import Path

import pytest

from soni.language.source import read_sections
from tools.language import compile_language, find_stale, main

SOURCE = """
language: {name: Deutsch, models: false}
lexicon:
  affirm: [ja, jawohl]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "de.yaml").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def test_the_compiled_forms_are_up_to_date() -> None:
    # Write them anew with `python -m tools.language`.
    assert list(find_stale()) == []


def test_the_compiled_form_is_the_same_as_the_yaml(folder: Path) -> None:
    assert main([], folder) == 0
    compiled = json.loads((folder / "de.json").read_text(encoding="utf-8"))
    assert compiled == read_sections(folder / "de.yaml")
    assert compiled["lexicon"]["affirm"] == ["ja", "jawohl"]
    assert main(["--check"], folder) == 0


def test_a_form_that_is_absent_or_out_of_date_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--check"], folder) == 1
    assert "de.json: is not there" in capsys.readouterr().out
    main([], folder)
    (folder / "de.yaml").write_text(SOURCE.replace("jawohl", "gerne"), encoding="utf-8")
    capsys.readouterr()
    assert main(["--check"], folder) == 1
    assert "de.json: does not hold what its YAML says" in capsys.readouterr().out


def test_a_mistake_in_the_yaml_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "de.yaml").write_text(SOURCE.replace("affirm", "afirm"), encoding="utf-8")
    main([], folder)
    capsys.readouterr()
    assert main(["--check"], folder) == 1
    assert "did you mean 'affirm'?" in capsys.readouterr().out


def test_keys_that_json_would_change_are_refused(folder: Path) -> None:
    (folder / "de.yaml").write_text(f"{SOURCE}days:\n  places: {{1: first}}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="quote keys that are no text"):
        compile_language(folder / "de.yaml")
