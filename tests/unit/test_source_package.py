"""Whoever has only the source package can run what the docs tell people to run."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_source_package_has_every_folder_that_the_docs_run_something_of() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = settings["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*/README.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    named = set(re.findall(r"python (?:-m )?(\w+)[./]\w", text))
    folders = {name for name in named if (ROOT / name).is_dir()}
    assert folders >= {"benchmarks", "tools"}
    assert {name for name in folders if f"/{name}" not in included} == set()
