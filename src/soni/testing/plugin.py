"""The pytest plugin: each test of an assistant's `*.test.yaml` files is an item of pytest.

pytest loads it wherever Soni is installed, so nothing of Soni's is imported before there is such a
file beside a `soni.yaml`. `-p no:soni` turns it off.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from soni.testing.result import Result
    from soni.testing.run import ConversationTest

_SUFFIXES = (".test.yaml", ".test.yml")
_MAIN = ("soni.yaml", "soni.yml")
_ASSISTANTS = pytest.StashKey[dict[Path, Any]]()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect the conversation tests of an assistant, and no other file of that name."""
    if not file_path.name.endswith(_SUFFIXES) or not _has_assistant(file_path):
        return None
    collected: pytest.Collector = ConversationFile.from_parent(parent, path=file_path)
    return collected


def _has_assistant(file: Path) -> bool:
    folders = [file.parent, *(above.parent for above in file.parents if above.name == "tests")]
    return any((folder / name).is_file() for folder in folders for name in _MAIN)


class ConversationFile(pytest.File):
    """One `*.test.yaml`."""

    def collect(self) -> Iterator["ConversationItem"]:
        """Its tests; the mistakes of the file, or of the assistant, if it cannot be used."""
        from soni.config.soni_config import SoniConfig
        from soni.core.errors import ConfigError
        from soni.testing.files import find_assistant_folder
        from soni.testing.suite import Suite

        # An assistant with many files of tests is loaded once.
        loaded = self.config.stash.setdefault(_ASSISTANTS, {})
        home = find_assistant_folder(self.path)
        try:
            if home not in loaded:
                loaded[home] = SoniConfig.load(home)
            suite = Suite.load(self.path, config=loaded[home])
        except ConfigError as error:
            raise self.CollectError(str(error)) from None
        for test in suite:
            yield ConversationItem.from_parent(self, name=test.name, test=test)


class ConversationItem(pytest.Item):
    """One conversation test."""

    def __init__(self, *, test: "ConversationTest", **given: Any) -> None:
        super().__init__(**given)
        self._test = test

    def runtest(self) -> None:
        """Hold the conversation."""
        result = asyncio.run(self._test.run())
        if not result.passed:
            raise ConversationFailed(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What was expected, what was seen and what was said; any other error as always."""
        if isinstance(excinfo.value, ConversationFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the test begins."""
        return self.path, int(self._test.where.rpartition(":")[2]) - 1, self.name


class ConversationFailed(Exception):  # noqa: N818  # it is a verdict, not a defect
    """A conversation was not as expected."""

    def __init__(self, result: "Result") -> None:
        from soni.testing.report import format_failure

        super().__init__(format_failure(result))
