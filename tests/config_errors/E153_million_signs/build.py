from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    (folder / "soni.yaml").write_text("flows: " + "!" * 900_000)
