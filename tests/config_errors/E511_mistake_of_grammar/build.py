from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    (folder / "actions.py").write_text("def pay(amount)\n    return amount\n")
