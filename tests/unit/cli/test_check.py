"""`soni check`: what it prints and how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import soni
from soni.cli import main
from soni.config.codes import load_codes
from soni.core.errors import ConfigError, Problem
from soni.steps import step_types

GOOD = """
slots:
  name: {prompt: Who?}
flows:
  greet:
    steps:
      - collect: name
      - say: Hello {name}
"""
ACTIONS = (
    "from soni.decorators import action\n\n@action\ndef wave(): ...\n\n@action\ndef nod(): ...\n"
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "soni.yaml").write_text(GOOD)
    (tmp_path / "actions.py").write_text(ACTIONS)
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(main.make_app(arguments), [str(each) for each in arguments])


def python(code, *arguments):
    """Run Python in a new process that knows nothing but Soni's source."""
    home = Path(soni.__file__).parents[1]
    env = {**os.environ, "PYTHONPATH": str(home)}
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=env,
        check=False,
    )


def soni_command(*arguments):
    return python("from soni.cli.main import app_entry; app_entry()", *arguments)


def test_a_good_assistant_is_counted_in_one_line(folder):
    result = run("check", folder)
    assert (result.exit_code, result.output) == (0, "ok: 1 flow, 1 slot, 2 actions\n")


def test_every_problem_is_printed_and_the_exit_code_is_1(folder):
    (folder / "soni.yaml").write_text(GOOD.replace("{name}", "{nmae}") + "      - sey: x\n")
    result = run("check", folder)
    assert result.exit_code == 1
    assert result.output == (
        "soni.yaml:9:9: E104 unknown step type 'sey'\n"
        "          - sey: x\n"
        "            ^^^^^^\n"
        f"  available: {', '.join(sorted(step_types()))}\n"
        "  remedy: did you mean 'say' or 'set'?\n"
        "\n"
        "1 problem found\n"
    )


def test_piped_output_is_plain_and_never_wrapped(folder):
    (folder / "soni.yaml").write_text(GOOD.replace("Hello", "Hello [bold]" + "very " * 40))
    (folder / "more.yaml").write_text("flows:\n  x: {steps: [{say: '" + "so " * 50 + "{who}'}]}\n")
    result = soni_command("check", folder)
    assert result.returncode == 1
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "more.yaml:2:172: E204 unknown name 'who'",
        "      x: {steps: [{say: '" + "so " * 50 + "{who}'}]}",
        " " * (4 + 171) + "^^^^^",
        "  available: name, session",
        "  remedy: declare it under `slots`, or fill it in a step of this flow",
        "",
        "1 problem found",
    ]


def test_in_a_terminal_it_is_coloured(folder, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    (folder / "soni.yaml").write_text(GOOD.replace("{name}", "{nmae}"))
    assert "\x1b[" in run("check", folder).output


def test_json_is_for_programs(folder):
    (folder / "soni.yaml").write_text(GOOD.replace("{name}", "{nmae}"))
    result = run("check", folder, "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.output) == {
        "ok": False,
        "problems": [
            {
                "code": "E204",
                "severity": "error",
                "file": "soni.yaml",
                "line": 8,
                "column": 20,
                "length": 6,
                "message": "unknown name 'nmae'",
                "remedy": "did you mean 'name'?",
                "available": ["name", "session"],
                "path": ["flows", "greet", "steps", 1, "say"],
            }
        ],
    }


def test_json_of_a_good_assistant_has_no_problems(folder):
    result = run("check", folder, "--format", "json")
    assert result.exit_code == 0
    assert json.loads(result.output) == {"ok": True, "problems": []}


UNUSED = GOOD + "responses:\n  leave_taking: So long\n"


def test_a_warning_is_printed_and_the_assistant_is_fine(folder):
    (folder / "soni.yaml").write_text(UNUSED)
    result = run("check", folder)
    assert result.exit_code == 0
    assert result.output == (
        "soni.yaml:10:3: W602 nothing says response 'leave_taking'\n"
        "      leave_taking: So long\n"
        "      ^^^^^^^^^^^^\n"
        "  remedy: say it in a step, `- {type: say, response: leave_taking}`, or remove it\n"
        "\n"
        "ok: 1 flow, 1 slot, 2 actions, 1 warning\n"
    )


def test_a_strict_check_fails_on_a_warning(folder):
    (folder / "soni.yaml").write_text(UNUSED)
    result = run("check", folder, "--strict")
    assert result.exit_code == 1
    assert result.output.endswith("\n1 warning found\n")


def test_errors_and_warnings_are_counted_apart(folder):
    branch = "      - branch: [{condition: name == 'x', then: end}]\n"
    (folder / "soni.yaml").write_text(GOOD.replace("{name}", "{nmae}") + branch)
    result = run("check", folder)
    assert result.exit_code == 1
    assert result.output.endswith("\n1 problem and 1 warning found\n")


@pytest.mark.parametrize(("options", "ok"), [((), True), (("--strict",), False)])
def test_json_tells_warnings_from_errors(folder, options, ok):
    (folder / "soni.yaml").write_text(UNUSED)
    report = json.loads(run("check", folder, "--format", "json", *options).output)
    assert report["ok"] is ok
    assert [(each["code"], each["severity"]) for each in report["problems"]] == [
        ("W602", "warning")
    ]


def test_a_code_is_explained(monkeypatch):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    result = run("check", "--explain", "e114")
    assert result.exit_code == 0
    assert result.output == (
        "E114 defined twice\n"
        "\n"
        "One key stands twice in a mapping, or in two files of the assistant. Either could be "
        "meant, so neither is taken silently.\n"
        "\n"
        "Keep one of the two, or rename one.\n"
        "\n"
        "Wrong:\n"
        "\n"
        "    flows:\n"
        "      greet:\n"
        "        description: Says hello\n"
        "        description: Greets\n"
        "        steps:\n"
        "          - say: Hello\n"
        "\n"
        "Right:\n"
        "\n"
        "    flows:\n"
        "      greet:\n"
        "        description: Says hello\n"
        "        steps:\n"
        "          - say: Hello\n"
    )


def test_in_a_terminal_an_explanation_is_coloured_and_wrapped(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = run("check", "--explain", "E114").output
    assert "\x1b[" in shown
    assert max(len(line) for line in shown.splitlines()) < 80


def test_an_unknown_code_is_answered_with_the_nearest_and_all_others():
    result = run("check", "--explain", "104")
    assert result.exit_code == 1
    first, _, *others = result.output.splitlines()
    assert first.startswith("there is no code '104'; did you mean 'E104'?")
    assert others == [f"  {code.code}  {code.title}" for code in load_codes().values()]


def test_without_a_folder_it_says_what_is_missing():
    result = run("check")
    assert result.exit_code == 2
    assert "give the assistant's folder" in result.output


def test_a_folder_that_is_not_there_is_a_problem_like_others(tmp_path):
    result = run("check", tmp_path / "gone")
    assert result.exit_code == 1
    assert "gone: E140 there is no such file or folder" in result.output


def test_no_path_of_this_machine_is_printed(folder):
    (folder / "soni.yaml").write_text("flows: 3\n")
    (folder / "actions.py").write_text("1 / 0\n")
    for output in ("text", "json"):
        assert str(folder) not in run("check", folder, "--format", output).output


def test_check_needs_no_langgraph(folder):
    code = (
        "import sys\n"
        "from soni.cli.main import app_entry\n"
        "try:\n    app_entry()\n"
        "finally:\n    print([name for name in ('langgraph', 'dspy') if name in sys.modules])\n"
    )
    result = python(code, "check", folder)
    assert result.stdout.splitlines() == ["ok: 1 flow, 1 slot, 2 actions", "[]"]


def test_import_soni_is_light():
    code = (
        "import sys, soni; print([m for m in ('langgraph', 'typer', 'dspy') if m in sys.modules])"
    )
    assert python(code).stdout.strip() == "[]"


def test_the_version_is_shown():
    result = soni_command("--version")
    assert result.returncode == 0
    assert result.stdout.startswith("soni")


def test_without_a_verb_the_verbs_are_listed():
    result = soni_command()
    assert "check" in result.stdout + result.stderr


def test_an_unknown_verb_and_an_unknown_format_are_refused(folder):
    assert soni_command("chekc", folder).returncode == 2
    assert run("check", folder, "--format", "xml").exit_code == 2


def test_errors_of_soni_end_without_a_traceback(monkeypatch, capsys):
    def broken(app):
        @app.command("check")
        def check():
            raise ConfigError([Problem("all wrong")])

    monkeypatch.setattr("soni.cli.check.register", broken)
    monkeypatch.setattr(sys, "argv", ["soni", "check"])
    with pytest.raises(SystemExit) as ended:
        main.app_entry()
    assert ended.value.code == 1
    assert capsys.readouterr().err == "1 problem found\n\nassistant: all wrong\n"


def test_other_errors_are_not_hidden(monkeypatch):
    def broken(app):
        @app.command("check")
        def check():
            raise RuntimeError("a mistake of ours")

    monkeypatch.setattr("soni.cli.check.register", broken)
    monkeypatch.setattr(sys, "argv", ["soni", "check"])
    with pytest.raises(RuntimeError, match="a mistake of ours"):
        main.app_entry()
