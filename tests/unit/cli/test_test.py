"""`soni test`: what it prints and how it ends."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from click.testing import Result
from typer.testing import CliRunner

from soni.cli.main import make_app

ASSISTANT = """
slots:
  name: {prompt: What is your name?}
flows:
  greet:
    trigger: {examples: [hi]}
    steps:
      - collect: name
      - say: "Hello, {name}!"
"""
PASSING = """
tests:
  - name: greets
    turns:
      - {user: hi, expect: {bot: [What is your name?]}}
      - {user: Ann, expect: {bot: ["Hello, Ann!"]}}
"""
FAILING = """
tests:
  - name: misses a word
    turns:
      - {user: hi, expect: {bot: [What is your name?]}}
      - user: Ann
        expect:
          bot: ["Hello, Ann!", Bye.]
          contains: [Ann, Bob]
          not_contains: [Hello]
          slots: {name: Bob}
          state: confirming
  - name: releases nobody
    turns: [{api: release}]
"""


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """The command sets up logging for its whole process, which here is that of all tests."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "soni.yaml").write_text(ASSISTANT)
    (tmp_path / "tests").mkdir()
    return tmp_path


def run(*arguments: object) -> Result:
    given = ["test", *map(str, arguments)]
    return CliRunner().invoke(make_app(given), given)


def test_a_line_for_each_test_and_a_summary(folder: Path) -> None:
    (folder / "tests" / "greet.test.yaml").write_text(PASSING)
    result = run(folder)
    assert (result.exit_code, result.output) == (0, "✓ greets\n1 passed, 0 failed\n")


def test_a_failure_shows_the_difference_and_what_was_said(folder: Path) -> None:
    (folder / "tests" / "greet.test.yaml").write_text(PASSING)
    (folder / "tests" / "wrong.test.yaml").write_text(FAILING)
    result = run(folder)
    assert result.exit_code == 1
    assert result.output == (
        "✓ greets\n"
        "✗ misses a word  tests/wrong.test.yaml:8\n"
        "    turn 2, bot:\n"
        "      - expected  + got\n"
        '        "Hello, Ann!"\n'
        '      - "Bye."\n'
        "    turn 2, contains:\n"
        '      missing  "Bob"\n'
        '      in  "Hello, Ann!"\n'
        "    turn 2, not_contains:\n"
        '      unexpected  "Hello"\n'
        '      in  "Hello, Ann!"\n'
        "    turn 2, slots:\n"
        "      - expected  + got\n"
        '      - name: "Bob"\n'
        "      + name: null\n"
        "    turn 2, state:\n"
        '      - expected  "confirming"\n'
        '      + got       "idle"\n'
        "    transcript:\n"
        "      user: hi\n"
        "       bot: What is your name?\n"
        "      user: Ann\n"
        "       bot: Hello, Ann!\n"
        "✗ releases nobody  tests/wrong.test.yaml:14\n"
        "    turn 1 could not be run: cannot release conversation 'test': it is not handed off\n"
        "    transcript:\n"
        "       api: release\n"
        "1 passed, 2 failed\n"
    )


def test_one_file_or_a_part_of_a_name_may_be_chosen(folder: Path) -> None:
    passing, failing = folder / "tests" / "greet.test.yaml", folder / "wrong.test.yaml"
    passing.write_text(PASSING)
    failing.write_text(FAILING)
    assert run(passing).output == "✓ greets\n1 passed, 0 failed\n"
    assert run(folder, "-k", "GREET").output == "✓ greets\n1 passed, 0 failed\n"
    nothing = run(folder, "-k", "weather")
    assert (nothing.exit_code, nothing.output) == (1, "no test's name holds 'weather'\n")


def test_without_a_test_it_says_so(folder: Path) -> None:
    result = run(folder)
    assert (result.exit_code, result.output) == (1, f"no tests in {folder}\n")


def test_mistakes_in_a_test_file_are_shown_as_mistakes_in_flows_are(folder: Path) -> None:
    (folder / "tests" / "greet.test.yaml").write_text(PASSING.replace("user: Ann", "usr: Ann"))
    result = run(folder)
    assert result.exit_code == 1
    first, line, marks, *rest = result.output.splitlines()
    assert first.startswith("tests/greet.test.yaml:6:10: ")
    assert first.endswith("unknown key 'usr'")
    assert line.index("usr") == marks.index("^^^")
    assert rest == [
        "  available: user, after, commands, api, expect",
        "  remedy: did you mean 'user'?",
        "",
        "1 problem found",
    ]


def test_scripted_understanding_wants_commands(folder: Path) -> None:
    (folder / "greet.test.yaml").write_text(PASSING)
    result = run(folder, "--nlu", "scripted")
    assert result.exit_code == 1
    assert result.output.count("every message needs its `commands`") == 2
    assert result.output.endswith("2 problems found\n")


def test_as_a_program_it_prints_plain_text_and_logs_nothing(folder: Path) -> None:
    (folder / "greet.test.yaml").write_text(PASSING)
    command = [sys.executable, "-m", "soni", "test", str(folder)]
    ran = subprocess.run(command, capture_output=True, check=False)
    assert ran.stdout.decode() == "✓ greets\n1 passed, 0 failed\n"
    assert (ran.returncode, ran.stderr) == (0, b"")
