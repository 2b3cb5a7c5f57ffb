"""`soni report`: what it prints and how it ends."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from soni.cli.main import make_app
from tests.unit.audit.holding import file_of, held, shop


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    config = shop(tmp_path / "shop")
    talks = (
        ("ann", ["buy", "pen", "12", "3", "4711", "yes", "<b>bla</b> \x1b[31m"]),
        ("bob", ["buy", "pen", "cancel"]),
        ("José", ["comprar", "ñam"]),
    )
    asyncio.run(held(config, *talks))
    return tmp_path / "shop"


def soni(*arguments: Any) -> Result:
    return CliRunner().invoke(make_app(["report"]), ["report", *map(str, arguments)])


def test_a_report_in_a_pipe_is_plain(folder: Path) -> None:
    result = soni(folder)
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    for line in (
        "conversations 3",
        "turns 12, 0 more failed",
        "tasks started 3",
        "completed of those over 33 %",
        "buy 3 1 1 1 0 0 0 33 % 6 6",
        "buy: collect_item 3 0 0 %",
        "buy: collect_count 3 2 67 %",
        "buy: collect_pin 1 0 0 %",
        "(no open task) 1",
        "count 1",
    ):
        assert line.split() in lines, result.stdout
    assert "<b>bla</b> \ufffd[31m" in result.stdout
    assert "\x1b" not in result.stdout


def test_programs_get_json(folder: Path) -> None:
    result = soni(folder, "--json")
    figures = json.loads(result.stdout)
    assert figures["flows"]["buy"]["started"] == 3
    assert figures["flows"]["buy"]["left_at"] == {"collect_count": 2}
    assert figures["not_understood"]["total"] == 1
    assert figures["refused"] == {"count": 1}
    assert figures["changed"] == {"count": 0, "conversations": []}


def test_a_page_is_written(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    result = soni(folder, "--html", file)
    assert result.exit_code == 0
    assert f"written to {file}" in result.stdout.replace("\n", "")
    text = file.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert "Conversations with shop" in text
    assert "&lt;b&gt;bla&lt;/b&gt;" in text
    assert "<b>" not in text


def test_a_page_that_cannot_be_written(folder: Path, tmp_path: Path) -> None:
    result = soni(folder, "--html", tmp_path / "no" / "such" / "x.html")
    assert result.exit_code == 1
    assert "could not be written" in result.stderr


def test_a_time_is_asked_for(folder: Path) -> None:
    assert "no turns in this time" in soni(folder, "--since", "2026-03-03").stdout
    assert "no turns in this time" in soni(folder, "--until", "2026-03-01T23:00").stdout
    day = soni(folder, "--since", "2026-03-02", "--until", "2026-03-02", "--json")
    assert json.loads(day.stdout)["turns"] == 12
    wrong = soni(folder, "--since", "yesterday")
    assert wrong.exit_code == 2
    assert "is no date" in wrong.stderr


def test_a_changed_journal_is_denounced(folder: Path) -> None:
    with closing(sqlite3.connect(file_of(folder))) as file:
        file.execute("UPDATE journal SET at = at + 1 WHERE conversation_id = 'bob' AND seq = 1")
        file.commit()
    result = soni(folder)
    assert result.exit_code == 1
    assert "1 journals were changed since they were written: bob" in result.stdout


def test_without_a_journal_there_is_no_report(tmp_path: Path) -> None:
    shop(tmp_path / "shop")
    result = soni(tmp_path / "shop")
    assert result.exit_code == 1
    assert "no conversation has been held" in result.stderr


def test_an_assistant_with_mistakes_is_told_them(tmp_path: Path) -> None:
    (tmp_path / "soni.yaml").write_text("flows: {a: {steps: [{sy: hi}]}}")
    result = soni(tmp_path)
    assert result.exit_code == 1
    assert "soni.yaml:1" in result.stderr
