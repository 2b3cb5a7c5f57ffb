"""LineHistory: what somebody typed before, in a file that only its owner can read."""

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

MAX_LINES: Final = 500
MAX_LINE: Final = 2000
_FILE: Final = "history.jsonl"


class LineHistory:
    """The lines of one user, oldest first. Without a file they last as long as the chat."""

    def __init__(
        self, file: Path | None = None, user: str = "", *, max_age: float | None = None
    ) -> None:
        self._file = file
        self._user = user
        self._max_age = max_age
        if file is not None and max_age is not None:
            # Where nothing can be written old lines stay, and are not shown.
            with suppress(OSError):
                _forget_records(file, lambda record: record["at"] < time.time() - max_age)
        records = self._list_kept()
        self.lines = [each["text"] for each in records if each["user"] == user][-MAX_LINES:]

    def keep(self, line: str) -> None:
        """Remember a line; not one that is repeated, nor one that nobody would look for."""
        if len(line) > MAX_LINE or self.lines[-1:] == [line]:
            return
        self.lines = [*self.lines, line][-MAX_LINES:]
        if self._file is not None:
            record = {"user": self._user, "at": round(time.time()), "text": line}
            # Where nothing can be written the history lasts as long as the chat.
            with suppress(OSError):
                _write_records(self._file, [*self._list_kept(), record][-MAX_LINES:])

    def _list_kept(self) -> list[dict[str, Any]]:
        since = 0.0 if self._max_age is None else time.time() - self._max_age
        return [record for record in _iter_records(self._file) if record["at"] >= since]


def find_history_file(folder: Path | None) -> Path | None:
    """The file of an assistant."""
    return None if folder is None else folder / ".soni" / _FILE


def count_lines(folder: Path | None, user: str) -> int:
    """How many lines of a user are kept."""
    return sum(each["user"] == user for each in _iter_records(find_history_file(folder)))


def forget_lines(folder: Path | None, user: str) -> int:
    """Remove what a user typed; how many lines. Raises an `OSError` if it cannot be."""
    return _forget_records(find_history_file(folder), lambda record: record["user"] == user)


def forget_older_lines(folder: Path | None, before: float) -> int:
    """Remove what was typed before that time; how many lines. Raises an `OSError` as well."""
    return _forget_records(find_history_file(folder), lambda record: record["at"] < before)


def _forget_records(file: Path | None, is_gone: Callable[[dict[str, Any]], bool]) -> int:
    records = list(_iter_records(file))
    kept = [each for each in records if not is_gone(each)]
    if file is not None and len(kept) < len(records):
        _write_records(file, kept)
    return len(records) - len(kept)


def _iter_records(file: Path | None) -> Iterator[dict[str, Any]]:
    """The records of a file. What is no record was written by somebody else, and is left out."""
    if file is None:
        return
    try:
        written = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in written.splitlines():
        with suppress(ValueError):
            record = json.loads(line)
            if _is_record(record):
                yield record


def _is_record(record: Any) -> bool:
    kinds = {"user": str, "text": str, "at": int}
    return isinstance(record, dict) and all(isinstance(record.get(n), k) for n, k in kinds.items())


def _write_records(file: Path, records: list[dict[str, Any]]) -> None:
    write_private(file, "".join(json.dumps(each) + "\n" for each in records))


def write_private(file: Path, text: str) -> None:
    """Write a whole file that only its owner can read; a reader never sees half of it."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    fresh.touch(mode=0o600, exist_ok=False)
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(file)
