from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    secret = folder.parent / "secret.yaml"
    secret.write_text("password: s3cret")
    (folder / "more.yaml").symlink_to(secret)
