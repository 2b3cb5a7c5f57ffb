from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    secret = folder.parent / "secret.json"
    secret.write_text('{"password": "s3cret"}')
    (folder / "soni.program.json").symlink_to(secret)
