"""The files that an assistant was loaded from, to be read, checked and changed in development."""

import codecs
import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from soni.config.files import MAX_BYTES, find_yaml_files, read_source
from soni.config.load import FOLDER, CheckResult, examine_assistant, find_knowledge_files
from soni.core.errors import ConfigError, UnreadableFile
from soni.decorators import Functions
from soni.server.problems import ApiProblem


@dataclass(frozen=True)
class SavedFile:
    """A file that was replaced."""

    name: str
    digest: str
    """Of what it holds now."""

    former: bytes


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
        # First: if it is changed just now, the digest is the one that is out of date.
        digest = _compute_digest(file.read_bytes())
        try:
            text = read_source(file, name, home=self._folder).text
        except UnreadableFile as unreadable:
            raise ApiProblem("not_allowed", unreadable.problem.message) from None
        return text, digest

    def check(self, drafts: Mapping[str, str], functions: Functions) -> CheckResult:
        """The problems of the assistant if files held these texts. Nothing is written."""
        for name, text in drafts.items():
            self._require(name)
            _require_size(text)
        try:
            return examine_assistant(self._path, drafts=drafts, functions=functions)
        except ConfigError as error:
            return CheckResult(None, error.problems)

    def write(self, name: str, text: str, digest: str) -> SavedFile:
        """Replace a file as a whole, unless it has changed since it was read.

        Of two that write at the same moment both may succeed: the caller lets one in at a time.
        """
        # Of a link the target is replaced, and the link stays.
        file = self._require(name).resolve()
        _require_size(text)
        former = file.read_bytes()
        if _compute_digest(former) != digest:
            raise ApiProblem("stale_file", f"{name} was changed by somebody else")
        content = _encode_like(former, text)
        _replace_content(file, name, content)
        return SavedFile(name, _compute_digest(content), former)

    def take_back(self, saved: SavedFile) -> None:
        """Put back what a file held before, unless somebody has changed it since."""
        file = self._require(saved.name).resolve()
        if _compute_digest(file.read_bytes()) == saved.digest:
            _replace_content(file, saved.name, saved.former)

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


def _encode_like(former: bytes, text: str) -> bytes:
    """A text with the line ends and the mark of the file that it replaces."""
    pairs = former.count(b"\r\n")
    content = text.replace("\r\n", "\n").encode()
    if pairs > former.count(b"\n") - pairs:
        content = content.replace(b"\n", b"\r\n")
    return codecs.BOM_UTF8 + content if former.startswith(codecs.BOM_UTF8) else content


def _replace_content(file: Path, name: str, content: bytes) -> None:
    try:
        # In the same folder, so that it takes the place of the old one at once.
        number, draft = tempfile.mkstemp(dir=file.parent, prefix=".soni-", suffix=".draft")
    except OSError:
        raise ApiProblem("not_allowed", f"{name} cannot be written") from None
    try:
        with os.fdopen(number, "wb") as opened:
            opened.write(content)
        shutil.copymode(file, draft)
        Path(draft).replace(file)
    except OSError:
        Path(draft).unlink(missing_ok=True)
        raise ApiProblem("not_allowed", f"{name} cannot be written") from None


def _compute_digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
