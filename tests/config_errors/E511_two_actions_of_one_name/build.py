from pathlib import Path

import pytest


def build(folder: Path, patch: pytest.MonkeyPatch) -> None:
    lines = ["from soni import action", "", "@action", "def pay(): ...", ""]
    lines += ["@action('pay')", "def buy(): ...", ""]
    (folder / "actions.py").write_text("\n".join(lines))
