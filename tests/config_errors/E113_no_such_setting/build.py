from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("SONI_SETTINGS__PERSISTENCE__URI", "s3cret")
