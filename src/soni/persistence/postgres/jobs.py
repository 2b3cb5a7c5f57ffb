"""Jobs in PostgreSQL, carried out by procrastinate.

It claims jobs, wakes workers, retries, and takes over from workers that are gone. Its tables are in
the schema of the store. A job is one row from beginning to end, found by its key.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from importlib import resources
from typing import Any, Final, cast

import procrastinate
import structlog
from procrastinate import exceptions, retry
from procrastinate.jobs import Job as Row
from procrastinate.schema import SchemaManager
from psycopg_pool import AsyncConnectionPool

from soni.core.jobs import (
    Handler,
    Handlers,
    Job,
    JobError,
    JobQueue,
    JobState,
    WorkerOptions,
    describe_failure,
)
from soni.core.storage_errors import StorageError
from soni.persistence.journal import encode_canonical
from soni.persistence.postgres.server import (
    WAIT_SECONDS,
    Connection,
    PostgresServer,
    check_connection,
)
from soni.persistence.postgres.values import StoredValues

_log = structlog.get_logger("soni.jobs")

POOL_SIZE: Final = 4
GRACE_SECONDS: Final = 10.0
"""How long jobs may still run when the worker is stopped."""

_LOCK: Final = 0x736F6E6A
_STATES: Final[dict[str, JobState]] = {"todo": "waiting", "doing": "running", "failed": "dead"}

# Ours beside the library's: one row for a key in whatever state; the jobs of a conversation; and
# due jobs without looking through all that wait, which the function that claims them would do if it
# could go by their priority.
_ADDITIONS: Final = """
CREATE UNIQUE INDEX soni_jobs_key ON procrastinate_jobs (queueing_lock);
CREATE INDEX soni_jobs_conversation ON procrastinate_jobs ((args->>'conversation_id'));
CREATE INDEX soni_jobs_due ON procrastinate_jobs (scheduled_at) WHERE status = 'todo';
ALTER FUNCTION procrastinate_fetch_job_v2 SET enable_indexscan = off;
CREATE TABLE soni_jobs_migrations (name text PRIMARY KEY);
"""


class PostgresJobs(JobQueue):
    """Jobs of one schema."""

    def __init__(self, server: PostgresServer, values: StoredValues, lease_seconds: float) -> None:
        self._server = server
        self._values = values
        self._lease_seconds = lease_seconds
        self._opened: tuple[Any, procrastinate.PsycopgConnector] | None = None
        self._opening = asyncio.Lock()

    async def close(self) -> None:
        """Close its connections."""
        if self._opened is not None:
            (pool, _), self._opened = self._opened, None
            await pool.close()

    async def enqueue(
        self,
        kind: str,
        payload: Mapping[str, Any],
        *,
        key: str,
        at: float,
        conversation_id: str | None = None,
    ) -> bool:
        text = _HiddenText(self._values.pack_text(encode_canonical(dict(payload))))
        app = procrastinate.App(connector=await self._open_connector())
        task = app.configure_task(kind, queue=kind, queueing_lock=key, schedule_at=_to_datetime(at))
        try:
            await task.defer_async(payload=text, conversation_id=conversation_id)
        except (exceptions.AlreadyEnqueued, exceptions.UniqueViolation):
            return False
        except exceptions.ConnectorException as error:
            raise self._explain(error) from error
        return True

    async def cancel(self, key: str) -> bool:
        return (
            await self._change(
                "DELETE FROM procrastinate_jobs WHERE queueing_lock = %s AND status <> 'doing'", key
            )
            == 1
        )

    async def cancel_conversation(self, conversation_id: str) -> int:
        return await self._change(
            "DELETE FROM procrastinate_jobs "
            "WHERE args->>'conversation_id' = %s AND status <> 'doing'",
            conversation_id,
        )

    async def revive(self, key: str, *, at: float) -> bool:
        return (
            await self._change(
                "UPDATE procrastinate_jobs SET status = 'todo', attempts = 0, scheduled_at = %s "
                "WHERE queueing_lock = %s AND status = 'failed'",
                _to_datetime(at),
                key,
            )
            == 1
        )

    async def list_jobs(
        self, *, kind: str | None = None, state: JobState | None = None, limit: int = 1000
    ) -> list[Job]:
        status = [name for name, meant in _STATES.items() if state in (None, meant)]
        await self._open_connector()
        rows = await self._server.run(
            "SELECT queueing_lock, task_name, args::text, attempts, status::text, "
            "extract(epoch FROM scheduled_at)::float8 FROM procrastinate_jobs "
            "WHERE task_name = COALESCE(%s, task_name) AND status::text = ANY (%s) "
            "ORDER BY scheduled_at, queueing_lock LIMIT %s",
            (kind, status, limit),
        )
        return [self._make_job(*row) for row in rows]

    async def run(self, handlers: Handlers, options: WorkerOptions) -> None:
        app = await self._make_app(handlers, [])
        rescue = asyncio.create_task(self._rescue_forever(app, handlers))
        try:
            while True:
                try:
                    await self._work(app, handlers, options)
                except (exceptions.ConnectorException, StorageError) as error:
                    # The server may be back in a moment.
                    _log.warning("jobs_not_claimed", reason=type(error).__name__)
                    await asyncio.sleep(options.poll_seconds)
        finally:
            rescue.cancel()
            await asyncio.gather(rescue, return_exceptions=True)

    async def run_due(self, handlers: Handlers, options: WorkerOptions) -> int:
        attempts: list[str] = []
        app = await self._make_app(handlers, attempts)
        await self._rescue_jobs(app, handlers)
        while True:
            before = len(attempts)
            await self._work(app, handlers, options, wait=False, listen_notify=False)
            if len(attempts) == before:
                return before

    async def _work(
        self,
        app: procrastinate.App,
        handlers: Handlers,
        options: WorkerOptions,
        *,
        wait: bool = True,
        listen_notify: bool = True,
    ) -> None:
        await app.run_worker_async(
            queues=list(handlers),
            concurrency=options.concurrency,
            fetch_job_polling_interval=options.poll_seconds,
            wait=wait,
            listen_notify=listen_notify,
            install_signal_handlers=False,
            delete_jobs="successful",
            shutdown_graceful_timeout=GRACE_SECONDS,
            update_heartbeat_interval=self._lease_seconds / 3,
            stalled_worker_timeout=self._lease_seconds,
        )

    async def _open_connector(self) -> procrastinate.PsycopgConnector:
        """Create the library's tables, or bring them up to date, when a job is first meant."""
        async with self._opening:
            if self._opened is None:
                await _prepare_tables(self._server)
                pool = AsyncConnectionPool(
                    self._server.address.conninfo,
                    min_size=1,
                    max_size=POOL_SIZE,
                    configure=self._configure,
                    check=check_connection,
                    timeout=WAIT_SECONDS,
                    open=False,
                )
                await pool.open()
                connector = procrastinate.PsycopgConnector(json_loads=_load_hidden)
                await connector.open_async(cast(Any, pool))
                self._opened = pool, connector
            return self._opened[1]

    async def _configure(self, connection: Connection) -> None:
        # Here and not with the address, which the library opens with words of its own.
        await connection.set_autocommit(True)
        await self._server.configure(connection)

    async def _make_app(self, handlers: Handlers, attempts: list[str]) -> procrastinate.App:
        """An app with these handlers; they are not those of other runtimes on this store."""
        app = procrastinate.App(connector=await self._open_connector())
        for kind, handler in handlers.items():
            task = _Task(self, handler, attempts)
            app.task(name=kind, queue=kind, pass_context=True, retry=_Schedule(handler))(task.run)
        return app

    async def _rescue_forever(self, app: procrastinate.App, handlers: Handlers) -> None:
        while True:
            with suppress(exceptions.ConnectorException):
                await self._rescue_jobs(app, handlers)
            await asyncio.sleep(self._lease_seconds / 2)

    async def _rescue_jobs(self, app: procrastinate.App, handlers: Handlers) -> None:
        """Let jobs wait again whose worker gave no sign of life for too long."""
        stalled = await app.job_manager.get_stalled_jobs(
            seconds_since_heartbeat=self._lease_seconds
        )
        for row in stalled:
            if row.task_name in handlers:
                # Another worker may have been quicker.
                with suppress(exceptions.ConnectorException):
                    await app.job_manager.retry_job(row)

    async def note(self, row: Row, error: str | None, *, anew: bool) -> None:
        """Record why an attempt failed; `anew`: count attempts from the beginning."""
        await self._server.run(
            "UPDATE procrastinate_jobs SET args = args || jsonb_build_object('error', %s::text), "
            "attempts = CASE WHEN %s THEN -1 ELSE attempts END WHERE id = %s",
            (error, anew, row.id),
        )

    def read_row(self, row: Row) -> Job:
        """The job that a worker has claimed."""
        about: dict[str, Any] = dict(row.task_kwargs)
        due = row.scheduled_at.timestamp() if row.scheduled_at else 0.0
        return Job(
            str(row.queueing_lock),
            row.task_name,
            json.loads(self._values.unpack_text(str(about["payload"]))),
            due,
            row.attempts + 1,
            "running",
            about.get("conversation_id"),
            about.get("error"),
        )

    def _make_job(self, key: str, kind: str, args: str, count: int, status: str, due: float) -> Job:
        about, state = json.loads(args), _STATES[status]
        payload = json.loads(self._values.unpack_text(about["payload"]))
        begun = count + (state == "running")
        named = about.get("conversation_id"), about.get("error")
        return Job(key, kind, payload, due, begun, state, *named)

    async def _change(self, query: str, *values: Any) -> int:
        await self._open_connector()
        return len(await self._server.run(f"{query} RETURNING 1", values))

    def _explain(self, error: exceptions.ConnectorException) -> StorageError:
        return StorageError(
            f"{self._server.address.place}: a job could not be kept ({type(error).__name__}). "
            "Check that the server runs, then try again."
        )


class _AgainError(Exception):
    """A job that recurs has ended and waits for its next time."""


class _Task:
    """Carries out the jobs of one kind."""

    def __init__(self, jobs: PostgresJobs, handler: Handler, attempts: list[str]) -> None:
        self._jobs = jobs
        self._handler = handler
        self._attempts = attempts

    async def run(self, context: procrastinate.JobContext, /, **about: Any) -> None:
        handler, job = self._handler, self._jobs.read_row(context.job)
        self._attempts.append(job.key)
        try:
            if job.attempts > handler.retry.attempts and handler.every is None:
                raise JobError("the process that ran it has ended each time", permanent=True)
            async with asyncio.timeout(handler.timeout):
                await handler.run(job)
        except Exception as error:
            await self._note_failure(context.job, job, error)
        else:
            if handler.every is not None:
                await self._jobs.note(context.job, None, anew=True)
                raise _AgainError

    async def _note_failure(self, row: Row, job: Job, error: Exception) -> None:
        reason = describe_failure(error)
        facts = {"kind": job.kind, "key": job.key, "attempt": job.attempts, "error": reason}
        over = self._handler.retry.find_delay(job.attempts, error) is None
        if over:
            _log.error("job_given_up", **facts)
        else:
            _log.warning("job_failed", **facts)
        anew = over and self._handler.every is not None
        await self._jobs.note(row, reason, anew=anew)
        if anew:
            raise _AgainError
        # The library logs what is raised, and other errors may hold what users said.
        if isinstance(error, JobError):
            raise JobError(
                reason, permanent=error.permanent, retry_after=error.retry_after
            ) from None
        raise JobError(reason) from None


class _Schedule(retry.BaseRetryStrategy):
    """When a job runs again, if at all."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler

    def get_retry_decision(
        self, *, exception: BaseException, job: Row
    ) -> procrastinate.RetryDecision | None:
        """Decide what becomes of a job after an attempt."""
        if isinstance(exception, _AgainError):
            seconds = self._handler.every
        elif isinstance(exception, JobError):
            seconds = self._handler.retry.find_delay(job.attempts + 1, exception)
        else:  # the worker is stopped
            seconds = 0.0
        if seconds is None:
            return None
        at = datetime.now(UTC).timestamp() + seconds
        return procrastinate.RetryDecision(retry_at=_to_datetime(at))


class _HiddenText(str):
    """A text that the library's logs do not show."""

    def __repr__(self) -> str:
        return "'...'"


def _load_hidden(text: str | bytes) -> Any:
    loaded = json.loads(text)
    if isinstance(loaded, dict) and isinstance(loaded.get("payload"), str):
        loaded["payload"] = _HiddenText(loaded["payload"])
    return loaded


def _to_datetime(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)


async def _prepare_tables(server: PostgresServer) -> None:
    """Create the tables, or apply what newer versions of the library bring."""
    files = _list_migrations()
    connection = await server.connect()
    try:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            found = await connection.execute("SELECT to_regclass('soni_jobs_migrations')")
            fresh = await found.fetchone() == (None,)
            if fresh:
                await connection.execute(SchemaManager.get_schema())
                await connection.execute(_ADDITIONS)
            known = await connection.execute("SELECT name FROM soni_jobs_migrations")
            applied = {name for (name,) in await known.fetchall()}
            for name, statements in files:
                if name not in applied:
                    if not fresh:
                        await connection.execute(statements)
                    await connection.execute(
                        "INSERT INTO soni_jobs_migrations VALUES (%s)", (name,)
                    )
    finally:
        await connection.close()


def _list_migrations() -> Iterable[tuple[str, str]]:
    folder = resources.files("procrastinate.sql.migrations")
    files = sorted((each.name, each) for each in folder.iterdir() if each.name.endswith(".sql"))
    return [(name, file.read_text(encoding="utf-8")) for name, file in files]
