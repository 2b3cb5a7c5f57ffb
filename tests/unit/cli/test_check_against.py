"""`soni check --against`: what a deployment would do to open conversations."""

import asyncio
import json
import re
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from soni import RuntimeLoop, SoniConfig
from soni.cli.main import make_app
from soni.commands import StartFlow
from soni.persistence import open_store

OLD = """
slots:
  size: {type: choice, values: [small, large], prompt: What size?}
  topping: {prompt: What on it?}
  street: {prompt: Where to?}
flows:
  pizza:
    trigger: {examples: [pizza]}
    steps:
      - {step: ask_size, collect: size}
      - {step: ask_topping, collect: topping}
      - {step: ask_street, collect: street}
      - say: A {size} pizza with {topping} to {street}.
"""
LOST = "size: its value is none of the choices"
RENAMED = OLD.replace("ask_topping", "ask_what")
SMALLER = OLD.replace("[small, large]", "[small, medium]")
PLAIN = OLD.replace("  street: {prompt: Where to?}\n", "").replace(
    "      - {step: ask_street, collect: street}\n", ""
).replace(" to {street}", "")  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "pizza"
    place.mkdir()
    (place / "soni.yaml").write_text(OLD)
    return place


def _check(folder: Path, against: str, *options: str) -> Result:
    arguments = ["check", str(folder), "--against", against, *options]
    return CliRunner().invoke(make_app(arguments), arguments)


def _hold(folder: Path, file: Path, **slots: str) -> None:
    async def talk() -> None:
        config = SoniConfig.load(folder)
        async with RuntimeLoop(config, store=open_store("sqlite", str(file))) as runtime:
            start = StartFlow(flow_name="pizza", slots=slots)
            await runtime.turn("a pizza", "-".join(("ann", *slots)), commands=[start])

    file.parent.mkdir(exist_ok=True)
    asyncio.run(talk())


@pytest.fixture
def store(folder: Path) -> Path:
    file = folder / ".soni" / "conversations.db"
    _hold(folder, file)
    _hold(folder, file, size="large")
    return file


def test_with_the_same_flows_every_conversation_goes_on(folder: Path, store: Path) -> None:
    for named in (str(store), f"sqlite:///{store}", "store"):
        shown = _check(folder, named)
        assert shown.exit_code == 0, shown.output
        assert "2 open conversations: all go on" in shown.output


def test_each_conversation_that_restarts_or_loses_a_value_is_listed(
    folder: Path, store: Path
) -> None:
    (folder / "soni.yaml").write_text(SMALLER.replace("ask_topping", "ask_what"))
    shown = _check(folder, str(store))
    assert shown.exit_code == 1
    found = [re.split(r" {2,}", line) for line in shown.output.splitlines()]
    assert found[-4:] == [
        ["conversation", "flow", "step", "what happens", "lost"],
        ["ann", "pizza", "ask_size", "goes on"],
        ["ann-size", "pizza", "ask_topping", "restarts with its slots", LOST],
        ["1 of 2 open conversations would not just go on"],
    ]


def test_a_value_of_a_slot_that_is_gone_is_lost(folder: Path, store: Path) -> None:
    _hold(folder, store, street="Main Street", size="small")
    (folder / "soni.yaml").write_text(PLAIN)
    found = json.loads(_check(folder, str(store), "--format", "json").output)["against"]
    lost = {each["conversation_id"]: each["flows"][0]["lost"] for each in found["conversations"]}
    assert lost == {"ann": {}, "ann-size": {}, "ann-street-size": {"street": "the slot is gone"}}
    assert not found["ok"]


def test_with_finish_they_end_on_their_own_version(folder: Path, store: Path) -> None:
    (folder / "soni.yaml").write_text(f"settings: {{versions: finish}}\n{RENAMED}")
    shown = _check(folder, str(store))
    assert shown.exit_code == 0, shown.output
    assert "finishes on its own version" in shown.output


def test_the_check_itself_changes_nothing(folder: Path, store: Path) -> None:
    async def kept() -> list[str]:
        async with open_store("sqlite", str(store)) as opened:
            return await opened.versions.list_fingerprints()

    before = asyncio.run(kept())
    (folder / "soni.yaml").write_text(RENAMED)
    _check(folder, str(store))
    assert asyncio.run(kept()) == before


def _git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def revision(folder: Path) -> str:
    _git(folder.parent, "init", "--quiet")
    (folder / "actions.py").write_text("raise SystemExit('nothing of a revision is run')\n")
    _git(folder.parent, "add", ".")
    _git(folder.parent, "commit", "--quiet", "-m", "pizza")
    (folder / "actions.py").unlink()
    return "HEAD"


def test_every_step_of_a_revision_is_forecast(folder: Path, revision: str) -> None:
    shown = _check(folder, revision)
    assert shown.exit_code == 0, shown.output
    assert "4 steps of HEAD: all go on" in shown.output
    (folder / "soni.yaml").write_text(RENAMED.replace("topping: {", "topping: {type: date, "))
    found = json.loads(_check(folder, revision, "--format", "json").output)["against"]
    assert [(each["step"], each["outcome"]) for each in found["steps"]] == [
        ("ask_size", "continues"),
        ("ask_topping", "restarts"),
        ("ask_street", "continues"),
        ("say_a_size_pizza_with_topping_to", "continues"),
    ]
    assert found["steps"][0]["lost"] == {"topping": "string becomes date"}
    shown = _check(folder, revision)
    assert shown.exit_code == 1
    assert "4 of 4 steps of HEAD would not just go on" in shown.output


def test_a_flow_that_is_gone_ends_its_conversations(folder: Path, revision: str) -> None:
    (folder / "soni.yaml").write_text(OLD.replace("  pizza:", "  calzone:"))
    shown = _check(folder, revision)
    assert shown.exit_code == 1
    assert "ends: the flow is gone" in shown.output


def test_choices_that_are_gone_are_named(folder: Path, revision: str) -> None:
    (folder / "soni.yaml").write_text(SMALLER)
    assert "size: no longer a choice: large" in _check(folder, revision).output


@pytest.mark.parametrize("against", ["HEAD~9", "no/such/file.db", "--output=/tmp/x", "a\x00b"])
def test_what_is_neither_a_store_nor_a_revision(folder: Path, revision: str, against: str) -> None:
    arguments = ["check", str(folder), f"--against={against}"]
    shown = CliRunner().invoke(make_app(arguments), arguments)
    assert shown.exit_code == 1
    assert "neither a file nor a revision" in shown.output
    assert "HEAD~1" in shown.output


def test_a_file_that_is_no_store(folder: Path) -> None:
    shown = _check(folder, str(folder / "soni.yaml"))
    assert shown.exit_code == 1
    assert "Traceback" not in shown.output


def test_an_assistant_with_mistakes_is_not_forecast(folder: Path, store: Path) -> None:
    (folder / "soni.yaml").write_text(OLD.replace("collect: size", "collect: sise"))
    shown = _check(folder, str(store))
    assert shown.exit_code == 1
    assert "conversation" not in shown.output


def test_a_language_has_no_conversations(tmp_path: Path) -> None:
    (tmp_path / "de.yaml").write_text("language: {name: Deutsch}\n")
    shown = _check(tmp_path / "de.yaml", "store")
    assert shown.exit_code == 2
    assert "takes an assistant's folder" in shown.output
