"""Reports that set conversations side by side: before and after, real users and others."""

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from soni import SoniConfig
from soni.audit.report.comparison import Measure
from soni.audit.report.figures import FlowFigures
from soni.audit.report.funnel import build_funnel
from soni.audit.report.likeness import group_alike
from soni.cli.main import make_app
from soni.commands import Clarify
from soni.testing.evaluate.sample import Share
from tests.unit.audit.holding import SHOP, Said, file_of, held, shop, turns_of

DONE: list[Said] = ["buy", "pen", "3", "4711", "yes"]
STOPPED: list[Said] = ["buy", "pen", "cancel", "bla bla"]


def soni(*arguments: object) -> Result:
    return CliRunner().invoke(make_app(["report"]), ["report", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shop that was changed: people stopped before, and buy since."""
    folder = tmp_path_factory.mktemp("compared") / "shop"
    old = [(f"old{number}", STOPPED) for number in range(6)]
    asyncio.run(held(shop(folder), *old, ("late", ["buy"])))
    config = shop(folder, SHOP.replace("Which item?", "What would you like?"))
    new = [(f"new{number}", DONE) for number in range(6)]
    late: tuple[str, list[Said]] = ("late", DONE[1:])
    asyncio.run(held(config, *new, late, start="2026-03-04T10:00:00+00:00"))
    return folder


def read_sides(folder: Path, *options: object) -> dict[str, tuple[int, int]]:
    result = soni(folder, "--json", *options)
    assert result.exit_code == 0, result.output
    sides = json.loads(result.stdout)["comparison"]["sides"]
    return {
        name: (side["tasks"]["started"], side["tasks"]["completed"]) for name, side in sides.items()
    }


def test_a_task_counts_before_or_after_a_deployment_where_it_began(folder: Path) -> None:
    expected = {"before": (7, 0), "after": (6, 6)}
    # The task that began before was abandoned, since nobody wrote for two days.
    assert read_sides(folder, "--compare", "last") == expected
    assert read_sides(folder, "--compare", "2026-03-03") == expected
    version = asyncio.run(turns_of(SoniConfig.load(folder), "new1"))[0].version
    assert version is not None
    assert read_sides(folder, "--compare", version[:8]) == expected


def test_the_terminal_says_what_became_better(folder: Path) -> None:
    shown = soni(folder, "--compare", "last").stdout
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "before and after the newest version" in lines
    assert "tasks completed 0 % of 7 100 % of 6 +100 points, clear" in lines
    assert "bla bla 6 0" in lines


def test_an_unknown_version_names_those_that_there_are(folder: Path, tmp_path: Path) -> None:
    result = soni(folder, "--compare", "nonsense")
    assert result.exit_code == 1
    assert "neither a date nor one version" in result.stderr
    asyncio.run(held(shop(tmp_path / "new"), ("ann", ["buy"])))
    result = soni(tmp_path / "new", "--compare", "last")
    assert result.exit_code == 1
    assert "there is nothing before" in result.stderr


def test_another_store_is_set_beside(folder: Path, tmp_path: Path) -> None:
    asyncio.run(held(shop(tmp_path / "trial"), ("ann", DONE), ("bob", STOPPED)))
    other = file_of(tmp_path / "trial")
    assert read_sides(folder, "--beside", f"simulated={other}") == {
        "shop": (13, 6),
        "simulated": (2, 1),
    }
    three = read_sides(folder, "--beside", other, "--compare", "last")
    assert list(three) == ["before", "after", "conversations"]
    page = tmp_path / "report.html"
    assert soni(folder, "--beside", f"simulated={other}", "--html", page).exit_code == 0
    assert "<h2>shop and simulated</h2>" in page.read_text(encoding="utf-8")
    missing = soni(folder, "--beside", tmp_path / "nowhere.db")
    assert missing.exit_code == 1
    assert "is not there" in missing.stderr


def test_a_description_that_was_read_out_is_no_answer(tmp_path: Path) -> None:
    yaml = SHOP.replace("  buy:\n", "  buy:\n    description: Buy an item of the shop\n")
    asked: Said = ("how do I buy an item?", {"commands": [Clarify(topic="buy an item")]})
    unknown: Said = ("is it raining?", {"commands": [Clarify(topic="is it raining?")]})
    asyncio.run(held(shop(tmp_path / "shop", yaml), ("ann", [asked, unknown])))
    figures = json.loads(soni(tmp_path / "shop", "--json").stdout)
    assert figures["answers"] == {"description": 1, "none": 1}
    assert figures["described"] == {"total": 1, "most": [["how do i buy an item", 1]]}
    assert figures["unanswered"] == {"total": 1, "most": [["is it raining", 1]]}
    shown = soni(tmp_path / "shop").stdout
    assert "questions answered with a flow's description" in shown


def test_few_conversations_may_differ_by_chance() -> None:
    assert Measure("x", (Share(1, 3), Share(2, 3))).difference == (pytest.approx(1 / 3), False)
    assert Measure("x", (Share(100, 300), Share(200, 300))).difference == (
        pytest.approx(1 / 3),
        True,
    )
    assert Measure("x", (Share(0, 0), Share(2, 3))).difference is None


def test_sentences_that_are_alike_are_one_row() -> None:
    groups = group_alike(
        [
            ("where is my parcel", 5),
            ("where is my parcl", 3),
            ("pizza", 2),
            ("where's my parcel", 1),
        ],
        limit=5,
    )
    assert [(group.sentence, group.times, group.sentences) for group in groups] == [
        ("where is my parcel", 9, 3),
        ("pizza", 2, 1),
    ]
    assert (
        groups[0].list_sentences()
        == "where is my parcel (also: where is my parcl; where's my parcel)"
    )


def test_a_funnel_goes_through_called_flows_in_the_order_of_steps(tmp_path: Path) -> None:
    yaml = """
    version: "1"
    flows:
      trip:
        trigger: {examples: [trip]}
        steps: [{collect: city, message: Where?}, {call: identify}, {collect: day, message: When?}]
      identify:
        steps: [{collect: name, message: Who?}]
    """
    config = shop(tmp_path / "shop", yaml)
    figures = FlowFigures()
    reached = {"gone": 1, "collect_day": 9, "identify.collect_name": 2, "collect_city": 3}
    figures.reached.update(reached)
    figures.left_at.update(collect_city=1)
    stages = build_funnel("trip", figures, config.flows)
    assert [stage.step for stage in stages] == [
        "collect_city",
        "identify.collect_name",
        "collect_day",
        "gone",
    ]
    assert stages[0].share == pytest.approx(1 / 3)
