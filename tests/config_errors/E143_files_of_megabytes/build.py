from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        (folder / f"{number}.yaml").write_text("#" * 999_999)
