"""`soni trace`: what it prints and how it ends."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from soni.cli.main import make_app
from soni.commands import HumanHandoff, SetSlot
from soni.persistence import open_store
from tests.program import Terminal
from tests.program import soni as run_soni
from tests.unit.audit.holding import BUYING, SHOP, file_of, held, shop, written

HOSTILE = "\x1b[2J\x1b]0;owned\x07 \u202egnp.exe \x9b31m\nturn 9  forged"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    config = shop(tmp_path / "shop")
    said = [("no", {"commands": [SetSlot(slot_name="x", value=1)]})]
    asyncio.run(held(config, ("ann", BUYING), ("José", ["comprar"]), ("bob", ["buy", *said])))
    return tmp_path / "shop"


def soni(*arguments: Any) -> Result:
    return CliRunner().invoke(make_app(["trace"]), ["trace", *map(str, arguments)])


def entered(folder: Path, user: str, *turns: dict[str, Any]) -> None:
    async def enter() -> None:
        async with open_store("sqlite", file_of(folder)) as store:
            await written(store, user, *turns)

    asyncio.run(enter())


def test_conversations_are_listed(folder: Path) -> None:
    result = soni(folder)
    assert result.exit_code == 0
    assert [" ".join(line.split()) for line in result.stdout.splitlines()] == [
        "conversation turns failed first last state flow",
        "José 1 0 2026-03-02 10:00:56 UTC 2026-03-02 10:00:56 UTC waiting_for_slot "
        "buy at collect_item",
        "ann 7 0 2026-03-02 10:00:07 UTC 2026-03-02 10:00:49 UTC idle",
        "bob 2 0 2026-03-02 10:01:03 UTC 2026-03-02 10:01:10 UTC waiting_for_slot "
        "buy at collect_item",
    ]
    listed = [json.loads(line) for line in soni(folder, "--json").stdout.splitlines()]
    assert [(each["conversation_id"], each["flow"]) for each in listed] == [
        ("José", "buy"), ("ann", None), ("bob", "buy"),
    ]  # fmt: skip


def test_a_conversation_is_shown_turn_by_turn(folder: Path) -> None:
    result = soni(folder, "ann")
    assert result.exit_code == 0
    turns = result.stdout.split("\n\n")
    assert turns[0] == (
        "turn 1  2026-03-02 10:00:07 UTC  en\n"
        "  user       buy\n"
        '  command    StartFlow flow_name="buy": accepted\n'
        "  step       buy.collect_item waits\n"
        "  bot        Which item?\n"
        '  event      flow_started flow_name="buy"\n'
        '  state      waiting_for_slot, buy, at collect_item, waiting for "item"'
    )
    assert "  result     SetSlot: error (At most nine.)" in turns[2]
    assert '  action     price_of(item="pen" count=3) -> price=3' in turns[3]
    assert "  user       ••••" in turns[5]
    assert '  slots      buy: pin="••••"' in turns[5]
    assert '  action     pay(price=3 pin="••••") -> receipt="R2" echo="pin ••••"' in turns[6]
    assert "  state      idle, no open flow" in turns[6]
    assert turns[7] == "7 entries verified: the chain of hashes is whole\n"
    assert "4711" not in result.stdout


def test_a_conversation_that_a_person_has_is_not_called_idle(tmp_path: Path) -> None:
    config = shop(tmp_path / "shop")
    said = ("a person!", {"commands": [HumanHandoff()]})
    asyncio.run(held(config, ("eve", ["buy", said])))
    [_, line] = soni(tmp_path / "shop").stdout.splitlines()
    assert line.endswith("  handed off  buy at collect_item")
    shown = soni(tmp_path / "shop", "eve").stdout
    assert "  state      handed off, buy, at collect_item\n" in shown


def test_decisions_have_their_reasons(folder: Path) -> None:
    shown = soni(folder, "bob", "--turn", 2).stdout
    assert "SetSlot slot_name=\"x\" value=1: rejected (no open flow has slot 'x')" in shown
    assert "turn 1" not in shown


def test_who_understood_a_message_and_was_not_sure_is_shown(folder: Path) -> None:
    entered(
        folder,
        "dan",
        {"message": "hm", "source": "local", "confidence": 0.4183},
        {"message": "hm", "source": "local", "confidence": 0.7, "reasoning": f"no: {HOSTILE}"},
        {"message": "yes", "source": "local", "confidence": 1.0},
        {"message": "x", "source": "given"},
        {"message": "x", "source": "odd", "confidence": 10**400, "reasoning": "a lot"},
        {"message": "x", "source": "odd", "confidence": "very"},
    )
    turns = soni(folder, "dan").stdout.split("\n\n")
    assert "  user       hm\n  source     local, confidence 0.42\n" in turns[0]
    assert "  source     local, confidence 0.70 (no: " in turns[1]
    assert "\x1b" not in turns[1]
    assert "  source     odd, confidence ? (a lot)" in turns[4]
    assert [number for number, turn in enumerate(turns) if "  source  " in turn] == [0, 1, 4]
    lines = soni(folder, "dan", "--json").stdout.splitlines()
    assert [json.loads(line)["data"].get("confidence") for line in lines[:4]] == [
        0.4183, 0.7, 1.0, None,
    ]  # fmt: skip


def test_timings_are_shown_on_demand(folder: Path) -> None:
    assert "time  " not in soni(folder, "ann").stdout
    assert soni(folder, "ann", "--timings").stdout.count("  time       total ") == 7


def test_transitions_are_shown_on_demand(folder: Path) -> None:
    assert "  states  " not in soni(folder, "ann").stdout
    shown = soni(folder, "ann", "--turn", 1, "--transitions").stdout
    assert "  states     idle -> understanding -> waiting_for_slot\n" in shown


def test_an_entry_of_an_older_version_has_no_transitions(folder: Path) -> None:
    entered(folder, "old", {"replies": ["one"]}, {"transitions": "idle", "replies": ["two"]})
    shown = soni(folder, "old", "--transitions")
    assert shown.exit_code == 0
    assert shown.stdout.count("  states     no transition recorded\n") == 2


def test_entries_are_printed_as_they_are(folder: Path) -> None:
    lines = soni(folder, "José", "--json").stdout.splitlines()
    (entry,) = map(json.loads, lines)
    assert (entry["conversation_id"], entry["data"]["message"]) == ("José", "comprar")
    assert len(entry["hash"]) == 64
    assert lines[0].isascii()


def test_a_conversation_with_another_id_is_named(folder: Path) -> None:
    entered(folder, "c1", {"user_id": "zoe", "replies": ["one"]})
    assert "one" in soni(folder, "zoe").stdout
    entered(folder, "c2", {"user_id": "zoe", "replies": ["two"]})
    result = soni(folder, "zoe")
    assert result.exit_code == 1
    assert "'zoe' has 2 conversations; add --conversation: c1, c2" in result.stderr
    assert "two" in soni(folder, "zoe", "--conversation", "c2").stdout
    assert "two" in soni(folder, "--conversation", "c2").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["zoe"], "there is no conversation of 'zoe'; there are: José, ann, bob"),
        (["--conversation", "x"], "there is no conversation 'x'; there are: José, ann, bob"),
        (["ann", "--turn", "99"], "there is no turn 99 in conversation 'ann'"),
        (["ann", "--as-test", "--json"], "not as JSON"),
        (["--as-test"], "name its USER"),
        (["ann", "--out", "x.yaml"], "add --as-test"),
    ],
)
def test_what_is_not_there_is_said(arguments: list[str], said: str, folder: Path) -> None:
    result = soni(folder, *arguments)
    assert result.exit_code != 0
    assert said in " ".join(result.stderr.replace("│", " ").split())


def test_without_a_journal_nothing_is_created(tmp_path: Path) -> None:
    shop(tmp_path / "shop")
    result = soni(tmp_path / "shop")
    assert result.exit_code == 1
    assert "no conversation has been held with this assistant yet" in result.stderr
    assert not (tmp_path / "shop" / ".soni").exists()


def test_an_empty_journal_is_said(tmp_path: Path) -> None:
    shop(tmp_path / "shop")
    entered(tmp_path / "shop", "ann")
    result = soni(tmp_path / "shop")
    assert (result.exit_code, result.stdout) == (0, "no conversations\n")


def test_a_changed_journal_is_shown_and_denounced(folder: Path) -> None:
    with closing(sqlite3.connect(file_of(folder))) as file:
        file.execute(
            "UPDATE journal SET data = replace(data, 'pen', 'gem') "
            "WHERE conversation_id = 'ann' AND seq = 2"
        )
        file.commit()
    result = soni(folder, "ann")
    assert result.exit_code == 1
    assert "user       gem" in result.stdout
    assert "the journal was changed: Journal of conversation 'ann', entry 2" in result.stdout
    assert soni(folder, "ann", "--json").exit_code == 1
    assert soni(folder, "bob").exit_code == 0


def test_failed_turns_and_resets_are_shown(folder: Path) -> None:
    about = {"status": "failed", "turn": 2}
    entered(folder, "eve", {"message": "a"}, {"error": "TypeError", "about": about})
    entered(folder, "eve", {"about": {"status": "reset"}})
    shown = soni(folder, "eve").stdout
    assert "  failed     TypeError; nothing was stored" in shown
    assert "  reset      the conversation was forgotten, and begins anew" in shown
    assert "eve" in soni(folder).stdout


def test_what_users_write_is_never_obeyed(folder: Path) -> None:
    text = {"message": HOSTILE, "replies": [HOSTILE], "slots": {HOSTILE: {HOSTILE: HOSTILE}}}
    command = {"command": HOSTILE, "args": {"a": HOSTILE}, "decision": HOSTILE, "reason": HOSTILE}
    call = {"action": HOSTILE, "inputs": {HOSTILE: HOSTILE}, "error": {"type": HOSTILE}}
    more = {"commands": [command], "actions": [call], "events": [{"event": HOSTILE}]}
    entered(folder, HOSTILE, {**text, **more, "context": {HOSTILE: HOSTILE}, "language": HOSTILE})
    for arguments in ([], [HOSTILE], ["--json"], [HOSTILE, "--json"], [HOSTILE + "x"]):
        result = soni(folder, *arguments)
        printed = result.stdout + result.stderr
        assert {"\x1b", "\x07", "\x9b", "\u202e"}.isdisjoint(printed), arguments
        assert "\nturn 9" not in printed


@pytest.mark.parametrize(
    "data",
    [
        {"commands": 3, "actions": "x", "steps": [1], "events": {}, "replies": None, "state": 7},
        {"commands": [{"to": 1, "args": 2}], "actions": [{"inputs": 1, "cut": 3, "error": 4}]},
        {
            "message": 5,
            "clock": [],
            "writes": [{"refused": {}}],
            "results": [{}],
            "slots": {"a": 1},
        },
    ],
)
def test_nonsense_is_shown_without_a_crash(data: dict[str, Any], folder: Path) -> None:
    entered(folder, "eve", data)
    result = soni(folder, "eve", "--timings")
    assert result.exit_code == 0, result.output


def test_a_terminal_gets_colours_and_a_pipe_does_not(folder: Path) -> None:
    plain = run_soni("trace", folder, "José").stdout
    assert "\x1b" not in plain
    assert "Which item?" in plain
    terminal = Terminal("trace", folder, "José", TERM="xterm")
    seen = "".join(iter(terminal.read, ""))
    assert terminal.wait() == 0
    terminal.close()
    assert "\x1b[" in seen


def test_a_file_that_another_process_writes_at_the_same_time_is_read(folder: Path) -> None:
    writer = """
import asyncio, sys
from soni.core.storage import TurnEntry
from soni.persistence import open_store
async def main():
    async with open_store("sqlite", sys.argv[1]) as store:
        for number in range(10_000):
            async with store.conversation("busy"):
                entry = TurnEntry(number, 1.0, {"message": f"m{number}"})
                await store.journal.append("busy", entry, "ok")
            if number == 3:
                print("going", flush=True)
            # As fast as it can it would write thousands of turns, which all are to be shown.
            await asyncio.sleep(0.01)
asyncio.run(main())
"""
    command = [sys.executable, "-c", writer, file_of(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "going\n"
            for _ in range(3):
                result = soni(folder, "busy")
                assert result.exit_code == 0, result.output
                assert "the chain of hashes is whole" in result.stdout
        finally:
            process.kill()


def test_a_conversation_becomes_a_test_that_passes(folder: Path) -> None:
    out = folder / "recorded.test.yaml"
    result = soni(folder, "bob", "--as-test", "--out", out)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "the test passes with the assistant as it is now" in result.stderr
    ran = CliRunner().invoke(make_app(["test"]), ["test", str(folder)])
    assert ran.exit_code == 0
    assert "1 passed" in ran.stdout
    again = soni(folder, "bob", "--as-test", "--out", out)
    assert again.exit_code == 1
    assert "is there already" in again.stderr
    assert soni(folder, "bob", "--as-test").stdout == out.read_text(encoding="utf-8")


def test_a_test_that_does_not_pass_yet_is_written_and_said(folder: Path) -> None:
    shop(folder, SHOP.replace("Which item?", "What?"))
    result = soni(folder, "bob", "--as-test")
    assert result.exit_code == 1
    assert result.stdout.startswith("tests:\n")
    assert "the test does not pass yet: turn 1 differs in bot" in result.stderr


def test_sentences_are_written_to_be_edited(folder: Path) -> None:
    # The first sentences of an assistant: there is no such folder yet.
    file = folder / "nlu" / "ann.yaml"
    result = soni(folder, "ann", "--annotate", file)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[-1].endswith(f"sentences written to {file}")
    assert "said:\n" in file.read_text(encoding="utf-8")
    # Nobody's corrections are written over.
    assert soni(folder, "ann", "--annotate", file).exit_code == 1
    assert soni(folder, "--annotate", file).exit_code == 2
    assert soni(folder, "ann", "--annotate", file, "--json").exit_code == 2
