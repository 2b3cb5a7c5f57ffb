"""`soni test`: what it prints and how it ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from soni.cli.main import make_app
from tests.model_server import commands, serving
from tests.program import Terminal

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


def test_a_file_that_is_not_there_is_not_taken_for_one_without_tests(folder: Path) -> None:
    file = folder / "tests" / "gret.test.yaml"
    result = run(file)
    assert (result.exit_code, result.output) == (
        1,
        f"{file}: E140 there is no such file or folder\n"
        "  remedy: give the folder of an assistant\n\n1 problem found\n",
    )


def test_mistakes_in_a_test_file_are_shown_as_mistakes_in_flows_are(folder: Path) -> None:
    (folder / "tests" / "greet.test.yaml").write_text(PASSING.replace("user: Ann", "usr: Ann"))
    result = run(folder)
    assert result.exit_code == 1
    first, line, marks, *rest = result.output.splitlines()
    assert first.startswith("tests/greet.test.yaml:6:10: ")
    assert first.endswith("unknown key 'usr'")
    assert line.index("usr") == marks.index("^^^")
    assert rest == [
        "  available: user, after, commands, api, language, context, stubs, expect",
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


def test_a_model_can_understand_and_what_it_lacks_is_told_once(folder: Path) -> None:
    (folder / "greet.test.yaml").write_text(PASSING)
    result = run(folder, "--nlu", "llm")
    assert result.exit_code == 1
    assert result.output.count("settings.nlu.model is missing") == 1
    name = {"type": "SetSlot", "slot_name": "name", "value": "Ann"}
    with serving(commands(name)) as model:
        settings = f'settings: {{nlu: {{model: tiny, base_url: "{model.url}"}}}}\n'
        (folder / "soni.yaml").write_text(settings + ASSISTANT)
        assert run(folder, "--nlu", "llm").exit_code == 0
        assert len(model.asked) == 1
        assert run(folder).exit_code == 0
        assert len(model.asked) == 1


def test_as_a_program_it_prints_plain_text_and_logs_nothing(folder: Path) -> None:
    (folder / "greet.test.yaml").write_text(PASSING)
    command = [sys.executable, "-m", "soni", "test", str(folder)]
    ran = subprocess.run(command, capture_output=True, check=False)
    assert ran.stdout.decode() == "✓ greets\n1 passed, 0 failed\n"
    assert (ran.returncode, ran.stderr) == (0, b"")


WRONG = """
tests:
  - name: asks   # first
    turns:
      - {user: hi, expect: {bot: [Your name?]}}
"""


def test_coverage_lists_what_no_test_goes_through(folder: Path) -> None:
    (folder / "a.test.yaml").write_text(
        "tests: [{name: a, turns: [{user: hi, expect: {flow: greet}}]}]"
    )
    (folder / "more.yaml").write_text(
        "responses: {bye: Bye.}\nflows:\n  leave:\n    steps: [{say: Bye.}, {say: Really.}]\n"
    )
    result = run(folder, "--coverage")
    assert result.exit_code == 0
    assert result.output == (
        "✓ a\n"
        "1 passed, 0 failed\n"
        "\n"
        "flows that no test runs\n"
        "  more.yaml:3  leave\n"
        "\n"
        "steps that no test reaches\n"
        "  soni.yaml:9  greet.say_hello_name\n"
        "\n"
        "responses that no test hears\n"
        "  more.yaml:1  bye\n"
        "\n"
        "flows         1 of 2    50 %\n"
        "steps         1 of 4    25 %\n"
        "responses     0 of 1     0 %\n"
        "25 % of steps and arms covered\n"
    )


def test_too_little_coverage_fails(folder: Path) -> None:
    (folder / "a.test.yaml").write_text(PASSING)
    enough = run(folder, "--fail-under", "100")
    assert (enough.exit_code, enough.output.splitlines()[-1]) == (
        0,
        "100 % of steps and arms covered",
    )
    (folder / "more.yaml").write_text("flows:\n  leave:\n    steps: [{say: Bye.}]\n")
    little = run(folder, "--fail-under", "66.7")
    assert (little.exit_code, little.output.splitlines()[-1]) == (
        1,
        "66.6 % of steps and arms covered, less than 66.7 %",
    )
    assert run(folder, "--fail-under", "66.6").exit_code == 0


def test_junit_is_written_beside_the_results(folder: Path, tmp_path: Path) -> None:
    (folder / "a.test.yaml").write_text(WRONG)
    result = run(folder, "--junit", tmp_path / "out.xml")
    assert result.exit_code == 1
    written = (tmp_path / "out.xml").read_text(encoding="utf-8")
    assert '<testcase classname="a.test.yaml" name="asks"' in written
    assert "a.test.yaml:5" in written
    nowhere = run(folder, "--junit", tmp_path / "no" / "out.xml")
    assert "could not be written" in str(nowhere.exception)


def test_several_processes_print_the_same(folder: Path) -> None:
    (folder / "a.test.yaml").write_text(PASSING)
    (folder / "b.test.yaml").write_text(FAILING)
    assert run(folder, "-j", "2").output == run(folder, "-j", "1").output
    assert run(folder, "-j", "0").exit_code == 2


def test_update_shows_the_difference_and_writes_it_only_if_told_to(folder: Path) -> None:
    file = folder / "a.test.yaml"
    file.write_text(WRONG)
    shown = run(folder, "--update")
    assert shown.exit_code == 1
    assert shown.output == (
        "--- a.test.yaml\n"
        "+++ a.test.yaml\n"
        "@@ -2,4 +2,4 @@\n"
        " tests:\n"
        "   - name: asks   # first\n"
        "     turns:\n"
        "-      - {user: hi, expect: {bot: [Your name?]}}\n"
        "+      - {user: hi, expect: {bot: [What is your name?]}}\n"
    )
    assert "nobody can be asked here; --yes rewrites 1 expectation" in str(shown.exception)
    assert file.read_text() == WRONG
    done = run(folder, "--update", "--yes")
    assert (done.exit_code, done.output.splitlines()[-1]) == (0, "rewrote 1 expectation in 1 file")
    assert file.read_text() == WRONG.replace("Your name?", "What is your name?")
    assert run(folder, "--update").output == "no expectation to rewrite\n"


def test_options_that_mean_nothing_together_are_refused(folder: Path) -> None:
    (folder / "a.test.yaml").write_text(WRONG)
    assert run(folder, "--yes").exit_code == 2
    for other in (["--coverage"], ["--junit", "x.xml"], ["--fail-under", "1"]):
        assert run(folder, "--update", *other).exit_code == 2


def test_update_says_what_it_cannot_rewrite(folder: Path) -> None:
    (folder / "a.test.yaml").write_text("tests: [{name: a, turns: [{api: release}]}]")
    result = run(folder, "--update", "--yes")
    assert result.exit_code == 1
    assert result.output == (
        "✗ a  a.test.yaml:1: cannot release conversation 'test': it is not handed off\n"
        "no expectation to rewrite\n"
    )


@pytest.mark.parametrize(("answer", "written"), [("y", True), ("n", False)])
def test_on_a_terminal_update_asks(folder: Path, answer: str, written: bool) -> None:
    file = folder / "a.test.yaml"
    file.write_text(WRONG)
    terminal = Terminal("test", folder, "--update")
    os.write(terminal.descriptor, f"{answer}\n".encode())
    shown = "".join(iter(terminal.read, ""))
    assert terminal.wait() == (0 if written else 1)
    terminal.close()
    assert "Rewrite 1 expectation in 1 file?" in shown
    assert (file.read_text() != WRONG) == written


@pytest.mark.parametrize(
    ("processes", "function", "sleep"),
    [
        ("1", "async def", "await asyncio.sleep"),
        ("1", "def", "time.sleep"),
        ("2", "async def", "await asyncio.sleep"),
    ],
    ids=["here", "in a thread", "in processes"],
)
def test_ctrl_c_leaves_at_once_and_cleanly(
    folder: Path, processes: str, function: str, sleep: str
) -> None:
    (folder / "actions.py").write_text(
        "import asyncio, time\nfrom pathlib import Path\nfrom soni import action\n\n"
        f"@action\n{function} wait():\n"
        "    Path(__file__).with_name('began').touch()\n"
        f"    {sleep}(600)\n"
    )
    (folder / "more.yaml").write_text(
        "flows:\n  rest:\n    trigger: {examples: [rest]}\n    steps: [{action: wait}]\n"
    )
    tests = "".join(f"  - {{name: t{n}, turns: [{{user: rest}}]}}\n" for n in range(4))
    (folder / "a.test.yaml").write_text(f"tests:\n{tests}")
    command = [sys.executable, "-m", "soni", "test", str(folder), "-j", processes]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        while not (folder / "began").exists():
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        # Less than the action's own timeout: that is not what ends it.
        out, err = process.communicate(timeout=25)
    assert (process.returncode, out, err.decode()) == (130, b"", "\nstopped\n")


def test_verbose_shows_where_an_action_failed(folder: Path) -> None:
    (folder / "soni.yaml").write_text(
        "flows: {open: {trigger: {examples: [open]}, steps: [{action: unlock}]}}"
    )
    (folder / "actions.py").write_text(
        "from soni import action\n\n@action\ndef unlock():\n    raise LookupError('no key')\n"
    )
    (folder / "tests/a.test.yaml").write_text("tests: [{name: a, turns: [{user: open}]}]")
    assert "in unlock\n    raise LookupError('no key')\n" in run(folder, "--verbose").stderr
    assert run(folder).stderr == ""
