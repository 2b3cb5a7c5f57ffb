from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    (folder / "actions.py").write_text("")
    (folder / "actions").mkdir()
    (folder / "actions" / "__init__.py").write_text("")
