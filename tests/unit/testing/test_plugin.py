"""pytest runs conversation tests as its own."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.program import python

# As if it came from its entry point, wherever these tests run.
PLUGIN = ("-p", "no:soni", "-p", "soni.testing.plugin")
# It comes with LangChain, and importing it takes long.
UNUSED = ("-p", "no:langsmith_plugin", "-p", "no:cacheprovider")

TESTS = """
tests:
  - name: buys tea
    turns:
      - {user: buy something, expect: {flow: buy}}
  - name: misses a word
    turns:
      - {user: buy something, expect: {bot: [What?]}}
"""


# Where one of these is set, pytest repeats each failure at its end.
CLEAN = "import os\nfor name in ('CI', 'BUILD_NUMBER'):\n    os.environ.pop(name, None)\n"


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    given = ["-q", *UNUSED, *PLUGIN, *arguments]
    return python(f"{CLEAN}import pytest\nraise SystemExit(pytest.main({given!r}))", folder)


def test_each_test_is_an_item_and_a_failure_reads_well(shop: Callable[..., Path]) -> None:
    folder = shop(TESTS)
    ran = pytest_in(folder)
    assert ran.returncode == 1
    assert "1 failed, 1 passed" in ran.stdout
    shown = """\
_________________________________ misses a word ________________________________
tests/shop.test.yaml:8
turn 1, bot:
  - expected  + got
  - "What?"
  + "What would you like?"
transcript:
  user: buy something
   bot: What would you like?
"""
    assert [line.strip("_ ") for line in shown.splitlines()] == [
        line.strip("_ ")
        for line in ran.stdout.splitlines()
        if line.strip("_ ") in {each.strip("_ ") for each in shown.splitlines()}
    ]
    assert "Traceback" not in ran.stdout


def test_one_can_be_chosen_by_its_name_or_file(shop: Callable[..., Path]) -> None:
    folder = shop(TESTS)
    assert pytest_in(folder, "-k", "buys").returncode == 0
    one = pytest_in(folder, "tests/shop.test.yaml::buys tea")
    assert (one.returncode, "1 passed" in one.stdout) == (0, True)


def test_mistakes_are_told_when_the_file_is_collected(shop: Callable[..., Path]) -> None:
    ran = pytest_in(shop("tests: [{name: x, turns: [{usr: hi}]}]"))
    assert ran.returncode == 2
    assert "unknown key 'usr'" in ran.stdout
    assert "did you mean 'user'?" in ran.stdout
    assert "Traceback" not in ran.stdout


def test_files_of_others_are_left_alone_and_nothing_is_imported(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "other.test.yaml").write_text("- not: ours")
    (tmp_path / "tests" / "test_light.py").write_text(
        "import sys\n\n"
        "def test_light():\n"
        "    loaded = {name for name in sys.modules if name.startswith('soni')}\n"
        "    assert loaded == {'soni', 'soni.testing', 'soni.testing.plugin'}\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", *UNUSED, *PLUGIN]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "1 passed" in ran.stdout, ran.stdout
