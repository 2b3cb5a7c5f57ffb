from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    text = "flows:\n  greet:\n    steps:\n      - say: ¿Qué tal?\n"
    (folder / "soni.yaml").write_bytes(text.encode("latin-1"))
