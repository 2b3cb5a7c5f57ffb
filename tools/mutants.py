"""Change the code in small ways, one at a time, and say which changes no test noticed.

`make mutants` runs this. Works on a copy in build/mutants, so no file of the checkout changes.
Fails if a mutant survives that docs/testing.md does not justify.
"""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.stats import status_by_exit_code

ROOT = Path(__file__).parents[1]
COPY = ROOT / "build" / "mutants"
PAGE = ROOT / "docs" / "testing.md"
NOTICED = {"killed", "timeout"}


@dataclass(frozen=True)
class Mutant:
    """One change of one file, and what the tests made of it."""

    file: str
    name: str
    status: str

    @property
    def change(self) -> tuple[str, str]:
        """The changed lines, as they were and as they are in the mutant."""
        lines = get_diff_for_mutant(self.name).splitlines()[2:]
        return _joined("-", lines), _joined("+", lines)


def _joined(sign: str, diff: list[str]) -> str:
    return " ".join(line[1:].strip() for line in diff if line.startswith(sign))


def copied() -> None:
    """A fresh copy of what the tests need."""
    shutil.rmtree(COPY, ignore_errors=True)
    for folder in ("src", "tests"):
        shutil.copytree(
            ROOT / folder,
            COPY / folder,
            symlinks=True,
            ignore=shutil.ignore_patterns("__pycache__", ".soni"),
        )
    shutil.copy(ROOT / "pyproject.toml", COPY)


def found() -> Iterator[Mutant]:
    """Every mutant that was tried, file by file."""
    for meta in sorted(Path("mutants").rglob("*.py.meta")):
        file = str(meta.relative_to("mutants")).removesuffix(".meta")
        for name, code in json.loads(meta.read_text())["exit_code_by_key"].items():
            status = status_by_exit_code[code]
            if status != "not checked":
                yield Mutant(file, name, status)


def figures(mutants: list[Mutant]) -> Iterator[str]:
    """The table of docs/testing.md."""
    yield "| file | mutants | killed | survived | timeouts |"
    yield "|---|---|---|---|---|"
    for file in [*sorted({mutant.file for mutant in mutants}), "all"]:
        count = Counter(m.status for m in mutants if file in (m.file, "all"))
        survived = count.total() - count["killed"] - count["timeout"]
        row = (f"`{file}`", count.total(), count["killed"], survived, count["timeout"])
        yield f"| {' | '.join(map(str, row))} |"


def main(arguments: list[str]) -> int:
    """Try the mutants that `arguments` name, or all; the exit code."""
    copied()
    os.chdir(COPY)
    run = subprocess.run([sys.executable, "-m", "mutmut", "run", *arguments], check=False)
    mutants = list(found())
    if run.returncode or not mutants:
        print("mutmut could not try the mutants.", file=sys.stderr)
        return run.returncode or 1
    print("\n".join(figures(mutants)))
    reasons = PAGE.read_text(encoding="utf-8").splitlines()
    unexplained = 0
    for mutant in mutants:
        if mutant.status in NOTICED:
            continue
        before, after = mutant.change
        if any(f"`{mutant.file}`" in line and f"`{after}`" in line for line in reasons):
            continue
        unexplained += 1
        print(f"\n{mutant.file}: {mutant.status} ({mutant.name})\n  - {before}\n  + {after}")
    print(f"\n{unexplained} survivors are not justified in docs/testing.md.")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
