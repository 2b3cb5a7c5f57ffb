from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    other = folder.parent / "other"
    other.mkdir()
    (other / "__init__.py").write_text("raise SystemExit('this must not run')")
    (folder / "actions").mkdir()
    (folder / "actions" / "__init__.py").write_text("")
    (folder / "actions" / "payments").symlink_to(other)
