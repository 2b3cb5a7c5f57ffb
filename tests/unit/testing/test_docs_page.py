"""docs/testing-assistants.md: its tests pass, and it leaves nothing out."""

import re
from pathlib import Path

import pytest
import typer

from soni.cli.main import make_app
from soni.steps.ui import Ui
from soni.testing import run_tests
from soni.testing.case import Case, Expect, TurnCase
from soni.testing.coverage import measure_folder
from soni.testing.ui import TYPES

PAGE = (Path(__file__).parents[3] / "docs" / "testing-assistants.md").read_text(encoding="utf-8")
ACTIONS = """
from soni import action

@action
def quote_price(weight, country): return {"price": 12}

@action
def ship(): return {"tracking": "T-1"}
"""


def fenced(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    [assistant] = fenced("yaml")
    (tmp_path / "soni.yaml").write_text(assistant, encoding="utf-8")
    (tmp_path / "actions.py").write_text(ACTIONS)
    for index, tests in enumerate(fenced("yml")):
        (tmp_path / f"{index}.test.yaml").write_text(tests, encoding="utf-8")
    return tmp_path


async def test_the_tests_on_the_page_pass_and_cover_its_assistant(folder: Path) -> None:
    results = await run_tests(folder)
    assert [(result.name, result.mismatches, result.error) for result in results] == [
        (result.name, [], None) for result in results
    ]
    assert list(measure_folder(folder, results).iter_missing()) == []


@pytest.mark.parametrize("model", [Case, TurnCase, Expect])
def test_every_key_is_explained(model: type[Case | TurnCase | Expect]) -> None:
    rows = " ".join(line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `"))
    assert [key for key in model.model_fields if f"`{key}`" not in rows] == []


@pytest.mark.parametrize("verb", ["test", "record"])
def test_every_option_is_explained(verb: str) -> None:
    command = typer.main.get_group(make_app([verb])).commands[verb]
    options = [option for parameter in command.params for option in parameter.opts]
    assert [o for o in options if o.startswith("-") and f"{o}" not in PAGE] == []


def test_the_kinds_of_ui_that_a_test_may_expect_are_those_there_are() -> None:
    kinds = Ui.model_json_schema()["properties"]["type"]["enum"]
    assert list(TYPES) == kinds
