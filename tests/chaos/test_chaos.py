"""The short form of `make chaos`."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.database import DATABASES
from tests.chaos.run import Plan, hold_run


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name: the path of a socket may have a hundred characters."""
    with tempfile.TemporaryDirectory(prefix="soni") as made:
        yield Path(made)


@pytest.mark.parametrize("name", sorted(DATABASES))
async def test_nothing_is_lost_or_done_twice_whatever_happens_to_the_processes(
    name: str, folder: Path
) -> None:
    plan = Plan(kills=8, stalls=2, restarts=1, lost_connections=1, workers=2, people=6)
    async with DATABASES[name](folder) as database:
        outcome = await hold_run(plan, database, folder)
    assert outcome.wrong == []
    assert outcome.tally.killed == 8
    assert outcome.tally.stalls == 2
    assert outcome.messages >= 60
