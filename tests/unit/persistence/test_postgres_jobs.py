"""Jobs in PostgreSQL: several processes, a process that is killed, a server that goes away."""

import asyncio
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

import soni.persistence
from soni.core.jobs import Handler, Job, JobError, Retry, WorkerOptions
from soni.core.storage import Store
from soni.persistence import open_store
from tests.postgres_server import make_url

SOURCE = Path(soni.persistence.__file__).parents[2]
OPTIONS = WorkerOptions(time.time, poll_seconds=0.05)

WORKER = """
import asyncio, os, sys, time
from soni.core.jobs import Handler, WorkerOptions
from soni.persistence import open_store

async def work(job):
    print("begin", job.key, flush=True)
    if job.payload.get("hang"):
        await asyncio.sleep(3600)
    await asyncio.sleep(0.002)

async def main():
    async with open_store("postgres", sys.argv[1], lease_seconds=0.5) as store:
        await store.jobs.list_jobs()
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        options = WorkerOptions(time.time, concurrency=2, poll_seconds=0.05)
        worker = asyncio.create_task(store.jobs.run({"post": Handler(work)}, options))
        await asyncio.to_thread(sys.stdin.readline)
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)

asyncio.run(main())
"""


class Backwards:
    """A cipher that anybody can read who knows how."""

    def encrypt(self, content: bytes) -> bytes:
        return content[::-1]

    def decrypt(self, content: bytes) -> bytes:
        return content[::-1]


@contextmanager
def worker(url: str) -> Iterator["subprocess.Popen[str]"]:
    started = subprocess.Popen(
        [sys.executable, "-c", WORKER, url],
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


async def until_empty(store: Store) -> None:
    async with asyncio.timeout(60):
        while True:
            if not await store.jobs.list_jobs(limit=1):
                return
            await asyncio.sleep(0.05)


async def test_two_processes_share_the_work(postgres_url: str) -> None:
    keys = [f"job-{number}" for number in range(30)]
    with worker(postgres_url) as one, worker(postgres_url) as two:
        assert [line_of(one), line_of(two)] == ["ready", "ready"]
        async with open_store("postgres", postgres_url) as store:
            for key in keys:
                await store.jobs.enqueue("post", {}, key=key, at=0.0)
            for each in (one, two):
                press_enter(each)
            await until_empty(store)
        done = [each.communicate("\n", timeout=60)[0].split() for each in (one, two)]
    began = [[word for word in each if word.startswith("job-")] for each in done]
    assert sorted([*began[0], *began[1]]) == sorted(keys)
    assert all(began)


async def test_what_a_killed_process_was_running_is_taken_over(postgres_url: str) -> None:
    taken: list[Job] = []

    async def work(job: Job) -> None:
        taken.append(job)

    async with open_store("postgres", postgres_url, lease_seconds=0.5) as store:
        await store.jobs.enqueue("post", {"hang": True}, key="a", at=0.0)
        with worker(postgres_url) as other:
            assert line_of(other) == "ready"
            press_enter(other)
            assert line_of(other) == "begin a"
            other.kill()
            other.wait(60)
        mine = asyncio.create_task(store.jobs.run({"post": Handler(work)}, OPTIONS))
        await until_empty(store)
        mine.cancel()
        await asyncio.gather(mine, return_exceptions=True)
    assert [(job.key, job.attempts) for job in taken] == [("a", 2)]


async def test_a_worker_that_lives_keeps_its_job_however_long_it_takes(postgres_url: str) -> None:
    begun: list[str] = []

    async def work(job: Job) -> None:
        begun.append(job.key)
        await asyncio.sleep(1.5)

    async with (
        open_store("postgres", postgres_url, lease_seconds=0.5) as one,
        open_store("postgres", postgres_url, lease_seconds=0.5) as two,
    ):
        await one.jobs.enqueue("post", {}, key="a", at=0.0)
        workers = [
            asyncio.create_task(store.jobs.run({"post": Handler(work)}, OPTIONS))
            for store in (one, two)
        ]
        await until_empty(one)
        for each in workers:
            each.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    assert begun == ["a"]


async def test_two_assistants_in_one_process_have_queues_of_their_own(
    postgres: dict[str, str],
) -> None:
    done: dict[str, list[str]] = {"one": [], "two": []}

    def handler(name: str) -> Handler:
        async def work(job: Job) -> None:
            done[name].append(job.payload["for"])

        return Handler(work)

    async with (
        open_store("postgres", make_url(postgres)) as one,
        open_store("postgres", make_url(postgres)) as two,
    ):
        workers = [
            asyncio.create_task(store.jobs.run({"post": handler(name)}, OPTIONS))
            for name, store in (("one", one), ("two", two))
        ]
        for name, store in (("one", one), ("two", two)):
            assert await store.jobs.enqueue("post", {"for": name}, key="same", at=0.0)
        for store in (one, two):
            await until_empty(store)
        for each in workers:
            each.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    assert done == {"one": ["one"], "two": ["two"]}


async def test_a_stopped_worker_leaves_nothing_behind(
    postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(job: Job) -> None:
        """Nothing."""

    async with open_store("postgres", postgres_url) as store:
        running = asyncio.create_task(store.jobs.run({"post": Handler(work)}, OPTIONS))
        await store.jobs.enqueue("post", {}, key="a", at=0.0)
        await until_empty(store)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        left = {task.get_name() for task in asyncio.all_tasks()}
    assert not left & {"listener", "deferrer", "update_heartbeats", "poll_jobs_to_abort"}
    assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_what_users_said_is_in_no_log(
    postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def work(job: Job) -> None:
        raise RuntimeError(job.payload["text"])

    async with open_store("postgres", postgres_url) as store:
        await store.jobs.enqueue("post", {"text": "my secret"}, key="a", at=0.0)
        handlers = {"post": Handler(work, retry=Retry(attempts=2, first_delay=0))}
        assert await store.jobs.run_due(handlers, OPTIONS) == 2
        (dead,) = await store.jobs.list_jobs(state="dead")
    assert dead.payload == {"text": "my secret"}
    assert caplog.records
    assert "my secret" not in caplog.text


async def test_what_is_kept_is_encrypted_if_the_store_is(postgres_url: str) -> None:
    seen: list[object] = []

    async def work(job: Job) -> None:
        seen.append(job.payload)
        raise JobError("refused", permanent=True)

    async with open_store("postgres", postgres_url, cipher=Backwards()) as store:
        await store.jobs.enqueue("post", {"text": "my secret"}, key="a", at=0.0)
        await store.jobs.run_due({"post": Handler(work)}, OPTIONS)
        (dead,) = await store.jobs.list_jobs()
        assert [dead.payload, *seen] == [{"text": "my secret"}] * 2
    plain, _, schema = postgres_url.partition("&schema=")
    with psycopg.connect(plain) as connection:
        ((stored,),) = connection.execute(f"SELECT args::text FROM {schema}.procrastinate_jobs")
    assert "secret" not in stored


async def test_any_text_can_be_kept(postgres_url: str) -> None:
    text = 'a\x00b \ud83d "quoted" \\ ñ 😀 %s {x}'
    async with open_store("postgres", postgres_url) as store:
        await store.jobs.enqueue("post", {"text": text}, key="a", at=0.0)
        (job,) = await store.jobs.list_jobs()
    assert job.payload == {"text": text}


async def test_a_newer_engine_brings_its_tables_up_to_date(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from soni.persistence.postgres import jobs

    async with open_store("postgres", postgres_url) as store:
        await store.jobs.enqueue("post", {}, key="a", at=0.0)
    newer = [*jobs._list_migrations(), ("99.sql", "ALTER TABLE procrastinate_jobs ADD news text")]
    monkeypatch.setattr(jobs, "_list_migrations", lambda: newer)
    for _ in range(2):
        async with open_store("postgres", postgres_url) as store:
            assert [job.key for job in await store.jobs.list_jobs()] == ["a"]
    plain, _, schema = postgres_url.partition("&schema=")
    with psycopg.connect(plain) as connection:
        assert connection.execute(f"SELECT news FROM {schema}.procrastinate_jobs").fetchall()


async def test_looking_for_due_jobs_does_not_read_all_that_wait(postgres_url: str) -> None:
    async with open_store("postgres", postgres_url) as store:
        await store.jobs.list_jobs()
    plain, _, schema = postgres_url.partition("&schema=")
    with psycopg.connect(plain, autocommit=True) as connection:

        def count_reads() -> int:
            connection.execute("SELECT pg_stat_force_next_flush()")
            connection.execute("SELECT pg_stat_clear_snapshot()")
            ((read,),) = connection.execute(
                "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables "
                "WHERE relid = 'procrastinate_jobs'::regclass"
            )
            return int(read)

        connection.execute(f"SET search_path = {schema}")
        connection.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, status, scheduled_at) "
            "SELECT 'post', 'post', 'todo', now() + n * interval '1 min' "
            "FROM generate_series(1, 5000) AS n"
        )
        connection.execute("ANALYZE procrastinate_jobs")
        before = count_reads()
        connection.execute("SELECT procrastinate_fetch_job_v2(ARRAY['post'], NULL)")
        assert count_reads() - before < 100
