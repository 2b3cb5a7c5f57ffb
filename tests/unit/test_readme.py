"""What the README shows is what happens."""

import re
from pathlib import Path

import pytest

from soni import RuntimeLoop, SoniConfig
from tests.program import python, soni

README = Path(__file__).parents[2] / "README.md"
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS if name == language]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "my_assistant"
    made.mkdir()
    (made / "soni.yaml").write_text(blocks("yaml")[0], encoding="utf-8")
    (made / "actions.py").write_text(blocks("python")[0], encoding="utf-8")
    (made / "readme.test.yaml").write_text(blocks("yaml")[1], encoding="utf-8")
    return made


async def test_the_conversation_of_the_readme_reads_as_written(folder: Path) -> None:
    lines = blocks("text")[0].strip().splitlines()
    told: list[str] = []
    async with RuntimeLoop(SoniConfig.load(folder)) as runtime:
        for line in lines:
            if line.startswith("you: "):
                turn = await runtime.turn(line.removeprefix("you: "), "ann")
                told += [line, *(f"bot: {message}" for message in turn.messages)]
    assert told == lines


def test_the_python_of_the_readme_runs(folder: Path) -> None:
    code = blocks("python")[1]
    done = python(code, folder.parent)
    assert done.stdout == "Who should get it?\n"


def test_the_conversation_test_of_the_readme_passes(folder: Path) -> None:
    done = soni("test", folder)
    assert "1 passed, 0 failed" in done.stdout
    assert done.returncode == 0


def test_the_mistake_of_the_readme_is_reported_as_shown(folder: Path) -> None:
    written = folder / "soni.yaml"
    right = written.read_text(encoding="utf-8")
    written.write_text(right.replace("collect: amount", "colect: amount"), encoding="utf-8")
    done = soni("check", folder)
    assert done.stdout == blocks("text")[1]
    assert done.returncode == 1
