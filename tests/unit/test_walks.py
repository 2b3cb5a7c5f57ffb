"""The walks of CONTRIBUTING: each is one file in a copy of the source, and works there."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
WALKS = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"`src/(soni/\w+/\w+\.py)`\n\n```python\n(.*?)```", WALKS, re.DOTALL))
ASSISTANT = re.findall(r"```yaml\n(.*?)```", WALKS, re.DOTALL)[0]
LISTED, LOCAL, MENU = re.findall(r"```text\n(.*?)```", WALKS, re.DOTALL)

# One process for all of it: importing Soni is what takes long.
PROGRAM = """
import asyncio, json, sys
from typer.testing import CliRunner
from soni.cli.main import make_app
from soni.config.soni_config import SoniConfig
from soni.du.providers import open_provider
from soni.runtime.loop import RuntimeLoop

folder, walks = sys.argv[1], json.load(sys.stdin)

def run(*arguments):
    done = CliRunner().invoke(make_app(arguments), arguments)
    return [done.exit_code, done.output]

async def talk(provider, messages, language=None):
    config, lines = SoniConfig.load(folder), []
    async with RuntimeLoop(config, nlu=open_provider(config, provider)) as runtime:
        for message in messages:
            turn = await runtime.turn(message, "ann", language=language)
            lines += [f"you: {message}", *(f"bot: {said}" for said in turn.messages)]
    return lines

seen = {"check": run("check", folder), "slots": run("slots", folder)}
seen |= {name: asyncio.run(talk(*walk)) for name, walk in walks.items()}
print(json.dumps(seen))
"""


def said(transcript: str) -> list[str]:
    return re.findall(r"^you: (.*)$", transcript, re.MULTILINE)


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What happens in the copy, where links stand for the files that there are."""
    home = tmp_path_factory.mktemp("walks")
    copytree(ROOT / "src" / "soni", home / "soni", copy_function=os.symlink)
    for name, code in FILES.items():
        assert not (home / name).exists()
        (home / name).write_text(code, encoding="utf-8")
    folder = home / "dinner"
    folder.mkdir()
    (folder / "soni.yaml").write_text(ASSISTANT, encoding="utf-8")
    walks = {
        "local": ("local", said(LOCAL)),
        "menu": ("menu", said(MENU)),
        "beside": ("local", ["what is the weather like tomorrow?", "tell me a joke"]),
        "spanish": ("local", ["plan a dinner", "¿Qué queda por terminar?"], "es"),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)],
        env={**os.environ, "PYTHONPATH": str(home), "OPENBLAS_NUM_THREADS": "1"},
        input=json.dumps(walks),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_there_is_a_walk_for_each_kind_of_thing() -> None:
    assert sorted(Path(name).parent.name for name in FILES) == [
        *("cli", "commands", "du", "slots", "steps")
    ]


def test_an_assistant_with_the_new_step_and_slot_types_has_no_problem(seen: dict[str, Any]) -> None:
    code, printed = seen["check"]
    assert code == 0, printed


def test_the_new_verb_prints_what_it_should(seen: dict[str, Any]) -> None:
    assert seen["slots"] == [0, LISTED]


def test_the_new_command_step_and_slot_work_in_a_conversation(seen: dict[str, Any]) -> None:
    assert seen["local"] == LOCAL.splitlines()


def test_what_is_not_like_the_examples_is_not_the_new_command(seen: dict[str, Any]) -> None:
    assert "bot: Nothing is open." not in seen["beside"]
    assert len(seen["beside"]) >= 4


def test_the_new_command_is_read_in_another_language(seen: dict[str, Any]) -> None:
    assert "bot: Queda por terminar: plan dinner." in seen["spanish"]


def test_the_new_provider_understands_a_conversation(seen: dict[str, Any]) -> None:
    assert seen["menu"] == MENU.splitlines()
