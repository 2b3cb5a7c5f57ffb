"""`soni keys`: new keys, and stores that get another one."""

import asyncio
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from soni.cli.main import make_app
from soni.persistence.encryption import make_cipher
from tests.unit.audit.holding import BUYING, held, shop

VARIABLE = "SONI_SETTINGS__PERSISTENCE__ENCRYPTION_KEY"


def soni(*arguments: object) -> Result:
    given = list(map(str, arguments))
    return CliRunner().invoke(make_app(given), given)


def test_a_new_key_is_one_that_can_be_used() -> None:
    first, second = (soni("keys", "new", "encryption").stdout.strip() for _ in range(2))
    assert first != second
    assert make_cipher([first, second]) is not None


def test_a_store_is_encrypted_with_the_new_key_and_its_journal_stays_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "shop"
    asyncio.run(held(shop(folder), ("ann", BUYING)))
    without = soni("keys", "rotate", folder)
    assert without.exit_code == 1
    assert "soni keys new encryption" in without.output
    monkeypatch.setenv(VARIABLE, soni("keys", "new", "encryption").stdout.strip())
    renewed = soni("keys", "rotate", folder)
    assert renewed.exit_code == 0
    assert renewed.stdout.endswith("values encrypted anew\n")
    assert soni("keys", "rotate", folder).stdout == "0 values encrypted anew\n"
    assert not any(b"Paid, R" in file.read_bytes() for file in (folder / ".soni").iterdir())
    assert soni("trace", folder, "ann").exit_code == 0
    monkeypatch.delenv(VARIABLE)
    locked = soni("trace", folder, "ann")
    assert locked.exit_code == 1
    assert "encryption_key" in locked.output
