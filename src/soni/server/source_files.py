"""The files that an assistant was loaded from, to be read, checked and changed in development."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from soni.config.files import MAX_BYTES, find_yaml_files, read_source
from soni.config.load import FOLDER, CheckResult, examine_assistant, find_knowledge_files
from soni.core.errors import ConfigError, UnreadableFile
from soni.decorators import Functions
from soni.server.problems import ApiProblem


class SourceFiles:
    """The YAML files of an assistant at `path`: a folder, or a single file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def list_files(self) -> list[str]:
        """The names of the files, as problems show them."""
        return list(self._find())

    def read(self, name: str) -> tuple[str, str]:
        """The text of a file, and a digest by which a change is noticed."""
        file = self._require(name)
        try:
            text = read_source(file, name, home=self._folder).text
        except UnreadableFile as unreadable:
            raise ApiProblem("not_allowed", unreadable.problem.message) from None
        return text, _compute_digest(file)

    def check(self, drafts: Mapping[str, str], functions: Functions) -> CheckResult:
        """The problems of the assistant if files held these texts. Nothing is written."""
        for name, text in drafts.items():
            self._require(name)
            _require_size(text)
        try:
            return examine_assistant(self._path, drafts=drafts, functions=functions)
        except ConfigError as error:
            return CheckResult(None, error.problems)

    def write(self, name: str, text: str, digest: str) -> str:
        """Replace a file as a whole, unless it has changed since it was read; its new digest."""
        file = self._require(name)
        _require_size(text)
        if _compute_digest(file) != digest:
            raise ApiProblem("stale_file", f"{name} was changed by somebody else")
        # In the same folder, so that it takes the place of the old one at once.
        number, draft = tempfile.mkstemp(dir=file.parent, prefix=".soni-", suffix=".draft")
        try:
            with os.fdopen(number, "w", encoding="utf-8", newline="\n") as opened:
                opened.write(text)
            shutil.copymode(file, draft)
            Path(draft).replace(file)
        except OSError:
            Path(draft).unlink(missing_ok=True)
            raise ApiProblem("not_allowed", f"{name} cannot be written") from None
        return _compute_digest(file)

    @property
    def _folder(self) -> Path:
        return self._path if self._path.is_dir() else self._path.parent

    def _find(self) -> dict[str, Path]:
        try:
            files = find_yaml_files(self._path)
            answers = find_knowledge_files(self._path, files)
        except ConfigError:
            return {}
        return {f.name: f for f in files} | {f"{FOLDER}/{f.name}": f for f in answers}

    def _require(self, name: str) -> Path:
        """The file of that name. Names are looked up, never joined to a path."""
        found = self._find()
        if name not in found:
            raise ApiProblem("not_found", f"no such file; available: {', '.join(found)}")
        file = found[name]
        if not file.resolve().is_relative_to(self._folder.resolve()):
            raise ApiProblem("not_allowed", f"{name} leads out of the assistant's folder")
        return file


def _require_size(text: str) -> None:
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise ApiProblem("invalid_request", "text: not every character is one of UTF-8") from None
    if size > MAX_BYTES:
        raise ApiProblem("invalid_request", f"text: more than {MAX_BYTES:,} bytes")


def _compute_digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
