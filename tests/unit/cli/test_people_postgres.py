"""`soni erase`, `export`, `prune` and `keys` for an assistant whose store is PostgreSQL."""

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from soni.cli.main import make_app
from tests.unit.audit.holding import BUYING, SHOP, held, shop
from tests.unit.persistence.database import find_tables

KEY = "SONI_SETTINGS__PERSISTENCE__ENCRYPTION_KEY"
KEYS = "SONI_SETTINGS__PERSISTENCE__ENCRYPTION_KEYS"
WORDS = {"zelda", "Paid, R"}
"""An id, and what the assistant said."""


@pytest.fixture
def folder(tmp_path: Path, postgres_url: str) -> Path:
    settings = f"settings: {{persistence: {{backend: postgres, url: '{postgres_url}'}}, "
    config = shop(tmp_path / "shop", SHOP.replace("settings: {", settings))
    asyncio.run(held(config, ("zelda", BUYING), ("link", ["buy", "pen"])))
    return tmp_path / "shop"


def soni(*arguments: object) -> Result:
    given = list(map(str, arguments))
    return CliRunner().invoke(make_app(given), given)


def test_an_erased_person_is_gone_and_the_others_stay(folder: Path, postgres_url: str) -> None:
    assert "journal" in find_tables(postgres_url, "zelda")
    tried = soni("erase", "zelda", folder, "--dry-run")
    assert "7 turns in 1 conversation" in tried.stdout
    done = soni("erase", "zelda", folder, "--yes")
    assert (done.exit_code, done.stdout) == (
        0,
        "removed: 1 conversation, 7 turns, 1 state, 0 messages, 0 effects, 0 jobs\n",
    )
    assert [find_tables(postgres_url, word) for word in WORDS] == [[], []]
    assert "journal" in find_tables(postgres_url, "link")
    assert soni("export", "zelda", folder).exit_code == 1
    listed = [json.loads(line) for line in soni("trace", folder, "--json").stdout.splitlines()]
    (name,) = [each["conversation_id"] for each in listed if each["state"] == "erased"]
    traced = soni("trace", folder, "--conversation", name)
    assert "a conversation of 7 turns was erased on 20" in traced.stdout
    assert "1 entry verified: the chain of hashes is whole" in traced.stdout


def test_an_export_tells_what_was_said_and_no_secret(folder: Path) -> None:
    printed = soni("export", "zelda", folder)
    assert printed.exit_code == 0
    (conversation,) = json.loads(printed.stdout)["conversations"]
    assert [each.get("message") for each in conversation["turns"]][:2] == ["buy", "pen"]
    assert "4711" not in printed.stdout


def test_old_turns_are_removed(folder: Path, postgres_url: str) -> None:
    assert soni("prune", folder, "--older-than", "36500d").stdout.startswith(
        "removed: 0 conversations, 0 turns"
    )
    removed = soni("prune", folder, "--older-than", "1s")
    assert (
        removed.stdout
        == "removed: 2 conversations, 9 turns, 2 states, 0 messages, 0 effects, 0 jobs\n"
    )
    assert [find_tables(postgres_url, word) for word in WORDS] == [[], []]


def test_a_store_gets_a_key_and_then_another(
    folder: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = (soni("keys", "new", "encryption").stdout.strip() for _ in range(2))
    assert "journal" in find_tables(postgres_url, "Paid, R")
    monkeypatch.setenv(KEY, old)
    first = soni("keys", "rotate", folder)
    assert first.exit_code == 0
    assert find_tables(postgres_url, "Paid, R") == []
    monkeypatch.setenv(KEY, new)
    monkeypatch.setenv(KEYS, json.dumps([old]))
    assert soni("keys", "rotate", folder).stdout == first.stdout == "11 values encrypted anew\n"
    assert soni("keys", "rotate", folder).stdout == "0 values encrypted anew\n"
    monkeypatch.delenv(KEYS)
    assert soni("trace", folder, "zelda").exit_code == 0
    monkeypatch.delenv(KEY)
    locked = soni("trace", folder, "zelda")
    assert locked.exit_code == 1
    assert "encryption_key" in locked.output
