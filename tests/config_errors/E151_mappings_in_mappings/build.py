from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    lines = [f"{' ' * depth}k:" for depth in range(100)]
    (folder / "soni.yaml").write_text("\n".join(lines))
