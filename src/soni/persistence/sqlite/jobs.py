"""The table of jobs, so that a reminder survives a restart."""

import json
import os
import sqlite3
import time
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from soni.core.jobs import Job, JobState
from soni.persistence.encryption import Seal
from soni.persistence.journal import encode_canonical
from soni.persistence.polled_jobs import PolledJobs
from soni.persistence.sqlite.file import SqliteFile
from soni.persistence.sqlite.leases import get_machine_id, is_alive

COLUMNS = "key, kind, payload, due_at, attempts, state, conversation_id, error"

# Several processes may work on one file: what one has claimed is its own until the lease is over,
# or until the process is seen to be dead. `state <> 'dead'` is what the index on the time says.
CLAIM_SQL = """
UPDATE jobs SET state = 'running', attempts = attempts + 1, owner = :owner, machine = :machine,
    pid = :pid,
    expires_at = :time + (SELECT value FROM json_each(:terms) WHERE json_each.key = jobs.kind)
WHERE key IN (
    SELECT key FROM jobs
    WHERE state <> 'dead' AND due_at <= :now
    AND kind IN (SELECT json_each.key FROM json_each(:terms))
    AND (state = 'waiting' OR (state = 'running' AND expires_at < :time))
    ORDER BY due_at LIMIT :limit
)
"""


class SqliteJobs(PolledJobs):
    """Keeps jobs in the file; finished ones are deleted."""

    def __init__(self, file: SqliteFile) -> None:
        super().__init__()
        self._file = file
        self._owner = uuid4().hex
        self._machine = get_machine_id()

    async def enqueue(
        self,
        kind: str,
        payload: Mapping[str, Any],
        *,
        key: str,
        at: float,
        conversation_id: str | None = None,
    ) -> bool:
        stored = self._file.seal.close(encode_canonical(dict(payload)))
        row = (key, kind, stored, at, conversation_id)
        query = (
            "INSERT OR IGNORE INTO jobs (key, kind, payload, due_at, conversation_id) "
            "VALUES (?, ?, ?, ?, ?)"
        )
        added = await self._change(query, row)
        self.note_added()
        return added == 1

    async def cancel(self, key: str) -> bool:
        return (
            await self._change("DELETE FROM jobs WHERE key = ? AND state <> 'running'", (key,)) == 1
        )

    async def cancel_conversation(self, conversation_id: str) -> int:
        query = "DELETE FROM jobs WHERE conversation_id = ? AND state <> 'running'"
        return await self._change(query, (conversation_id,))

    async def revive(self, key: str, *, at: float) -> bool:
        query = (
            "UPDATE jobs SET state = 'waiting', attempts = 0, due_at = ? "
            "WHERE key = ? AND state = 'dead'"
        )
        revived = await self._change(query, (at, key))
        self.note_added()
        return revived == 1

    async def list_jobs(
        self, *, kind: str | None = None, state: JobState | None = None, limit: int = 1000
    ) -> list[Job]:
        query = (
            f"SELECT {COLUMNS} FROM jobs WHERE kind = COALESCE(?, kind) "
            "AND state = COALESCE(?, state) ORDER BY due_at, key LIMIT ?"
        )
        values = (kind, state, limit)
        rows = await self._file.run(lambda connection: connection.execute(query, values).fetchall())
        return [_make_job(row, self._file.seal) for row in rows]

    async def claim(self, terms: dict[str, float], now: float, limit: int) -> list[Job]:
        wish = {
            "owner": self._owner,
            "machine": self._machine,
            "pid": os.getpid(),
            "time": time.time(),
            "now": now,
            "terms": encode_canonical(terms),
            "limit": limit,
        }

        def take(connection: sqlite3.Connection) -> list[Any]:
            self._release_dead(connection)
            query = f"{CLAIM_SQL} RETURNING {COLUMNS}"
            return connection.execute(query, wish).fetchall()

        # A worker with nothing to do must not keep the file from those that write.
        if not await self._is_work_there(now):
            return []
        # Not durable: after a power cut the job waits, and then it runs.
        rows = await self._file.write(take, durable=False)
        jobs = [_make_job(row, self._file.seal) for row in rows]
        return sorted(jobs, key=lambda job: job.due_at)

    async def settle(self, job: Job) -> None:
        query = (
            "UPDATE jobs SET due_at = ?, attempts = ?, state = ?, error = ?, owner = NULL, "
            "machine = NULL, pid = NULL, expires_at = NULL WHERE key = ? AND owner = ?"
        )
        about = (job.due_at, job.attempts, job.state, job.error)
        await self._change(query, (*about, job.key, self._owner))

    async def remove(self, job: Job) -> None:
        await self._change("DELETE FROM jobs WHERE key = ? AND owner = ?", (job.key, self._owner))

    async def find_next_time(self, kinds: Sequence[str]) -> float | None:
        query = (
            "SELECT due_at FROM jobs WHERE state <> 'dead' AND state = 'waiting' "
            "AND kind IN (SELECT value FROM json_each(?)) ORDER BY due_at LIMIT 1"
        )
        values = (encode_canonical(list(kinds)),)
        row = await self._file.run(lambda connection: connection.execute(query, values).fetchone())
        return float(row[0]) if row else None

    async def _is_work_there(self, now: float) -> bool:
        query = "SELECT 1 FROM jobs WHERE state <> 'dead' AND due_at <= ? LIMIT 1"
        row = await self._file.run(lambda connection: connection.execute(query, (now,)).fetchone())
        return row is not None

    def _release_dead(self, connection: sqlite3.Connection) -> None:
        """Let jobs wait again whose process has died on this machine."""
        holders = connection.execute(
            "SELECT DISTINCT pid FROM jobs WHERE state = 'running' AND machine = ? AND owner <> ?",
            (self._machine, self._owner),
        ).fetchall()
        for (pid,) in holders:
            if not is_alive(pid):
                connection.execute(
                    "UPDATE jobs SET state = 'waiting' "
                    "WHERE state = 'running' AND machine = ? AND pid = ?",
                    (self._machine, pid),
                )

    async def _change(self, query: str, values: tuple[Any, ...]) -> int:
        return await self._file.write(lambda connection: connection.execute(query, values).rowcount)


def _make_job(row: tuple[Any, ...], seal: Seal) -> Job:
    key, kind, payload, *about = row
    return Job(key, kind, json.loads(seal.open(payload)), *about)
