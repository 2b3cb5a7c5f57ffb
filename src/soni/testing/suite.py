"""All tests of an assistant."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from soni.config.assistant import Assistant
from soni.config.checks.report import Report
from soni.config.load import sort_problems
from soni.config.soni_config import SoniConfig
from soni.core.errors import ConfigError, Problem
from soni.testing.checks import check_cases
from soni.testing.files import find_assistant_folder, find_case_files, read_cases
from soni.testing.result import Result
from soni.testing.run import ConversationTest, Understanding

_CONCURRENT_TESTS = 8


@dataclass(frozen=True)
class Suite:
    """The tests that were found, in the order of files and lines."""

    tests: tuple[ConversationTest, ...]
    config: SoniConfig
    home: Path
    """The assistant's folder."""

    @classmethod
    def load(
        cls, path: str | Path, *, nlu: Understanding = "local", config: SoniConfig | None = None
    ) -> "Suite":
        """The tests of an assistant's folder, or of one file.

        `config` is the assistant, if it is loaded already. With `nlu="scripted"` every message
        must have its commands written down. Raises `ConfigError` holding every problem of the
        assistant, or else of all the test files.
        """
        if not Path(path).exists():
            message, remedy = "there is no such file or folder", "give the folder of an assistant"
            raise ConfigError([Problem(message, remedy, file=str(path), code="E140")])
        home = find_assistant_folder(Path(path))
        config = config or SoniConfig.load(home)
        problems: list[Problem] = []
        tests: list[ConversationTest] = []
        for file in find_case_files(Path(path)):
            found, wrong = _read_tests(file, home, config, nlu)
            tests += found
            problems += wrong
        if problems:
            raise ConfigError(sort_problems(problems))
        return cls(tuple(tests), config, home)

    def select(self, pattern: str) -> "Suite":
        """The tests whose name holds `pattern`, in any case."""
        wanted = pattern.casefold()
        chosen = tuple(test for test in self.tests if wanted in test.name.casefold())
        return replace(self, tests=chosen)

    async def run(self, *, to_end: bool = False) -> AsyncGenerator[Result, None]:
        """Run tests concurrently, with results in order. `to_end`: continue after a failure."""
        room = asyncio.Semaphore(_CONCURRENT_TESTS)

        async def run(test: ConversationTest) -> Result:
            async with room:
                return await test.run(to_end=to_end)

        running = [asyncio.create_task(run(test)) for test in self.tests]
        try:
            for task in running:
                yield await task
        finally:
            for task in running:
                task.cancel()

    def __iter__(self) -> Iterator[ConversationTest]:
        return iter(self.tests)

    def __len__(self) -> int:
        return len(self.tests)


async def run_tests(
    path: str | Path, *, pattern: str = "", nlu: Understanding = "local"
) -> list[Result]:
    """Load, select and run the tests of an assistant."""
    return [result async for result in Suite.load(path, nlu=nlu).select(pattern).run()]


def _read_tests(
    file: Path, home: Path, config: SoniConfig, nlu: Understanding
) -> tuple[list[ConversationTest], list[Problem]]:
    shown = file.absolute().relative_to(home.absolute()).as_posix()
    read = read_cases(file, shown)
    if read.content is None:
        return [], list(read.problems)
    report = Report(read.positions)
    check_cases(read.content, Assistant(config), report, scripted=nlu == "scripted")
    tests = [
        ConversationTest(case, index, config, read.positions, nlu=nlu)
        for index, case in enumerate(read.content.tests)
    ]
    return tests, [*read.problems, *report.problems]
