from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    (folder / "actions").mkdir()
    (folder / "actions" / "payments.py").write_text("")
