from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    steps = "".join(f"      - say: Hello {number}\n" for number in range(501))
    (folder / "soni.yaml").write_text(f"flows:\n  greet:\n    steps:\n{steps}")
