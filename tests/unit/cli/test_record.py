"""`soni record`: a chat that becomes a test."""

import subprocess
from pathlib import Path

import pytest

from soni.testing import run_tests
from tests.program import soni

ASSISTANT = """
slots:
  item: {prompt: What would you like?}
  pin: {prompt: Your pin?, sensitive: true%s}
actions:
  order: {inputs: [item], outputs: [number]}
flows:
  buy:
    trigger: {examples: [buy something]}
    steps:
      - collect: item
      - collect: pin
      - action: order
        on_error: sorry
      - say: "Order {number}."
        jump_to: end
      - step: sorry
        say: "No: {_error_type}"
"""
# Ever another number, as a real backend gives it.
ACTIONS = """
from pathlib import Path
from soni import action, ActionError

@action
def order(item):
    if item == "gold":
        raise ActionError("sold_out", "no more")
    count = Path(__file__).with_name("count")
    number = int(count.read_text()) + 1 if count.exists() else 1
    count.write_text(str(number))
    return {"number": number}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "soni.yaml").write_text(ASSISTANT % ', examples: ["0000"]')
    (tmp_path / "actions.py").write_text(ACTIONS)
    return tmp_path


def record(folder: Path, lines: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return soni("record", folder, *arguments, given=lines)


async def test_a_chat_becomes_a_test_that_needs_no_backend(folder: Path) -> None:
    out = folder / "tests" / "buys.test.yaml"
    ran = record(folder, "buy something\ntea\n1234\n", "--out", out)
    assert (ran.stdout, ran.returncode) == ("What would you like?\nYour pin?\nOrder 1.\n", 0)
    assert ran.stderr == f"wrote {out}\n"
    now = next(line for line in out.read_text().splitlines() if "now:" in line)
    assert (
        out.read_text()
        == f"""\
tests:
  - name: recorded conversation of test
{now}
    language: en
    stubs: {{order: {{number: 1}}}}
    turns:
      - user: buy something
        commands: [{{StartFlow: {{flow_name: buy}}}}]
        expect:
          bot: [What would you like?]
          flow: buy
          waiting_for: item
          state: waiting_for_slot
      - user: tea
        commands: [{{SetSlot: {{slot_name: item, value: tea}}}}]
        expect:
          bot: [Your pin?]
          slots: {{item: tea}}
          flow: buy
          waiting_for: pin
          state: waiting_for_slot
      - user: "••••"
        commands: [{{SetSlot: {{slot_name: pin, value: "0000"}}}}]
        expect:
          bot: [Order 1.]
          flow: null
          state: idle
          actions: [{{order: {{item: tea}}}}]
          completed: [buy]
"""
    )
    # The backend would give another number now.
    assert (folder / "count").read_text() == "1"
    [result] = await run_tests(folder)
    assert result.passed
    assert (folder / "count").read_text() == "1"


async def test_an_error_of_an_action_is_a_stub_too(folder: Path) -> None:
    ran = record(folder, "buy something\ngold\n1234\n")
    assert ran.returncode == 0
    [file] = (folder / "tests").iterdir()
    assert file.name.startswith("recorded-")
    assert "stubs: {order: {error: sold_out, message: no more}}" in file.read_text()
    assert [result.passed for result in await run_tests(folder)] == [True]


def test_a_secret_that_nothing_can_stand_in_for_is_named(folder: Path) -> None:
    (folder / "soni.yaml").write_text(ASSISTANT % "")
    out = folder / "x.test.yaml"
    ran = record(folder, "buy something\ntea\n1234\n", "--out", out)
    assert "the value of 'pin' is not on record" in ran.stderr
    assert out.read_text().startswith("# the value of 'pin' is not on record")
    assert "1234" not in out.read_text()


def test_nothing_said_is_nothing_written(folder: Path) -> None:
    ran = record(folder, "/help\n")
    assert (ran.returncode, ran.stderr) == (0, "nothing was said, so nothing was written\n")
    assert not (folder / "tests").exists()


def test_a_file_that_is_there_is_not_overwritten(folder: Path) -> None:
    ran = record(folder, "buy something\n", "--out", folder / "soni.yaml")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "is there already; name a new file with --out" in ran.stderr


def test_a_place_that_cannot_be_written_to_is_told_before_the_chat(folder: Path) -> None:
    (folder / "tests").write_text("no folder")
    ran = record(folder, "buy something\n")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert f"{folder / 'tests'} is no folder that can be written to" in ran.stderr


def test_a_new_beginning_is_a_new_test(folder: Path) -> None:
    out = folder / "x.test.yaml"
    record(folder, "buy something\n/reset\nbuy something\ntea\n", "--out", out)
    assert out.read_text().count("  - name: recorded conversation of test, part ") == 2
