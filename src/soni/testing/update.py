"""Rewrites failed expectations of test files with what was seen."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from soni.config.positions import Path, Positions, Source
from soni.config.soni_config import SoniConfig
from soni.config.splice import splice_values
from soni.testing.result import Mismatch, Result
from soni.testing.run import ConversationTest
from soni.testing.ui import name_commands


@dataclass(frozen=True)
class RewrittenFile:
    """A test file before and after its expectations are rewritten."""

    file: str
    """As it is shown: relative to the assistant's folder."""

    before: str
    after: str | None
    """None: replacing values is not enough, so the file must be edited by hand."""

    count: int
    """How many expectations change."""


def rewrite_expectations(
    pairs: Iterable[tuple[ConversationTest, Result]], config: SoniConfig
) -> list[RewrittenFile]:
    """The files that change, in their order."""
    changes: dict[int, tuple[Positions, dict[Path, Any]]] = {}
    for test, result in pairs:
        for turn, mismatch in result.differing:
            path = (*test.path, "turns", turn, "expect", mismatch.what)
            new = _make_expectation(mismatch, test.positions.find_written(path).value, config)
            if new is not None:
                key = id(test.positions)
                changes.setdefault(key, (test.positions, {}))[1][path] = new[0]
    return [_rewrite_file(positions, made) for positions, made in changes.values()]


def write_back(file: FilePath, text: str) -> None:
    """Write a text with the line endings and the byte order mark of the file."""
    old = file.read_bytes()
    if b"\r\n" in old:
        text = text.replace("\n", "\r\n")
    file.write_bytes(text.encode("utf-8-sig" if old.startswith(b"\xef\xbb\xbf") else "utf-8"))


def _rewrite_file(positions: Positions, changes: Mapping[Path, Any]) -> RewrittenFile:
    source: Source = positions.values[()].source
    after = splice_values(positions, source, changes)
    return RewrittenFile(source.file, source.text, after, len(changes))


def _escape_pattern(text: str) -> str:
    # `re.escape` would also escape spaces.
    return re.sub(r"[\\.^$*+?{}\[\]|()]", r"\\\g<0>", text)


def _make_expectation(mismatch: Mismatch, written: Any, config: SoniConfig) -> tuple[Any] | None:
    """The new expectation in a tuple; None if it must not be written."""
    got = mismatch.got
    match mismatch.what:
        case "contains":
            return ([*(text for text in written if text not in mismatch.expected), *got],)
        case "not_contains":
            return ([text for text in written if text not in mismatch.expected],)
        case "matches":
            found = [f"^{_escape_pattern(line)}$" for text in got for line in text.split("\n")]
            return ([*(text for text in written if text not in mismatch.expected), *found],)
        case "slots":
            # Sensitive values are never written.
            secret = {name for name, slot in config.slots.items() if slot.sensitive}
            changed = {**written, **{name: got[name] for name in written if name not in secret}}
            return (changed,) if changed != written else None
        case "handoff" if written is None:
            return ({"queue": got["queue"]},)
        case "ui":
            return (name_commands(got),)
    return (got,)
