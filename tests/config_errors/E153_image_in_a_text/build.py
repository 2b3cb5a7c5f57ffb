from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    (folder / "soni.yaml").write_text("responses:\n  logo: " + "iVBORw0KGgo" * 9_000)
