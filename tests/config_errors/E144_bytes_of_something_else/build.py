from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    (folder / "soni.yaml").write_bytes(b"\x89PNG\r\n\x1a\n\xff\xff")
