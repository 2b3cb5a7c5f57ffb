"""The queue of stores that have no engine for jobs: the process that is there looks for them."""

import asyncio
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import structlog

from soni.core.jobs import (
    Handler,
    Handlers,
    Job,
    JobError,
    JobQueue,
    WorkerOptions,
    describe_failure,
)
from soni.core.storage_errors import StorageError

_log = structlog.get_logger("soni.jobs")

GRACE_SECONDS = 10.0
"""How long jobs may still run when the worker is stopped."""

LEASE_MARGIN = 30.0
"""Seconds beyond its time-out after which the worker of a job counts as gone."""


class PolledJobs(JobQueue):
    """Carries out the jobs of a table. Only their storage differs between stores."""

    def __init__(self) -> None:
        self._added = asyncio.Event()

    @abstractmethod
    async def claim(self, terms: dict[str, float], now: float, limit: int) -> list[Job]:
        """Take jobs of these kinds that are due, each for so many seconds, so that nobody else
        takes them. Their attempts are counted."""

    @abstractmethod
    async def settle(self, job: Job) -> None:
        """Write the attempts, time, state and error of a job that was claimed here."""

    @abstractmethod
    async def remove(self, job: Job) -> None:
        """Delete a job that was claimed here."""

    @abstractmethod
    async def find_next_time(self, kinds: Sequence[str]) -> float | None:
        """When the next waiting job of these kinds is due."""

    def note_added(self) -> None:
        """Wake the worker of this process: a job may be due sooner than it thinks."""
        self._added.set()

    async def run(self, handlers: Handlers, options: WorkerOptions) -> None:
        running: set[asyncio.Task[None]] = set()
        try:
            while True:
                self._added.clear()
                try:
                    await self._start_due(handlers, options, running)
                    pause = await self._find_pause(handlers, options, running)
                except StorageError as error:  # the file may be free again in a moment
                    _log.warning("jobs_not_claimed", reason=str(error))
                    pause = options.poll_seconds
                await self._rest(pause)
        finally:
            if running:
                await asyncio.wait(running, timeout=GRACE_SECONDS)
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def run_due(self, handlers: Handlers, options: WorkerOptions) -> int:
        count = 0
        while jobs := await self._claim_jobs(handlers, options, options.concurrency):
            await asyncio.gather(*(self._run_job(job, handlers, options) for job in jobs))
            count += len(jobs)
        return count

    async def _start_due(
        self, handlers: Handlers, options: WorkerOptions, running: set[asyncio.Task[None]]
    ) -> None:
        free = options.concurrency - len(running)
        for job in await self._claim_jobs(handlers, options, free) if free else ():
            task = asyncio.create_task(self._run_job(job, handlers, options))
            running.add(task)
            task.add_done_callback(running.discard)
            # A free place may be for a job that is due by now.
            task.add_done_callback(lambda _: self.note_added())

    async def _claim_jobs(
        self, handlers: Handlers, options: WorkerOptions, limit: int
    ) -> list[Job]:
        terms = {kind: each.timeout + LEASE_MARGIN for kind, each in handlers.items()}
        return await self.claim(terms, options.clock(), limit)

    async def _find_pause(
        self, handlers: Handlers, options: WorkerOptions, running: set[asyncio.Task[None]]
    ) -> float:
        """Seconds until something may have to be done, or until others are looked after."""
        if len(running) >= options.concurrency:
            return options.poll_seconds
        due = await self.find_next_time(list(handlers))
        if due is None:
            return options.poll_seconds
        return max(0.0, min(options.poll_seconds, due - options.clock()))

    async def _rest(self, pause: float) -> None:
        try:
            async with asyncio.timeout(pause):
                await self._added.wait()
        except TimeoutError:
            return

    async def _run_job(self, job: Job, handlers: Handlers, options: WorkerOptions) -> None:
        try:
            await self._attempt_job(job, handlers[job.kind], options)
        except StorageError as error:
            # Nobody noted what came of it: it runs again once its lease is over.
            _log.error("job_not_settled", kind=job.kind, key=job.key, reason=str(error))

    async def _attempt_job(self, job: Job, handler: Handler, options: WorkerOptions) -> None:
        try:
            if job.attempts > handler.retry.attempts and handler.every is None:
                # Counted before it runs: one that takes its process down does not do so forever.
                raise JobError("the process that ran it has ended each time", permanent=True)
            async with asyncio.timeout(handler.timeout):
                await handler.run(job)
        except asyncio.CancelledError:
            await asyncio.shield(
                self.settle(replace(job, state="waiting", attempts=job.attempts - 1))
            )
            raise
        except Exception as error:
            await self._settle_failure(job, handler, error, options)
        else:
            if handler.every is None:
                await self.remove(job)
            else:
                again = options.clock() + handler.every
                await self.settle(
                    replace(job, state="waiting", due_at=again, attempts=0, error=None)
                )

    async def _settle_failure(
        self, job: Job, handler: Handler, error: Exception, options: WorkerOptions
    ) -> None:
        reason = describe_failure(error)
        facts = {"kind": job.kind, "key": job.key, "attempt": job.attempts, "error": reason}
        delay = handler.retry.find_delay(job.attempts, error)
        if delay is not None:
            _log.warning("job_failed", **facts)
            due = options.clock() + delay
            await self.settle(replace(job, state="waiting", due_at=due, error=reason))
        elif handler.every is not None:
            _log.error("job_given_up_until_next_time", **facts)
            due = options.clock() + handler.every
            await self.settle(replace(job, state="waiting", due_at=due, attempts=0, error=reason))
        else:
            _log.error("job_given_up", **facts)
            await self.settle(replace(job, state="dead", error=reason))
