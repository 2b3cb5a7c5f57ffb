"""What the queue of every store must do."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from soni.core.jobs import Handler, Job, JobError, JobQueue, Retry, WorkerOptions
from soni.core.storage import Store
from soni.core.storage_errors import JournalError

OPTIONS = WorkerOptions(time.time, poll_seconds=0.05)
LATER = 3600.0
AT_ONCE = Retry(attempts=3, first_delay=0)


class Work:
    """Carries out jobs of kind `post`, and fails as often as it is told to."""

    def __init__(self, *faults: BaseException, **options: object) -> None:
        self.done: list[Job] = []
        self.faults = list(faults)
        self.handlers = {"post": Handler(self.run, **{"retry": AT_ONCE, **options})}  # type: ignore[arg-type]

    async def run(self, job: Job) -> None:
        self.done.append(job)
        if self.faults:
            raise self.faults.pop(0)

    @property
    def keys(self) -> list[str]:
        return [job.key for job in self.done]


async def add(jobs: JobQueue, *keys: str, after: float = -1.0, **options: object) -> None:
    for key in keys:
        payload = {"to": "Bob"}
        assert await jobs.enqueue("post", payload, key=key, at=time.time() + after, **options)  # type: ignore[arg-type]


async def until(condition: Callable[[], bool | Awaitable[bool]]) -> None:
    async with asyncio.timeout(30):
        while True:
            met = condition()
            if await met if isinstance(met, Awaitable) else met:
                return
            await asyncio.sleep(0.01)


@pytest.mark.asyncio
class JobConformance:
    """A job runs at its time and at least once, and is not lost."""

    @pytest.fixture
    def jobs(self, store: Store) -> JobQueue:
        return store.jobs

    async def test_a_job_that_is_due_runs_once_and_is_gone(self, jobs: JobQueue) -> None:
        work = Work()
        await add(jobs, "a", conversation_id="ann")
        assert await jobs.run_due(work.handlers, OPTIONS) == 1
        (job,) = work.done
        about = (job.key, job.kind, job.payload, job.attempts, job.conversation_id)
        assert about == ("a", "post", {"to": "Bob"}, 1, "ann")
        assert await jobs.list_jobs() == []
        assert await jobs.run_due(work.handlers, OPTIONS) == 0

    async def test_a_job_waits_for_its_time(self, jobs: JobQueue) -> None:
        work = Work()
        await add(jobs, "later", after=LATER)
        assert await jobs.run_due(work.handlers, OPTIONS) == 0
        (job,) = await jobs.list_jobs()
        assert (job.key, job.state, job.attempts) == ("later", "waiting", 0)
        assert job.due_at == pytest.approx(time.time() + LATER, abs=600)

    async def test_one_key_is_one_job(self, jobs: JobQueue) -> None:
        work = Work()
        await add(jobs, "a")
        assert not await jobs.enqueue("post", {"to": "Eve"}, key="a", at=0.0)
        await jobs.run_due(work.handlers, OPTIONS)
        assert [job.payload for job in work.done] == [{"to": "Bob"}]

    async def test_of_many_that_add_one_key_at_once_one_has_added_it(self, jobs: JobQueue) -> None:
        added = await asyncio.gather(
            *(jobs.enqueue("post", {}, key="a", at=time.time() - 1) for _ in range(10))
        )
        assert added.count(True) == 1
        work = Work()
        assert await jobs.run_due(work.handlers, OPTIONS) == 1

    async def test_a_job_that_waits_can_be_cancelled(self, jobs: JobQueue) -> None:
        work = Work()
        await add(jobs, "a", "b")
        assert await jobs.cancel("a")
        assert not await jobs.cancel("a")
        await jobs.run_due(work.handlers, OPTIONS)
        assert work.keys == ["b"]
        assert not await jobs.cancel("b")

    async def test_the_jobs_of_a_conversation_can_be_cancelled_together(
        self, jobs: JobQueue
    ) -> None:
        await add(jobs, "a", "b", after=LATER, conversation_id="ann")
        await add(jobs, "c", after=LATER, conversation_id="bob")
        await add(jobs, "d", after=LATER)
        assert await jobs.cancel_conversation("ann") == 2
        assert sorted(job.key for job in await jobs.list_jobs()) == ["c", "d"]

    async def test_a_job_that_runs_cannot_be_cancelled_nor_added_again(
        self, jobs: JobQueue
    ) -> None:
        tried: list[bool] = []

        async def run(job: Job) -> None:
            tried.append(await jobs.cancel("a"))
            tried.append(await jobs.enqueue("post", {}, key="a", at=0.0))
            (running,) = await jobs.list_jobs(state="running")
            tried.append(running.key == "a")

        await add(jobs, "a")
        assert await jobs.run_due({"post": Handler(run)}, OPTIONS) == 1
        assert tried == [False, False, True]

    async def test_a_job_that_fails_is_tried_again(self, jobs: JobQueue) -> None:
        work = Work(RuntimeError("secret"), TimeoutError())
        await add(jobs, "a")
        assert await jobs.run_due(work.handlers, OPTIONS) == 3
        assert [job.attempts for job in work.done] == [1, 2, 3]
        assert await jobs.list_jobs() == []

    async def test_a_job_rests_between_its_attempts(self, jobs: JobQueue) -> None:
        work = Work(RuntimeError(), retry=Retry(first_delay=LATER, longest_delay=LATER))
        await add(jobs, "a")
        assert await jobs.run_due(work.handlers, OPTIONS) == 1
        (job,) = await jobs.list_jobs(state="waiting")
        assert job.attempts == 1
        assert job.due_at == pytest.approx(time.time() + LATER, abs=600)

    async def test_a_job_that_fails_too_often_is_listed_and_not_lost(self, jobs: JobQueue) -> None:
        work = Work(*(RuntimeError("what Bob said") for _ in range(3)))
        await add(jobs, "a")
        assert await jobs.run_due(work.handlers, OPTIONS) == 3
        (dead,) = await jobs.list_jobs(state="dead")
        assert (dead.key, dead.attempts, dead.error) == ("a", 3, "RuntimeError")
        assert await jobs.run_due(work.handlers, OPTIONS) == 0
        assert not await jobs.enqueue("post", {}, key="a", at=0.0)

    async def test_a_dead_job_can_begin_anew_or_be_dropped(self, jobs: JobQueue) -> None:
        work = Work(JobError("refused", permanent=True), JobError("refused", permanent=True))
        await add(jobs, "a", "b")
        await jobs.run_due(work.handlers, OPTIONS)
        assert [job.error for job in await jobs.list_jobs(state="dead")] == ["refused"] * 2
        assert await jobs.cancel("b")
        assert not await jobs.revive("b", at=0.0)
        assert await jobs.revive("a", at=time.time() - 1)
        assert not await jobs.revive("a", at=0.0)
        assert await jobs.run_due(work.handlers, OPTIONS) == 1
        assert work.done[-1].attempts == 1
        assert await jobs.list_jobs() == []

    async def test_an_attempt_that_takes_too_long_has_failed(self, jobs: JobQueue) -> None:
        async def hang(job: Job) -> None:
            await asyncio.sleep(3600)

        handler = Handler(hang, retry=Retry(attempts=1), timeout=0.05)
        await add(jobs, "a")
        assert await jobs.run_due({"post": handler}, OPTIONS) == 1
        (dead,) = await jobs.list_jobs(state="dead")
        assert dead.error == "TimeoutError"

    async def test_a_job_that_recurs_waits_for_its_next_time(self, jobs: JobQueue) -> None:
        work = Work(every=LATER)
        await add(jobs, "a")
        assert await jobs.run_due(work.handlers, OPTIONS) == 1
        (job,) = await jobs.list_jobs(state="waiting")
        assert (job.key, job.attempts) == ("a", 0)
        assert job.due_at == pytest.approx(time.time() + LATER, abs=600)

    async def test_a_job_that_recurs_never_dies(self, jobs: JobQueue) -> None:
        work = Work(*(RuntimeError() for _ in range(9)), every=LATER)
        await add(jobs, "a")
        await jobs.run_due(work.handlers, OPTIONS)
        (job,) = await jobs.list_jobs()
        assert (job.key, job.state) == ("a", "waiting")
        assert job.due_at == pytest.approx(time.time() + LATER, abs=600)

    async def test_kinds_that_nobody_here_knows_are_left_to_others(self, jobs: JobQueue) -> None:
        work = Work()
        await jobs.enqueue("other", {}, key="o", at=time.time() - 1)
        await add(jobs, "a")
        assert await jobs.run_due(work.handlers, OPTIONS) == 1
        assert [job.key for job in await jobs.list_jobs(kind="other")] == ["o"]
        assert await jobs.list_jobs(kind="post") == []

    async def test_what_is_no_plain_data_cannot_be_kept(self, jobs: JobQueue) -> None:
        with pytest.raises(JournalError, match="Only plain JSON data"):
            await jobs.enqueue("post", {"to": object()}, key="a", at=0.0)

    async def test_a_worker_takes_jobs_as_they_come_until_it_is_stopped(
        self, jobs: JobQueue
    ) -> None:
        work = Work()
        worker = asyncio.create_task(jobs.run(work.handlers, OPTIONS))
        await add(jobs, "a")
        await until(lambda: work.keys == ["a"])
        await add(jobs, "b", after=0.1)
        await until(lambda: work.keys == ["a", "b"])

        async def is_empty() -> bool:
            return await jobs.list_jobs() == []

        await until(is_empty)
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)
        await add(jobs, "c")
        await asyncio.sleep(0.1)
        assert work.keys == ["a", "b"]

    async def test_a_worker_ends_what_it_has_begun(self, jobs: JobQueue) -> None:
        begun, may_end, ended = asyncio.Event(), asyncio.Event(), []

        async def run(job: Job) -> None:
            begun.set()
            await may_end.wait()
            ended.append(job.key)

        await add(jobs, "a")
        worker = asyncio.create_task(jobs.run({"post": Handler(run)}, OPTIONS))
        async with asyncio.timeout(30):
            await begun.wait()
        worker.cancel()
        await asyncio.sleep(0.01)
        may_end.set()
        await asyncio.gather(worker, return_exceptions=True)
        assert ended == ["a"]
        assert await jobs.list_jobs() == []

    async def test_no_more_run_at_once_than_may(self, jobs: JobQueue) -> None:
        now, most, done = 0, 0, 0

        async def run(job: Job) -> None:
            nonlocal now, most, done
            now += 1
            most = max(most, now)
            await asyncio.sleep(0.01)
            now, done = now - 1, done + 1

        await add(jobs, *(f"job-{number}" for number in range(7)))
        options = WorkerOptions(time.time, concurrency=2, poll_seconds=0.05)
        worker = asyncio.create_task(jobs.run({"post": Handler(run)}, options))
        await until(lambda: done == 7)
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)
        assert most == 2
