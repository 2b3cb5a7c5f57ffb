"""`soni replay`: what it prints and how it ends."""

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
from tests.unit.audit.holding import BUYING, SHOP, file_of, held, shop


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    config = shop(tmp_path / "shop")
    asyncio.run(held(config, ("ann", BUYING), ("bob", ["hours", "\x1b[2Jbuy"])))
    return tmp_path / "shop"


def soni(*arguments: Any) -> Result:
    return CliRunner().invoke(make_app(["replay"]), ["replay", *map(str, arguments)])


def test_an_unedited_assistant_shows_no_difference(folder: Path) -> None:
    result = soni(folder, "ann")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "✓ turn 1  buy",
        "✓ turn 2  pen",
        "✓ turn 3  12",
        "✓ turn 4  3",
        "✓ turn 5  ••••",
        "✓ turn 6  ••••",
        "✓ turn 7  yes",
        "",
        "sensitive values are not on record: •••• stands in for them, and their slots took it as "
        "they took the value then",
        "7 turns, no differences",
    ]


def test_an_edited_one_shows_what_is_different(folder: Path) -> None:
    shop(folder, SHOP.replace("How many?", "What number?"))
    result = soni(folder, "ann")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[:5] == [
        "✓ turn 1  buy",
        "✗ turn 2  pen",
        "    replies:",
        '      - "How many?"',
        '      + "What number?"',
    ]
    assert lines[-3:] == [
        "the assistant was changed since the conversation was recorded",
        "- then  + now",
        "2 of 7 turns are different",
    ]


def test_an_action_that_is_new_is_not_recorded(folder: Path) -> None:
    new = "      - {action: announce, inputs: {queue: a, reason: b}}\n      - collect: count\n"
    shop(folder, SHOP.replace("      - collect: count\n", new))
    result = soni(folder, "ann")
    assert result.exit_code == 1
    assert "    action announce: not recorded, so it failed" in result.stdout


def test_programs_get_a_line_for_each_turn(folder: Path) -> None:
    shop(folder, SHOP.replace("How many?", "What number?"))
    result = soni(folder, "ann", "--json")
    assert result.exit_code == 1
    turns = [json.loads(line) for line in result.stdout.splitlines()]
    assert [turn["same"] for turn in turns] == [True, False, False, True, True, True, True]
    assert turns[1]["differences"] == [
        {"what": "replies", "then": ["How many?"], "now": ["What number?"]}
    ]


def test_a_file_of_entries_is_held_again(folder: Path, tmp_path: Path) -> None:
    traced = CliRunner().invoke(make_app(["trace"]), ["trace", str(folder), "ann", "--json"])
    file = tmp_path / "ann.jsonl"
    file.write_text(traced.stdout, encoding="utf-8")
    result = soni(folder, file)
    assert result.exit_code == 0
    assert "7 turns, no differences" in result.stdout
    lines = traced.stdout.splitlines()
    file.write_text("\n".join([*lines[:2], *lines[3:]]), encoding="utf-8")
    cut = soni(folder, file)
    assert cut.exit_code == 1
    assert "the journal was changed: Journal of conversation 'ann', entry 4" in cut.stdout


def test_a_changed_journal_is_not_relied_on(folder: Path) -> None:
    with closing(sqlite3.connect(file_of(folder))) as file:
        file.execute("UPDATE journal SET at = at + 1 WHERE conversation_id = 'ann' AND seq = 3")
        file.commit()
    result = soni(folder, "ann")
    assert result.exit_code == 1
    assert "the journal was changed" in result.stdout


@pytest.mark.parametrize("user", ["zoe", "a/b\x00c", "x" * 5000])
def test_whom_nobody_knows(user: str, folder: Path) -> None:
    result = soni(folder, user)
    assert result.exit_code == 1
    assert "there is no conversation of" in result.stderr


def test_an_empty_file_holds_no_conversation(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_text("\n")
    result = soni(folder, file)
    assert result.exit_code == 1
    assert "holds no conversation" in result.stderr


def test_what_users_wrote_is_never_obeyed(folder: Path) -> None:
    result = soni(folder, "bob")
    assert result.exit_code == 0
    assert "✓ turn 2  \ufffd[2Jbuy" in result.stdout
    assert "\x1b" not in result.output


def test_the_journal_is_as_it_was(folder: Path) -> None:
    def rows() -> list[Any]:
        with closing(sqlite3.connect(file_of(folder))) as file:
            return file.execute("SELECT * FROM journal ORDER BY conversation_id, seq").fetchall()

    before = rows()
    soni(folder, "ann")
    assert rows() == before


def test_with_today_the_messages_are_understood_anew(folder: Path) -> None:
    result = soni(folder, "ann", "--today")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert "0 of 5 messages understood differently" in lines
    assert lines[-1] == "7 turns, no differences"


def test_with_today_another_reading_is_shown_with_what_follows_from_it(folder: Path) -> None:
    shop(folder, SHOP.replace("    trigger: {examples: [buy, comprar]}\n", ""))
    result = soni(folder, "ann", "--today")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == "✗ turn 1  buy"
    assert lines[1] == "    understood:"
    assert lines[2] == '      - StartFlow={"flow_name": "buy"}'
    assert "    replies:" in lines
    plain = json.loads(soni(folder, "ann", "--today", "--json").stdout.splitlines()[0])
    assert plain["understood"]["then"] == [{"type": "StartFlow", "flow_name": "buy"}]
    assert plain["same"] is False
