"""`soni erase`, `soni export` and `soni prune`: what they print, and how they end."""

import asyncio
import json
import time
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from soni.cli.chat.history import LineHistory
from soni.cli.main import make_app
from tests.unit.audit.holding import BUYING, held, shop


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    config = shop(tmp_path / "shop")
    asyncio.run(held(config, ("zelda", BUYING), ("link", ["buy", "pen"])))
    return tmp_path / "shop"


def soni(*arguments: object, answer: str | None = None) -> Result:
    given = list(map(str, arguments))
    return CliRunner().invoke(make_app(given), given, input=answer)


def is_stored(folder: Path, word: str) -> bool:
    return any(word.encode() in file.read_bytes() for file in (folder / ".soni").iterdir())


def test_an_erased_person_is_gone_and_the_counts_are_told(folder: Path) -> None:
    tried = soni("erase", "zelda", folder, "--dry-run")
    assert tried.exit_code == 0
    assert tried.stdout == (
        "would be removed: 7 turns in 1 conversation, "
        "with their state, messages, effects and jobs\n"
    )
    assert is_stored(folder, "zelda")
    done = soni("erase", "zelda", folder, "--yes")
    assert (done.exit_code, done.stdout) == (
        0,
        "removed: 1 conversation, 7 turns, 1 state, 0 messages, 0 effects, 0 jobs\n",
    )
    assert not is_stored(folder, "zelda")
    assert is_stored(folder, "link")


def test_without_a_yes_nothing_is_erased(folder: Path) -> None:
    refused = soni("erase", "zelda", folder)
    assert refused.exit_code == 1
    assert "add --yes" in refused.output
    assert is_stored(folder, "zelda")


@pytest.mark.parametrize("verb", ["erase", "export"])
def test_somebody_who_is_not_known_is_said(verb: str, folder: Path) -> None:
    unknown = soni(verb, "ganon", folder)
    assert unknown.exit_code == 1
    assert "nothing is stored about 'ganon'" in unknown.output


def test_what_is_left_is_shown_and_verified_and_not_counted(folder: Path) -> None:
    soni("erase", "zelda", folder, "--yes")
    listed = [json.loads(line) for line in soni("trace", folder, "--json").stdout.splitlines()]
    (name,) = [each["conversation_id"] for each in listed if each["state"] == "erased"]
    traced = soni("trace", folder, "--conversation", name)
    assert traced.exit_code == 0
    assert "a conversation of 7 turns was erased on 20" in traced.stdout
    assert "1 entry verified: the chain of hashes is whole" in traced.stdout
    assert "turn 0  was erased, so it is not held again" in soni("replay", folder, name).stdout
    figures = json.loads(soni("report", folder, "--json").stdout)
    told = {name: figures[name] for name in ("conversations", "turns", "failed_turns", "erased")}
    assert told == {"conversations": 1, "turns": 2, "failed_turns": 0, "erased": 1}


def test_an_export_is_one_document_printed_or_written(folder: Path, tmp_path: Path) -> None:
    printed = soni("export", "zelda", folder)
    assert printed.exit_code == 0
    file = tmp_path / "zelda.json"
    assert soni("export", "zelda", folder, "--output", file).exit_code == 0
    exported = json.loads(file.read_text("utf-8"))
    assert exported == json.loads(printed.stdout)
    (conversation,) = exported["conversations"]
    assert [each.get("message") for each in conversation["turns"]][:2] == ["buy", "pen"]
    assert "4711" not in printed.stdout


def test_old_turns_are_removed_as_set_or_as_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = soni("prune", folder)
    assert kept.exit_code == 1
    assert "--older-than 90d" in kept.output
    assert "90d, 12h" in soni("prune", folder, "--older-than", "soon").output
    monkeypatch.setenv("SONI_SETTINGS__PERSISTENCE__RETENTION", "36500d")
    assert soni("prune", folder).stdout.startswith("removed: 0 conversations, 0 turns")
    removed = soni("prune", folder, "--older-than", "1s")
    assert (
        removed.stdout
        == "removed: 2 conversations, 9 turns, 2 states, 0 messages, 0 effects, 0 jobs\n"
    )


def write_history(folder: Path, *records: tuple[str, float, str]) -> Path:
    """Lines that people typed in `soni chat`, each so many seconds ago."""
    file = folder / ".soni" / "history.jsonl"
    kept = [{"user": u, "at": round(time.time() - age), "text": text} for u, age, text in records]
    file.write_text("".join(json.dumps(each) + "\n" for each in kept))
    return file


def read_history(file: Path) -> list[str]:
    return [json.loads(line)["text"] for line in file.read_text().splitlines()]


def test_lines_typed_in_a_chat_are_erased_also_if_nothing_else_is_left(folder: Path) -> None:
    file = write_history(folder, ("ganon", 9, "my name is Ganon"), ("link", 9, "buy"))
    tried = soni("erase", "ganon", folder, "--dry-run")
    assert tried.exit_code == 0
    assert tried.stdout.startswith("would be removed: 0 turns in 0 conversations")
    assert tried.stdout.endswith(", and 1 line typed in soni chat\n")
    assert read_history(file) == ["my name is Ganon", "buy"]
    done = soni("erase", "ganon", folder, "--yes")
    assert (done.exit_code, read_history(file)) == (0, ["buy"])
    assert done.stdout.endswith("0 jobs, and 1 line typed in soni chat\n")


def test_old_lines_are_pruned_with_old_turns(folder: Path) -> None:
    file = write_history(folder, ("link", 90_000, "old"), ("zelda", 9, "new"))
    pruned = soni("prune", folder, "--older-than", "1d")
    assert pruned.stdout.endswith(", and 1 line typed in soni chat\n")
    assert read_history(file) == ["new"]


def test_lines_older_than_they_are_kept_leave_the_file_when_a_chat_begins(folder: Path) -> None:
    file = write_history(folder, ("link", 90_000, "old"), ("link", 9, "new"))
    assert LineHistory(file, "link").lines == ["old", "new"]
    history = LineHistory(file, "link", max_age=86_400)
    assert history.lines == read_history(file) == ["new"]
    # Another process may have written meanwhile what is too old by now.
    write_history(folder, ("link", 90_000, "old"), ("link", 9, "new"))
    history.keep("newest")
    assert read_history(file) == ["new", "newest"]


def test_a_journal_whose_beginning_was_pruned_is_whole_only_where_that_is_set(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from soni.persistence import open_store

    async def prune() -> None:
        async with open_store("sqlite", str(folder / ".soni" / "conversations.db")) as store:
            entries = await store.journal.entries("zelda")
            await store.prune(before=entries[3].at)

    asyncio.run(prune())
    missing = soni("trace", folder, "zelda")
    assert missing.exit_code == 1
    assert "entries 1 to 3 are missing" in missing.stdout
    monkeypatch.setenv("SONI_SETTINGS__PERSISTENCE__RETENTION", "90d")
    pruned = soni("trace", folder, "zelda")
    assert pruned.exit_code == 0
    assert "whole from entry 4, those before are kept no longer" in pruned.stdout
    assert soni("report", folder).exit_code == 0
