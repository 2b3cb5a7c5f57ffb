"""`soni effects`: what it prints and how it ends."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from soni.cli.main import make_app
from soni.persistence import open_store

YAML = """
settings: {runtime: {action_timeout: 0.001}}
actions: {pay: {outputs: [receipt]}, ring: {}}
flows: {greet: {steps: [{say: Hi}]}}
"""
ACTIONS = """
from soni import action

@action
def pay(): ...

@action
def ring(): ...
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "soni.yaml").write_text(YAML)
    (tmp_path / "actions.py").write_text(ACTIONS)
    return tmp_path


def soni(*arguments: Any) -> Result:
    return CliRunner().invoke(make_app(["effects"]), ["effects", *map(str, arguments)])


def begin(folder: Path, *effects: tuple[str, str, str]) -> None:
    async def begin() -> None:
        async with open_store("sqlite", str(folder / ".soni" / "conversations.db")) as store:
            for key, conversation_id, action in effects:
                async with store.conversation(conversation_id):
                    await store.ledger.begin(key, "d", conversation_id, action=action)
        await asyncio.sleep(0.002)

    asyncio.run(begin())


def recorded(folder: Path, key: str, conversation_id: str) -> Any:
    async def find() -> Any:
        file = str(folder / ".soni" / "conversations.db")
        async with open_store("sqlite", file) as store, store.conversation(conversation_id):
            return await store.ledger.begin(key, "d", conversation_id)

    return asyncio.run(find()).result


def test_unknown_outcomes_are_listed(folder: Path) -> None:
    begin(folder, ("ann/f1/send/1", "ann", "pay"), ("bob/f2/call/1", "bob", "ring"))
    result = soni(folder)
    assert result.exit_code == 0
    head, *rows = (line.split() for line in result.stdout.splitlines())
    assert head == ["key", "conversation", "action", "begun", "age"]
    assert [row[:3] for row in rows] == [
        ["ann/f1/send/1", "ann", "pay"],
        ["bob/f2/call/1", "bob", "ring"],
    ]
    assert {row[-1] for row in rows} == {"s"}
    listed = [json.loads(line) for line in soni(folder, "--json").stdout.splitlines()]
    assert [(each["conversation_id"], each["action"]) for each in listed] == [
        ("ann", "pay"),
        ("bob", "ring"),
    ]


def test_none_is_said(folder: Path) -> None:
    begin(folder)
    assert soni(folder).stdout == "no action has an unknown outcome\n"


@pytest.mark.parametrize(
    ("key", "outcome", "result"),
    [
        ("bob/1", "done", {"outputs": {}}),
        ("ann/1", "done", {"error": "outputs_unknown"}),
        ("ann/1", "not-done", {"error": "not_done"}),
    ],
)
def test_one_is_settled_by_hand(
    folder: Path, key: str, outcome: str, result: dict[str, Any]
) -> None:
    begin(folder, ("ann/1", "ann", "pay"), ("bob/1", "bob", "ring"))
    said = soni(folder, "--resolve", key, outcome)
    assert (said.exit_code, said.stdout) == (0, f"{key}: {outcome}\n")
    found = recorded(folder, key, key.partition("/")[0])
    if "error" in found:
        found = {"error": found["error"]["type"]}
    assert found == result
    assert key not in soni(folder).stdout


def test_a_key_that_is_not_there_is_refused(folder: Path) -> None:
    begin(folder, ("ann/1", "ann", "pay"))
    said = soni(folder, "--resolve", "ann/2", "done")
    assert said.exit_code == 1
    assert "no unknown outcome has the key 'ann/2'; there are: ann/1" in said.output


def test_an_outcome_of_another_kind_is_refused(folder: Path) -> None:
    said = soni(folder, "--resolve", "ann/1", "maybe")
    assert said.exit_code == 2
    assert "done" in said.output


def test_a_folder_without_conversations_says_so(folder: Path) -> None:
    said = soni(folder)
    assert said.exit_code == 1
    assert "no conversation has been held" in said.output
