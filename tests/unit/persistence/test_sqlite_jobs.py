"""Jobs in one file, several processes: each runs once at a time, and none is lost."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import soni.persistence
from soni.core.jobs import Handler, Job, Retry, WorkerOptions
from soni.persistence.sqlite import SqliteStore
from tests.unit.persistence.turns import sql

SOURCE = Path(soni.persistence.__file__).parents[2]
OPTIONS = WorkerOptions(time.time, poll_seconds=0.02)

# Whoever runs a job notes it in a file of its own, before and after.
WORKER = """
import asyncio, os, sys, time
from soni.core.jobs import Handler, WorkerOptions
from soni.persistence.sqlite import SqliteStore

async def work(job):
    with open(sys.argv[2], "a") as log:
        print("begin", job.key, os.getpid(), file=log)
    if job.payload.get("hang"):
        print("hanging", flush=True)
        await asyncio.sleep(3600)
    await asyncio.sleep(0.002)
    with open(sys.argv[2], "a") as log:
        print("end", job.key, os.getpid(), file=log)

async def main():
    async with SqliteStore(sys.argv[1]) as store:
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        options = WorkerOptions(time.time, poll_seconds=0.02)
        worker = asyncio.create_task(store.jobs.run({"post": Handler(work)}, options))
        await asyncio.to_thread(sys.stdin.readline)
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)

asyncio.run(main())
"""


@contextmanager
def worker(path: Path, log: Path) -> Iterator["subprocess.Popen[str]"]:
    started = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(path), str(log)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    with started:
        try:
            yield started
        finally:
            started.kill()


def line_of(started: "subprocess.Popen[str]") -> str:
    assert started.stdout is not None
    return started.stdout.readline().strip()


def press_enter(started: "subprocess.Popen[str]") -> None:
    assert started.stdin is not None
    started.stdin.write("\n")
    started.stdin.flush()


async def until_empty(store: SqliteStore) -> None:
    async with asyncio.timeout(60):
        while True:
            if not await store.jobs.list_jobs(limit=1):
                return
            await asyncio.sleep(0.02)


async def test_two_processes_on_one_file_share_the_work(path: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    keys = [f"job-{number}" for number in range(60)]
    with worker(path, log) as one, worker(path, log) as two:
        assert [line_of(one), line_of(two)] == ["ready", "ready"]
        async with SqliteStore(path) as store:
            for key in keys:
                await store.jobs.enqueue("post", {}, key=key, at=0.0)
            for each in (one, two):
                press_enter(each)
            await until_empty(store)
        for each in (one, two):
            press_enter(each)
            assert each.wait(60) == 0
    began = [line.split()[1:] for line in log.read_text().splitlines() if line.startswith("begin")]
    assert sorted(key for key, _ in began) == sorted(keys)
    assert {pid for _, pid in began} == {str(one.pid), str(two.pid)}


async def test_what_a_killed_process_had_added_runs_in_the_next(path: Path) -> None:
    body = """
import asyncio, sys
from soni.persistence.sqlite import SqliteStore

async def main():
    async with SqliteStore(sys.argv[1]) as store:
        await store.jobs.enqueue("post", {"n": 1}, key="a", at=0.0)
        print("added", flush=True)
        await asyncio.sleep(3600)

asyncio.run(main())
"""
    started = subprocess.Popen(
        [sys.executable, "-c", body, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    with started:
        assert line_of(started) == "added"
        started.kill()
    done: list[Job] = []

    async def work(job: Job) -> None:
        done.append(job)

    async with SqliteStore(path) as store:
        assert await store.jobs.run_due({"post": Handler(work)}, OPTIONS) == 1
    assert [(job.key, job.payload) for job in done] == [("a", {"n": 1})]


async def test_what_a_killed_process_was_running_is_taken_over_at_once(
    path: Path, tmp_path: Path
) -> None:
    done: list[Job] = []

    async def work(job: Job) -> None:
        done.append(job)

    async with SqliteStore(path) as store:
        await store.jobs.enqueue("post", {"hang": True}, key="a", at=0.0)
        with worker(path, tmp_path / "log") as other:
            assert line_of(other) == "ready"
            press_enter(other)
            assert line_of(other) == "hanging"
            handlers = {"post": Handler(work)}
            assert await store.jobs.run_due(handlers, OPTIONS) == 0
            other.kill()
            other.wait(60)
        # The lease would last a minute and a half.
        assert await store.jobs.run_due(handlers, OPTIONS) == 1
    assert [job.attempts for job in done] == [2]


async def test_a_lease_that_is_over_does_not_keep_a_job(path: Path) -> None:
    """Its worker lives, or is on another machine, and has not been heard of for too long."""
    done: list[Job] = []

    async def work(job: Job) -> None:
        done.append(job)

    async with SqliteStore(path) as stalled, SqliteStore(path) as store:
        await store.jobs.enqueue("post", {}, key="a", at=0.0)
        (job,) = await stalled.jobs.claim({"post": 3600.0}, 1.0, 5)
        handlers = {"post": Handler(work)}
        assert await store.jobs.run_due(handlers, OPTIONS) == 0
        sql(path, "UPDATE jobs SET expires_at = 1")
        assert await store.jobs.run_due(handlers, OPTIONS) == 1
        # What it does about the job now concerns nobody.
        await store.jobs.enqueue("post", {}, key="a", at=0.0)
        await stalled.jobs.remove(job)
        assert len(await store.jobs.list_jobs()) == 1


async def test_a_job_that_takes_its_process_down_does_not_do_so_forever(path: Path) -> None:
    done: list[Job] = []

    async def work(job: Job) -> None:
        done.append(job)

    async with SqliteStore(path) as dying, SqliteStore(path) as store:
        await store.jobs.enqueue("post", {}, key="a", at=0.0)
        for _ in range(3):
            assert len(await dying.jobs.claim({"post": -1.0}, 1.0, 5)) == 1
        handlers = {"post": Handler(work, retry=Retry(attempts=3))}
        await store.jobs.run_due(handlers, OPTIONS)
        (dead,) = await store.jobs.list_jobs(state="dead")
        assert (done, dead.error) == ([], "the process that ran it has ended each time")


async def test_due_jobs_are_found_by_the_index(path: Path) -> None:
    async with SqliteStore(path) as store:
        await store.jobs.enqueue("post", {}, key="a", at=0.0)
    plan = sql(
        path,
        "EXPLAIN QUERY PLAN SELECT key FROM jobs WHERE state <> 'dead' AND due_at <= 1 "
        "AND kind IN ('post') AND (state = 'waiting' OR (state = 'running' AND expires_at < 1)) "
        "ORDER BY due_at LIMIT 1",
    )
    assert "USING INDEX jobs_due" in str(plan)
