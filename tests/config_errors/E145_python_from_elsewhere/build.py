from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    other = folder.parent / "other.py"
    other.write_text("raise SystemExit('this must not run')")
    (folder / "actions.py").symlink_to(other)
