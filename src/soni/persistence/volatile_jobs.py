"""Jobs in memory: they live as long as the process."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from soni.core.jobs import Job, JobState
from soni.persistence.journal import encode_canonical
from soni.persistence.polled_jobs import PolledJobs


class VolatileJobs(PolledJobs):
    """Jobs by key."""

    def __init__(self) -> None:
        super().__init__()
        self._jobs: dict[str, Job] = {}

    async def enqueue(
        self,
        kind: str,
        payload: Mapping[str, Any],
        *,
        key: str,
        at: float,
        conversation_id: str | None = None,
    ) -> bool:
        plain = json.loads(encode_canonical(dict(payload)))
        if key in self._jobs:
            return False
        self._jobs[key] = Job(key, kind, plain, at, conversation_id=conversation_id)
        self.note_added()
        return True

    async def cancel(self, key: str) -> bool:
        known = self._jobs.get(key)
        if known is None or known.state == "running":
            return False
        del self._jobs[key]
        return True

    async def cancel_conversation(self, conversation_id: str) -> int:
        about = [job for job in self._jobs.values() if job.conversation_id == conversation_id]
        return sum([await self.cancel(job.key) for job in about])

    async def revive(self, key: str, *, at: float) -> bool:
        known = self._jobs.get(key)
        if known is None or known.state != "dead":
            return False
        self._jobs[key] = replace(known, state="waiting", attempts=0, due_at=at)
        self.note_added()
        return True

    async def list_jobs(
        self, *, kind: str | None = None, state: JobState | None = None, limit: int = 1000
    ) -> list[Job]:
        found = [
            job
            for job in self._jobs.values()
            if kind in (None, job.kind) and state in (None, job.state)
        ]
        return sorted(found, key=lambda job: (job.due_at, job.key))[:limit]

    async def claim(self, terms: dict[str, float], now: float, limit: int) -> list[Job]:
        waiting = await self.list_jobs(state="waiting", limit=len(self._jobs))
        due = [job for job in waiting if job.kind in terms and job.due_at <= now]
        taken = [replace(job, state="running", attempts=job.attempts + 1) for job in due[:limit]]
        self._jobs.update({job.key: job for job in taken})
        return taken

    async def settle(self, job: Job) -> None:
        self._jobs[job.key] = job

    async def remove(self, job: Job) -> None:
        self._jobs.pop(job.key, None)

    async def find_next_time(self, kinds: Sequence[str]) -> float | None:
        waiting = await self.list_jobs(state="waiting", limit=len(self._jobs))
        return next((job.due_at for job in waiting if job.kind in kinds), None)
