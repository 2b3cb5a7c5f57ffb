"""Whatever a name holds, a terminal is never told to do anything by it."""

import re
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

import soni.cli
from soni.cli.main import make_app

SIGNS = "\x1b[2J\x9b31m\x07\u202e"
KEY = '"a\\e[2J\\x9b31m\\a\\u202Eb"'
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")

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


def run(*arguments: object, said: str = "") -> Result:
    result = CliRunner().invoke(make_app(), [*map(str, arguments)], input=said, color=False)
    printed = result.stdout + result.stderr
    assert OBEYED.search(printed) is None, repr(printed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / f"bot{SIGNS}"
    (folder / "tests").mkdir(parents=True)
    (folder / "soni.yaml").write_text(ASSISTANT)
    return folder


@pytest.mark.parametrize(
    ("written", "code"),
    [
        (f"flows: {{{KEY}: {{steps: [say: hi]}}}}", "E210"),
        (f"slots: {{{KEY}: {{prompt: hm}}}}", "E210"),
        (f"{KEY}: 1", "E101"),
        (f"flows: {{f: {{steps: [{{{KEY}: 1}}]}}}}", "E105"),
        (f"flows: {{f: {{steps: [{{say: hi, jump_to: {KEY}}}]}}}}", "E201"),
        (f"slots: {{a: {{type: {KEY}}}}}", "E106"),
        (f"settings: {{persistence: {{backend: {KEY}}}}}", "E215"),
    ],
)
def test_what_is_wrong_is_said_without_them(folder: Path, written: str, code: str) -> None:
    (folder / f"more{SIGNS}.yaml").write_text(written)
    result = run("check", folder)
    assert result.exit_code == 1
    assert code in result.stdout
    assert "\ufffd" in result.stdout
    run("check", folder, "--format", "json")
    for verb in ("chat", "graph", "trace", "test", "report", "eval", "record"):
        run(verb, folder)


def test_a_test_is_run_and_its_failure_shown_without_them(folder: Path) -> None:
    expect = f"{{bot: [{KEY}], slots: {{name: {KEY}}}, contains: [{KEY}]}}"
    turns = f"[{{user: hi}}, {{user: {KEY}, expect: {expect}}}]"
    file = folder / "tests" / f"one{SIGNS}.test.yaml"
    file.write_text(f"tests: [{{name: {KEY}, turns: {turns}}}]")
    result = run("test", folder, "--coverage", "--verbose")
    assert "0 passed, 1 failed" in result.stdout
    run("test", file, "-k", SIGNS)
    run("test", folder, "--update", "--yes")


def test_a_conversation_is_held_and_looked_at_without_them(folder: Path) -> None:
    said = f"hi\n{SIGNS}\n/slots\n/log\n/{SIGNS}\n"
    assert "\ufffd" in run("chat", folder, "--user", f"ann{SIGNS}", "--verbose", said=said).stdout
    listed = run("trace", folder).stdout
    assert "ann\ufffd" in listed
    for verb in ("trace", "replay"):
        assert run(verb, folder, f"ann{SIGNS}").exit_code == 0
        assert run(verb, folder, f"eve{SIGNS}").exit_code == 1
    run("trace", folder, f"ann{SIGNS}", "--as-test", "--out", folder / "tests/new.test.yaml")
    run("report", folder)
    run("report", folder, "--html", folder / f"page{SIGNS}.html")
    run("graph", folder, "--flow", SIGNS)
    run("record", folder, said=said)


def test_arguments_are_told_without_them(folder: Path) -> None:
    for arguments in ([SIGNS], ["check", folder, f"--{SIGNS}"], [f"-{SIGNS}"], ["check", SIGNS]):
        assert run(*arguments).exit_code != 0
    run("eval", folder, "--provider", SIGNS, "--curve")
    run("trace", folder, "--turn", SIGNS)


def test_every_verb_prints_by_the_one_way_to_the_terminal() -> None:
    home = Path(soni.cli.__file__).parent
    direct = re.compile(r"\btyper\.(?:echo|secho)\(|(?<![\w.])(?:Console|print)\(")
    found = {
        file.relative_to(home).as_posix()
        for file in home.rglob("*.py")
        if direct.search(file.read_text(encoding="utf-8"))
    }
    assert found == {"text.py"}
