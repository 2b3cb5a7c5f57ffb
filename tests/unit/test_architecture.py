"""What ARCHITECTURE.md and its neighbours say of the source is true of it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from soni import RuntimeLoop
from soni.commands import AffirmConfirmation, Command, CorrectSlot, SetSlot, StartFlow
from soni.runtime.turn import Turn
from soni.testing import ScriptedNLU
from tests.talking import FrozenClock, assistant

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/soni"
PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/understanding.md")
ARCHITECTURE = (ROOT / PAGES[0]).read_text(encoding="utf-8")
TREE = ARCHITECTURE.partition("## The tree")[2].partition("```text\n")[2].partition("```")[0]
CORRECTIONS = ARCHITECTURE.partition("## Corrections")[2].partition("\n## ")[0]

PATH = re.compile(r"`((?:[\w.-]+/)+(?:[\w-]+\.\w+)?|[\w-]+\.(?:py|md|toml|yaml))`")
# What a walk of CONTRIBUTING writes stands alone in its line.
NEW_FILE = re.compile(r"^`src/soni/[\w/]+\.py`$", re.MULTILINE)
# What the requirements' documents call theirs is looked up by another test.
NOT_OURS = "## Where the documents' names are"

ACTIONS = """
from soni import action


@action
def find_fee(amount):
    return {"fee": amount / 100}


@action
def transfer(recipient, amount, account):
    return {}
"""

CONVERSATION: dict[str, list[Command]] = {
    "send money": [StartFlow("send_money")],
    "Bob": [SetSlot("recipient", "Bob")],
    "50": [SetSlot("amount", 50)],
    "change the amount to 60": [CorrectSlot("amount", 60)],
    "savings": [SetSlot("account", "savings")],
    "sorry, from salary": [CorrectSlot("account", "salary")],
    "yes": [AffirmConfirmation()],
    "make it 70": [CorrectSlot("amount", 70)],
}


def list_paths(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8").partition(NOT_OURS)[0]
    return sorted(set(PATH.findall(NEW_FILE.sub("", text))))


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_a_page_names_is_there(page: str) -> None:
    named = list_paths(page)
    missing = [path for path in named if not ((ROOT / path).exists() or (SOURCE / path).exists())]
    assert len(named) > 5
    assert missing == []


def test_the_tree_has_one_line_for_each_folder() -> None:
    described = [line.split(maxsplit=1) for line in TREE.splitlines()]
    folders = {
        f"{path.relative_to(SOURCE).as_posix()}/"
        for path in SOURCE.rglob("*")
        if path.is_dir() and path.name != "__pycache__" and any(path.glob("*.*"))
    }
    assert {folder for folder, _ in described} == folders
    assert len(described) == len(folders)


async def test_the_worked_correction_goes_as_written() -> None:
    yaml = CORRECTIONS.partition("```yaml\n")[2].partition("```")[0]
    written = CORRECTIONS.partition("```text\n")[2].partition("```")[0]
    config = assistant(yaml, ACTIONS)
    shown: list[str] = []
    nlu = ScriptedNLU(CONVERSATION)
    async with RuntimeLoop(config, nlu=nlu, clock=FrozenClock()) as runtime:
        for number, message in enumerate(CONVERSATION, start=1):
            turn = await runtime.turn(message, "ann")
            shown.append("\n".join(show_turn(number, message, turn)))
    assert "\n\n".join(shown) == written.strip()


def show_turn(number: int, message: str, turn: Turn) -> Iterator[str]:
    state = turn.state
    yield f"{number} you: {message}"
    yield from (f"  bot: {text}" for text in turn.messages)
    commands = ", ".join(map(show_command, turn.commands))
    actions = ", ".join(call["action"] for call in state["turn"]["actions"])
    yield f"    command  {commands}" + (f"; ran {actions}" if actions else "")
    names = {flow["flow_id"]: flow["flow_name"] for flow in state["flow_stack"]}
    steps = (f"{flow['flow_name']} at {flow['current_step']}" for flow in state["flow_stack"])
    yield f"    stack    {', '.join(steps)}"
    for flow_id, slots in state["flow_slots"].items():
        values = " ".join(f"{name}={value}" for name, value in slots.items())
        yield f"    slots    {names[flow_id]}: {values or 'none'}"


def show_command(command: dict[str, Any]) -> str:
    keys = ("flow_name", "slot_name", "value", "new_value")
    values = [str(command["args"][key]) for key in keys if command["args"].get(key) is not None]
    return f"{command['command']}({', '.join(values)})"
