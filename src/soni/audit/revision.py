"""An assistant as it was in a Git revision: its YAML alone, nothing of it is run."""

import io
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from soni.config.load import examine_assistant
from soni.config.soni_config import SoniConfig
from soni.core.errors import ConfigError, SoniError


def find_commit(folder: Path, revision: str) -> str | None:
    """The full name of a revision of the repository that the folder is in; None: there is none."""
    if "\0" in revision:
        return None
    named = _run_git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", revision)
    return named.stdout.decode().strip() or None if named.returncode == 0 else None


def read_revision(folder: Path, commit: str) -> SoniConfig:
    """The assistant of that folder as it was, without its functions."""
    packed = _run_git(folder, "archive", "--format=tar", commit)
    if packed.returncode != 0:
        raise SoniError(f"{folder} is not in revision {commit[:12]}: there is nothing to compare")
    with TemporaryDirectory() as place:
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as tar:
            texts = [each for each in tar if each.isfile() and Path(each.name).suffix in _SUFFIXES]
            tar.extractall(place, texts, filter="data")
        try:
            config = examine_assistant(place).config
        except ConfigError as error:
            raise SoniError(f"revision {commit[:12]} has no assistant: {error}") from None
    if config is None:
        raise SoniError(
            f"the assistant in revision {commit[:12]} cannot be read: its YAML is not valid"
        )
    return config


_SUFFIXES = (".yaml", ".yml")


def _run_git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True)
    except OSError as error:
        raise SoniError(f"git could not be run: {error}") from None
