"""Broken assistants, one folder each, and what `soni check` prints about them."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from shutil import copytree

import pytest
from typer.testing import CliRunner

from soni.cli.main import make_app

HOME = Path(__file__).parent
CASES = sorted(path.parent.name for path in HOME.glob("*/expected.txt"))


def folders() -> list[str]:
    """The names of all cases, those without an expectation yet included."""
    return sorted(path.name for path in HOME.iterdir() if path.name[:1] in "EW")


def shown(name: str, place: Path, patch: pytest.MonkeyPatch) -> str:
    """What is printed about a case. Its `build.py` makes what cannot be kept in a folder."""
    folder = place / "assistant"
    copytree(HOME / name, folder, ignore=lambda *_: {"expected.txt", "build.py", "__pycache__"})
    script = HOME / name / "build.py"
    if script.exists():
        spec = spec_from_file_location(f"build_{name}", script)
        assert spec is not None and spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        module.build(folder, patch)
    patch.chdir(place)
    return CliRunner().invoke(make_app(["check"]), ["check", "assistant"]).output
