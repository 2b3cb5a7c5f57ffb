"""A folder `knowledge` that lies elsewhere."""

from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    outside = folder.parent / "outside"
    (folder / "knowledge").rename(outside)
    (folder / "knowledge").symlink_to(outside)
