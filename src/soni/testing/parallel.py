"""Runs tests in several processes. Results still come in order."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, cast

from soni.testing.result import Result
from soni.testing.run import Understanding
from soni.testing.suite import Suite

_TESTS_PER_PROCESS: Final = 25
"""The number of tests that takes as long as starting a process."""


@dataclass(frozen=True)
class Selection:
    """The selection of tests that a worker process needs to load them."""

    path: Path
    pattern: str = ""
    nlu: Understanding = "local"

    def load_suite(self) -> Suite:
        """The tests."""
        return Suite.load(self.path, nlu=self.nlu).select(self.pattern)


def choose_process_count(tests: int, wanted: int | None) -> int:
    """How many processes to use; by default as many as help."""
    if wanted is not None:
        return max(1, min(wanted, tests))
    return max(1, min(_count_cores(), tests // _TESTS_PER_PROCESS))


def run_suite(suite: Suite, choice: Selection, processes: int) -> Iterator[Result]:
    """Run the tests here or in `processes`. Each result comes as soon as those before it."""
    return _run_here(suite) if processes < 2 else _Workers(choice, processes).run(suite)


def _run_here(suite: Suite) -> Iterator[Result]:
    with asyncio.Runner() as runner:
        results = suite.run()
        try:
            while True:
                yield runner.run(anext(results))
        except StopAsyncIteration:
            return
        finally:
            runner.run(results.aclose())


class _Workers:
    """Worker processes, each with every n-th test. They send results through a pipe."""

    def __init__(self, choice: Selection, count: int) -> None:
        self._choice = choice
        self._count = count
        self._processes: list[BaseProcess] = []
        self._pipes: dict[Connection, int] = {}

    def run(self, suite: Suite) -> Iterator[Result]:
        try:
            self._start()
            yield from self._iter_results(suite)
        finally:
            self._stop()

    def _start(self) -> None:
        context = _get_context()
        for index in range(self._count):
            here, there = context.Pipe(duplex=False)
            work = (self._choice, index, self._count, there)
            process = context.Process(target=_run_worker, args=work, daemon=True)
            process.start()
            # Only the process holds its end now, so the pipe closes when the process ends.
            there.close()
            self._processes.append(process)
            self._pipes[here] = index

    def _iter_results(self, suite: Suite) -> Iterator[Result]:
        ready: dict[int, Result] = {}
        told = dict.fromkeys(range(self._count), 0)
        following = 0
        while following < len(suite):
            for pipe in cast("list[Connection]", wait(list(self._pipes))):
                worker = self._pipes[pipe]
                try:
                    ready[worker + self._count * told[worker]] = pipe.recv()
                    told[worker] += 1
                except EOFError:
                    del self._pipes[pipe]
                    pipe.close()
                    ready.update(self._report_lost(worker, told[worker], suite))
            while following in ready:
                yield ready.pop(following)
                following += 1

    def _report_lost(self, worker: int, told: int, suite: Suite) -> dict[int, Result]:
        """The failures of tests whose process ended before it sent a result."""
        rest = range(worker + self._count * told, len(suite), self._count)
        error = "the process that ran it has ended"
        tests = suite.tests
        return {at: Result(tests[at].name, tests[at].where, error=error) for at in rest}

    def _stop(self) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()
        for pipe in self._pipes:
            pipe.close()


def _run_worker(choice: Selection, index: int, count: int, pipe: Connection) -> None:
    # Ctrl-C reaches every process of the terminal; the parent ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    suite = choice.load_suite()
    share = replace(suite, tests=suite.tests[index::count])

    async def run() -> None:
        async for result in share.run():
            pipe.send(result)

    # The pipe is closed because the run was stopped.
    with suppress(BrokenPipeError):
        asyncio.run(run())


def _get_context() -> Any:
    # A fork starts faster, but with other threads it may inherit a held lock.
    alone = threading.active_count() == 1
    forks = "fork" in multiprocessing.get_all_start_methods() and alone
    return multiprocessing.get_context("fork" if forks else "spawn")


def _count_cores() -> int:
    with suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
