"""The path of a store that is not there yet."""

from pathlib import Path

import pytest


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".soni" / "conversations.db"
