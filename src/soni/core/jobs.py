"""Background work: jobs, how they are carried out, and the queue that keeps them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from soni.core.errors import SoniError

JobState = Literal["waiting", "running", "dead"]


@dataclass(frozen=True, slots=True)
class Job:
    """Something to be done at its time, at least once."""

    key: str
    """Tells the job from all others; whoever carries it out passes it on, so that what happens
    twice counts once."""

    kind: str
    payload: dict[str, Any]
    due_at: float
    attempts: int = 0
    """How often it was begun; while it runs, this time included."""

    state: JobState = "waiting"
    conversation_id: str | None = None
    """The conversation it is about."""

    error: str | None = None
    """Why the last attempt failed."""


class JobError(SoniError):
    """A job failed for a reason that may be shown. `permanent`: another attempt is useless.

    `retry_after`: seconds in which another attempt would fail too, such as a `Retry-After` header.
    """

    def __init__(
        self, message: str, *, permanent: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.permanent = permanent
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Retry:
    """How often a job is tried, and how long it rests in between."""

    attempts: int = 5
    first_delay: float = 2.0
    factor: float = 2.0
    longest_delay: float = 3600.0

    def find_delay(self, attempts: int, error: BaseException | None = None) -> float | None:
        """Seconds until the next attempt after that many failed; None: there is none."""
        if attempts >= self.attempts or (isinstance(error, JobError) and error.permanent):
            return None
        wanted = (error.retry_after or 0.0) if isinstance(error, JobError) else 0.0
        # Few doublings reach any limit, and a large exponent would overflow.
        delay = max(wanted, self.first_delay * self.factor ** min(attempts - 1, 64))
        return min(delay, self.longest_delay)


@dataclass(frozen=True, slots=True)
class Handler:
    """What carries out the jobs of one kind."""

    run: Callable[[Job], Awaitable[None]]
    retry: Retry = Retry()
    timeout: float = 60.0
    """Seconds after which an attempt counts as failed."""

    every: float | None = None
    """Seconds after which the job runs anew, whatever came of it; such a job never dies."""


Handlers = Mapping[str, Handler]


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """How a queue is worked on."""

    clock: Callable[[], float]
    """The time by which jobs are due. A queue on a server goes by that server's time."""

    concurrency: int = 10
    """How many jobs run at the same time."""

    poll_seconds: float = 1.0
    """How often jobs are looked for that other processes have added."""


class JobQueue(Protocol):
    """Jobs that outlive the process that wanted them, if the store does."""

    async def enqueue(
        self,
        kind: str,
        payload: Mapping[str, Any],
        *,
        key: str,
        at: float,
        conversation_id: str | None = None,
    ) -> bool:
        """Keep a job until its time. Once this returns, a crash does not lose it.

        False: there is a job with this key, in whatever state, and it stays as it is.
        """

    async def cancel(self, key: str) -> bool:
        """Drop a job that waits or is dead. One that runs is not stopped, and gives False."""

    async def cancel_conversation(self, conversation_id: str) -> int:
        """Drop all jobs about a conversation that do not run; how many."""

    async def revive(self, key: str, *, at: float) -> bool:
        """Let a dead job begin anew; False if there is no such dead job."""

    async def list_jobs(
        self, *, kind: str | None = None, state: JobState | None = None, limit: int = 1000
    ) -> list[Job]:
        """Jobs that both conditions hold for, in the order of their times."""

    async def run(self, handlers: Handlers, options: WorkerOptions) -> None:
        """Carry out jobs as they become due, until cancelled; those that run are ended first.

        Jobs of kinds without a handler are left to others.
        """

    async def run_due(self, handlers: Handlers, options: WorkerOptions) -> int:
        """Carry out the jobs that are due, and return how many attempts that took."""


def describe_failure(error: BaseException) -> str:
    """The reason that may be recorded: other errors may hold what users said."""
    return str(error) if isinstance(error, JobError) else type(error).__name__
