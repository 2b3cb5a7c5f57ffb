"""Every broken assistant is explained word for word; every code has at least one."""

import re
from pathlib import Path

import pytest

from soni.config.codes import load_codes
from tests.config_errors.cases import CASES, HOME, folders, shown

# Only a conversation test, a file of sentences or a language's file can have them.
ELSEWHERE = {"E313", "E701", "E702", "W606", "W607", "E601", "E602", "E603", "E604", "E605", "E606"}


@pytest.mark.parametrize("name", folders())
def test_the_author_reads(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = (HOME / name / "expected.txt").read_text(encoding="utf-8")
    assert shown(name, tmp_path, monkeypatch) == expected


@pytest.mark.parametrize("name", CASES)
def test_the_case_shows_the_code_it_is_named_after(name: str) -> None:
    expected = (HOME / name / "expected.txt").read_text(encoding="utf-8")
    said = re.findall(r"^\S+: ([EW]\d{3}) ", expected, re.MULTILINE)
    assert name.split("_")[0] in said
    assert set(said) <= set(load_codes())


def test_every_code_has_a_case() -> None:
    assert {name.split("_")[0] for name in CASES} == set(load_codes()) - ELSEWHERE


def test_there_are_many() -> None:
    assert len(CASES) >= 60
