"""A conversation goes on in a new process, whatever became of the one before."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from soni import RuntimeLoop, SoniConfig
from soni.persistence import open_store
from soni.persistence.journal import verify_chain
from tests.conversations.processes import answers, process

ASSISTANT = """
version: "1"
slots:
  amount: {type: integer, prompt: "How much?", validator: payable}
  stamp: {validator: stamped}
actions:
  ship: {inputs: [amount], outputs: [parcel], repeatable: true}
flows:
  pay:
    trigger: {examples: ["pay"]}
    steps:
      - collect: amount
      - {action: charge, on_error: unpaid}
      - set: {stamp: "{{ receipt }}"}
      - {say: "Paid {amount}, receipt {receipt}.", jump_to: end}
      - {step: unpaid, type: say, message: "Not paid: {_error_type}."}
  order:
    trigger: {examples: ["order"]}
    steps:
      - collect: amount
      - action: charge
      - action: ship
      - say: "Sent {amount} in parcel {parcel}."
  open:
    trigger: {examples: ["when are you open"]}
    steps: [{say: "From 9 to 5."}]
"""

FUNCTIONS = """
import os
import signal
from pathlib import Path

from soni import action, validator

HERE = Path(__file__).parent
BROKEN = os.environ.get("BROKEN", "")


def work(part):
    with (HERE / "done.txt").open("a") as done:
        done.write(part + "\\n")
    if BROKEN == "kill " + part:
        os.kill(os.getpid(), signal.SIGKILL)


@validator
def payable(value):
    if BROKEN and value == 1:
        raise TypeError("handler")
    return True


@validator
def stamped(value):
    if BROKEN and value == "R2":
        raise RuntimeError("step")
    return True


@action
def charge(amount: int) -> dict:
    if BROKEN and amount == 3:
        raise ConnectionError("action")
    work("charge")
    return {"receipt": f"R{amount}"}


@action
async def ship(amount: int) -> dict:
    work("ship")
    return {"parcel": f"P{amount}"}
"""

FAILURES = {
    "handler": ("1", "failed: TypeError"),
    "step": ("2", "failed: RuntimeError"),
    "reply": ("4", "failed: StorageError"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "soni.yaml").write_text(ASSISTANT)
    (tmp_path / "actions.py").write_text(FUNCTIONS)
    return tmp_path


def done(folder: Path) -> list[str]:
    return (folder / "done.txt").read_text().split()


async def say(folder: Path, *messages: tuple[str, str]) -> list[Any]:
    """Send messages from here, on the file that the other processes use."""
    store = open_store("sqlite", str(folder / "talk.db"))
    async with RuntimeLoop(SoniConfig.load(folder), store=store) as runtime:
        return [(await runtime.turn(text, user_id=user)).messages for user, text in messages]


async def journal(folder: Path, user: str) -> list[tuple[int, str]]:
    async with open_store("sqlite", str(folder / "talk.db")) as store:
        entries = await store.journal.entries(user)
    verify_chain(entries)
    return [(entry.turn, entry.status) for entry in entries]


def refuse_replies(folder: Path, user: str, *, refuse: bool) -> None:
    """Have the file refuse to store what that user is answered."""
    with closing(sqlite3.connect(folder / "talk.db")) as file:
        file.execute(
            "CREATE TRIGGER full BEFORE INSERT ON journal "
            f"WHEN NEW.conversation_id = '{user}' AND NEW.status = 'ok' "
            "BEGIN SELECT RAISE(ABORT, 'disk full'); END"
            if refuse
            else "DROP TRIGGER full"
        )


async def test_a_turn_that_failed_in_another_process_leaves_the_conversation_as_it_was(
    folder: Path,
) -> None:
    users = [*FAILURES, "action", "understanding"]
    assert await say(folder, *((user, "pay") for user in users)) == [["How much?"]] * 5

    refuse_replies(folder, "reply", refuse=True)
    messages = [(user, said) for user, (said, _) in FAILURES.items()]
    failing = process(
        folder, *messages, ("action", "3"), ("understanding", "6"), BROKEN="1", AWAY="6"
    )
    expected: list[Any] = [failed for _, failed in FAILURES.values()]
    assert answers(failing) == [
        *expected,
        ["Not paid: ConnectionError."],
        ["I did not understand that.", "How much?"],
    ]
    refuse_replies(folder, "reply", refuse=False)

    for user, (said, _) in FAILURES.items():
        # First something else, which is handled as itself, then the same message again.
        assert await say(folder, (user, "when are you open"), (user, said)) == [
            ["From 9 to 5.", "Back to pay.", "How much?"],
            [f"Paid {said}, receipt R{said}."],
        ]
        assert await journal(folder, user) == [(1, "ok"), (2, "failed"), (2, "ok"), (3, "ok")]
    # Those that were charged before their turn failed were charged once.
    assert done(folder).count("charge") == 3
    assert await say(folder, ("understanding", "6")) == [["Paid 6, receipt R6."]]
    # An action's failure was no failure of the turn: its flow is over.
    assert await say(folder, ("action", "pay"), ("action", "3")) == [
        ["How much?"],
        ["Paid 3, receipt R3."],
    ]


async def test_an_effect_whose_process_was_killed_is_not_repeated_and_the_flow_is_told(
    folder: Path,
) -> None:
    killed = process(folder, ("ann", "pay"), ("ann", "5"), BROKEN="kill charge")
    assert answers(killed, killed=True) == [["How much?"]]
    assert await say(folder, ("ann", "when are you open"), ("ann", "5")) == [
        ["From 9 to 5.", "Back to pay.", "How much?"],
        ["Not paid: outcome_unknown."],
    ]
    assert done(folder) == ["charge"]


async def test_after_a_kill_what_was_done_is_remembered_and_what_may_be_repeated_is(
    folder: Path,
) -> None:
    killed = process(folder, ("ann", "order"), ("ann", "5"), BROKEN="kill ship")
    assert answers(killed, killed=True) == [["How much?"]]
    assert done(folder) == ["charge", "ship"]
    assert await say(folder, ("ann", "5")) == [["Sent 5 in parcel P5."]]
    assert done(folder) == ["charge", "ship", "ship"]
    assert await journal(folder, "ann") == [(1, "ok"), (2, "ok")]
