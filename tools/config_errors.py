"""Write `expected.txt` of the cases in tests/config_errors anew: all, or those that are named.

Read the difference before you keep it: it is what people will read.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.config_errors.cases import HOME, folders, shown


def main(names: list[str]) -> None:
    """Write the expectations of the cases whose names begin with one of `names`."""
    for name in folders():
        if names and not name.startswith(tuple(names)):
            continue
        with TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
            text = shown(name, Path(place), patch)
        (HOME / name / "expected.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
