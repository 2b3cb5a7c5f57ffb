"""The conformance tests for stores, run by somebody who has written one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

STORE = """
from soni.persistence.memory import MemoryStore

class ShelfStore(MemoryStore):
    pass

class ForgetfulStore(MemoryStore):
    async def forget(self, conversation_id, entry):
        return await self.journal.append(conversation_id, entry, "reset")

def STORE(options):
    return ShelfStore() if options.url == "good" else ForgetfulStore()
"""
TESTS = """
import pytest_asyncio
from soni.persistence import open_store
from soni.testing.store_conformance import StoreConformance

class TestShelf(StoreConformance):
    @pytest_asyncio.fixture
    async def store(self):
        async with open_store("shelf", "{url}") as opened:
            yield opened
"""


def run_suite(folder: Path, url: str, *chosen: str) -> "subprocess.CompletedProcess[str]":
    about = folder / "soni_shelf-1.0.dist-info"
    about.mkdir(exist_ok=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: soni-shelf\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[soni.stores]\nshelf = shelf\n")
    (folder / "shelf.py").write_text(STORE)
    (folder / "test_shelf.py").write_text(TESTS.format(url=url))
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen]
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )


@pytest.mark.slow
def test_a_third_partys_store_is_tried_with_a_few_lines(tmp_path: Path) -> None:
    done = run_suite(tmp_path, "good", "test_shelf.py")
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_a_store_that_does_not_forget_is_found_out(tmp_path: Path) -> None:
    name = "test_a_forgotten_conversation_starts_anew_and_its_journal_says_so"
    done = run_suite(tmp_path, "bad", f"test_shelf.py::TestShelf::{name}")
    assert done.returncode == 1
    assert f"FAILED test_shelf.py::TestShelf::{name}" in done.stdout
