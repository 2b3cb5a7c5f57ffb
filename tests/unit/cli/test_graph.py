"""`soni graph`: what it prints and how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import soni
from soni.cli import main

ASSISTANT = """
slots:
  name: {prompt: ¿Quién?}
flows:
  greet:
    steps:
      - collect: name
      - link: part
  part:
    steps:
      - say: Bye {name}
"""
EXAMPLES = sorted(p.parent for p in Path(__file__).parents[3].glob("examples/*/soni.yaml"))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "soni.yaml").write_text(ASSISTANT, encoding="utf-8")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(main.make_app(arguments), [str(each) for each in arguments])


def soni_command(*arguments, first="", **env):
    """Run the command in a new process; afterwards it says which of some modules it loaded."""
    code = (
        f"import sys\n{first}\nfrom soni.cli.main import app_entry\n"
        "try:\n    app_entry()\n"
        "finally:\n    seen = [m for m in ('langgraph', 'fast_sugiyama') if m in sys.modules]\n"
        "    print(seen, file=sys.stderr)\n"
    ).replace("\\\n", "\n")
    home = Path(soni.__file__).parents[1]
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(home), **env},
        check=False,
    )


def test_mermaid_is_printed_unless_another_format_is_asked_for(folder):
    result = run("graph", folder)
    assert result.exit_code == 0
    assert result.output.startswith('flowchart TD\n  subgraph f0["greet"]\n')
    assert result.output == run("graph", folder, "--format", "mermaid").output


def test_svg_is_a_whole_document(folder):
    result = run("graph", folder, "--format", "svg")
    assert result.exit_code == 0
    assert ElementTree.fromstring(result.output).tag == "{http://www.w3.org/2000/svg}svg"
    assert "¿Quién?" in result.output


def test_json_holds_every_flow(folder):
    flows = json.loads(run("graph", folder, "--format", "json").output)["flows"]
    assert list(flows) == ["greet", "part"]
    assert {"from": "link_part", "to": "flow:part", "kind": "link", "label": ""} in flows["greet"][
        "edges"
    ]


@pytest.mark.parametrize("format", ["mermaid", "svg", "json"])
def test_one_flow_can_be_chosen(folder, format):
    result = run("graph", folder, "--flow", "part", "--format", format)
    assert "say_bye_name" in result.output or "_bye" in result.output
    assert "collect" not in result.output.partition("</style>")[2 if format == "svg" else 0]


def test_an_unknown_flow_lists_those_there_are(folder):
    result = run("graph", folder, "--flow", "gret")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "flows: there is no flow 'gret'\n"
        "  available: greet, part\n"
        "  remedy: did you mean 'greet'?\n"
        "\n"
        "1 problem found\n"
    )
    assert "remedy" not in run("graph", folder, "--flow", "xyz").stderr


def test_a_broken_assistant_is_not_drawn_its_problems_are_said(folder):
    (folder / "soni.yaml").write_text(ASSISTANT.replace("{name}", "{nmae}"), encoding="utf-8")
    result = run("graph", folder)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == run("check", folder).stdout
    assert "unknown name 'nmae'" in result.stderr


def test_a_file_is_written_instead(folder):
    target = folder / "picture.svg"
    result = run("graph", folder, "--format", "svg", "--output", target)
    assert (result.exit_code, result.output) == (0, "")
    assert target.read_bytes() == run("graph", folder, "--format", "svg").stdout_bytes


def test_a_file_that_cannot_be_written_is_named(folder):
    result = soni_command("graph", folder, "--output", folder / "gone" / "picture.mmd")
    assert result.returncode == 1
    assert b"picture.mmd could not be written: No such file or directory" in result.stderr
    assert b"Traceback" not in result.stderr


def test_the_letters_of_a_text_need_no_terminal_that_has_them(folder):
    result = soni_command("graph", folder, "--format", "svg", PYTHONIOENCODING="ascii")
    assert "¿Quién?" in result.stdout.decode()


@pytest.mark.parametrize(
    ("format", "loaded"), [("mermaid", b"[]"), ("json", b"[]"), ("svg", b"['fast_sugiyama']")]
)
def test_only_svg_needs_the_layout_and_nothing_needs_langgraph(folder, format, loaded):
    assert soni_command("graph", folder, "--format", format).stderr.strip() == loaded


def test_without_the_extra_svg_is_refused_with_the_remedy(folder):
    missing = "sys.modules['fast_sugiyama'] = None"
    result = soni_command("graph", folder, "--format", "svg", first=missing)
    assert (result.returncode, result.stdout) == (1, b"")
    assert b"pip install 'soni[graph]'" in result.stderr
    assert b"Traceback" not in result.stderr


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
@pytest.mark.parametrize("format", ["mermaid", "svg", "json"])
def test_every_example_can_be_drawn(example, format):
    assert run("graph", example, "--format", format).exit_code == 0
