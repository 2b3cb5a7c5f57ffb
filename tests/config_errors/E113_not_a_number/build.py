from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("SONI_SETTINGS__COLLECTION__MAX_ATTEMPTS", "s3cret")
